"""Shapes in signatures are checked while the tests run, where jaxtyping and beartype are there."""

from importlib.util import find_spec

CHECKED = [
    "neuralexec.models.decide",
    "neuralexec.models.executor",
    "neuralexec.models.heads",
    "neuralexec.models.infinity",
    "neuralexec.models.kernels.reference",
    "neuralexec.models.linear",
    "neuralexec.models.processors",
    "neuralexec.models.scope",
    "neuralexec.training.losses",
]
"""Not rollout, nor the kernels' registry: beartype refuses their Protocols, which are not
runtime_checkable."""

if find_spec("jaxtyping") and find_spec("beartype"):
    from jaxtyping import install_import_hook

    install_import_hook(CHECKED, "beartype.beartype")
