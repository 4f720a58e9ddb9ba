"""Gradients of the operations against finite differences, in double precision."""

import pytest
import torch
from torch.autograd import gradcheck

from neuralexec.models.kernels import (
    Cell,
    Form,
    Scoring,
    log_softmax,
    score_edges,
    segment_max,
    segment_sum,
    unrolled,
    using,
    weighted_sum,
)
from tests.models.kernels.cases import cell, course, graph, numbers, rows, scoring
from tests.models.kernels.implementations import every_reduce, everywhere, on, one_or_three

EXACT = torch.float64


def check(kernels, run, given, *, fast: bool = False) -> None:
    leaves = [part.requires_grad_() if part.numel() else part for part in given]
    with using(kernels):
        assert gradcheck(run, leaves, nondet_tol=1e-8, fast_mode=fast)


@everywhere
@every_reduce
@one_or_three
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])
@pytest.mark.parametrize("relu", [True, False], ids=["relu", "plain"])
def test_of_many_steps(kernels, device, reduce, replicas, recurrent, relu):
    layout = on(device, course("some", replicas, EXACT))
    read = on(device, rows(layout, 2, EXACT))
    memory, *others = on(device, cell(2, replicas, EXACT, recurrent=recurrent))
    form = Form(reduce, relu, relu, relu)

    def run(read, *parts):
        return unrolled(read, layout, Cell(*parts[-1:] if recurrent else [None], *parts[:7]), form)

    check(kernels, run, [read, *others, *([memory] if recurrent else [])], fast=True)


@everywhere
@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
@one_or_three
def test_of_scores(kernels, device, scorer, replicas):
    given, edges = on(device, scoring(scorer, "some", 3, replicas, EXACT))
    check(kernels, lambda *parts: score_edges(Scoring(*parts), edges), given)


@everywhere
@pytest.mark.parametrize("kind", ["some", "dense"])
def test_of_attention(kernels, device, kind):
    edges = on(device, graph(kind, 1, EXACT))
    scores = on(device, numbers(edges.num_edges, seed=1, dtype=EXACT))
    values = on(device, numbers(edges.num_nodes, 3, seed=2, dtype=EXACT))
    check(kernels, lambda scores: log_softmax(scores, edges.offsets), [scores])
    check(kernels, lambda *given: weighted_sum(*given, edges), [scores, values])


@everywhere
@pytest.mark.parametrize("operation", [segment_sum, segment_max])
def test_of_segments(kernels, device, operation):
    edges = on(device, graph("some", 1, EXACT))
    values = on(device, numbers(edges.num_edges, seed=1, dtype=EXACT))

    def run(values):
        found = operation(values, edges.offsets)
        return found[found > -torch.inf]  # of a node without edges there is no highest

    check(kernels, run, [values])
