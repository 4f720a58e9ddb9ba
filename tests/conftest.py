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
    "neuralexec.training.losses",
]
"""All of neuralexec.models but rollout and the kernels' registry, whose Protocols beartype refuses
since they are not runtime_checkable, and scope, whose Literal it would refuse before we do."""

if find_spec("jaxtyping") and find_spec("beartype"):
    from jaxtyping import install_import_hook

    install_import_hook(CHECKED, "beartype.beartype")
