"""Processors as the tests build them: small, and the same every time."""

import pytest
import torch
from torch import nn

from neuralexec.models.processors import Options, find_processor, processors
from tests.models.small_graphs import LATENT

LAYER = "pyg:GATv2Conv"
"""A processor that is not ours, where PyTorch Geometric is installed."""

EVERY = [*processors(), LAYER]
FULL = ["gat-full", "gat-full-transformer"]
"""Those that also hear from nodes no edge joins."""


def built(name: str, *, seed: int = 0, **options) -> nn.Module:
    if name.startswith("pyg:"):
        pytest.importorskip("torch_geometric")  # which also silences what it warns of
    torch.manual_seed(seed)
    return find_processor(name).build(Options(**{"latent": LATENT, **options}))
