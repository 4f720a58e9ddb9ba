"""Shapes in signatures are checked while these tests run, and are words where they cannot be."""

import importlib
import sys

import pytest
import torch

from neuralexec.models import shapes
from neuralexec.models.linear import project


def test_a_wrong_shape_is_told():
    jaxtyping = pytest.importorskip("jaxtyping")
    pytest.importorskip("beartype")
    with pytest.raises(jaxtyping.TypeCheckError, match="weight"):
        project(torch.zeros(4, 3), torch.zeros(5, 2))


def test_without_jaxtyping_a_shape_is_a_word(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "jaxtyping", None)
        importlib.reload(shapes)
        assert shapes.Float[torch.Tensor, "*lead nodes"] is torch.Tensor
    importlib.reload(shapes)
