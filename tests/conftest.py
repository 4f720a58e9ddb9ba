"""Shapes in signatures are checked while the tests run, where jaxtyping and beartype are there."""

from importlib.util import find_spec

CHECKED = ["neuralexec.models", "neuralexec.training.losses"]

if find_spec("jaxtyping") and find_spec("beartype"):
    from jaxtyping import install_import_hook

    install_import_hook(CHECKED, "beartype.beartype")
