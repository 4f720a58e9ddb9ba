"""Shapes in signatures are checked while these tests run, and are words where they cannot be."""

import subprocess
import sys

import pytest
import torch

from neuralexec.models.linear import project


def test_a_wrong_shape_is_told():
    jaxtyping = pytest.importorskip("jaxtyping")
    pytest.importorskip("beartype")
    with pytest.raises(jaxtyping.TypeCheckError, match="weight"):
        project(torch.zeros(4, 3), torch.zeros(5, 2))


def test_without_jaxtyping_a_shape_is_a_word():
    code = """
import sys
sys.modules["jaxtyping"] = None  # importing it now fails
import torch
from neuralexec.models.shapes import Float
import neuralexec.models.rollout
print(Float[torch.Tensor, "*lead nodes"] is torch.Tensor)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["True"], done.stderr
