"""Gradients of whole processors against finite differences, in double precision."""

import pytest
import torch
from torch.autograd import gradcheck
from torch.func import functional_call

from neuralexec.models.processors import processors
from tests.models.processors.building import built
from tests.models.small_graphs import features, kite

PENALISED = [name for name, kind in processors().items() if kind.attends]


def check(processor, field: str) -> bool:
    edges = kite(torch.float64)
    names = [name for name, _ in processor.named_parameters()]

    def run(encoded, *values):
        weights = dict(zip(names, values, strict=True))
        return getattr(functional_call(processor, weights, (encoded, edges)), field)

    encoded = features(edges, latent=3).requires_grad_()
    return gradcheck(run, (encoded, *processor.parameters()), fast_mode=True)


@pytest.mark.parametrize("name", processors())
def test_gradients_of_the_latent(name):
    assert check(built(name, latent=3, message_relu=True).double(), "latent")


@pytest.mark.parametrize("name", PENALISED)
def test_gradients_of_the_penalty(name):
    assert check(built(name, latent=3, sharpening="entropy").double(), "penalty")
