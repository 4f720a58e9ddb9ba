"""The passes over edges that cost the time: one interface, an implementation for each device."""

from neuralexec.models.kernels.choice import kernels_for, using
from neuralexec.models.kernels.interface import Cell, Feedback, Form, Kernels, Reduce, Scoring
from neuralexec.models.kernels.operations import (
    log_softmax,
    score_edges,
    segment_argmax,
    segment_max,
    segment_sum,
    unrolled,
    weighted_sum,
)
from neuralexec.models.kernels.reference import ReferenceKernels

__all__ = [
    "Cell",
    "Feedback",
    "Form",
    "Kernels",
    "Reduce",
    "ReferenceKernels",
    "Scoring",
    "kernels_for",
    "log_softmax",
    "score_edges",
    "segment_argmax",
    "segment_max",
    "segment_sum",
    "unrolled",
    "using",
    "weighted_sum",
]
