"""The kernels on a CPU: several threads as one, and large graphs as small ones."""

from itertools import product

import pytest
import torch

pytest.importorskip("numba")

from neuralexec.models.kernels import Form, cpu
from neuralexec.models.kernels.cpu import CpuKernels
from tests.models.kernels.cases import (
    GRAPHS,
    cell,
    course,
    feedback,
    graph,
    message_parts,
    numbers,
    rows,
    scoring,
)
from tests.models.kernels.implementations import check_same, every_reduce, one_or_three

KERNELS = CpuKernels()
every_graph = pytest.mark.parametrize("kind", GRAPHS)
every_size = pytest.mark.parametrize("size", [1, 5, 32, 33, 64])


@pytest.fixture
def alone_and_shared(monkeypatch):
    """Call a method on one thread, and on two: as many as there are edges would pay."""
    before = torch.get_num_threads()

    def compare(method: str, *given, **options) -> object:
        torch.set_num_threads(1)
        alone = getattr(KERNELS, method)(*given, **options)
        torch.set_num_threads(2)
        with monkeypatch.context() as patch:
            patch.setattr(cpu, "SMALLEST_SHARE", 1)
            for number in (2, 3, 4):
                patch.setattr(torch, "get_num_threads", lambda number=number: number)
                check_same(getattr(KERNELS, method)(*given, **options), alone, exact=True)
        return alone

    yield compare
    torch.set_num_threads(before)


@every_graph
@every_size
@one_or_three
def test_messages_are_the_same_on_several_threads(alone_and_shared, kind, size, replicas):
    parts = message_parts(kind, size, replicas)
    out, chosen = alone_and_shared("largest", *parts, keep_chosen=True)
    alone_and_shared("largest", *parts, keep_chosen=False)
    grad = numbers(*out.shape, seed=9)
    alone_and_shared("largest_backward", grad, chosen, parts[-1], replicas)
    for relu in (False, True):
        alone_and_shared("total", *parts, relu=relu)
        alone_and_shared("total_backward", grad, *parts, relu=relu)


@every_graph
@every_size
@one_or_three
@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
def test_scores_are_the_same_on_several_threads(alone_and_shared, kind, size, replicas, scorer):
    given, edges = scoring(scorer, kind, size, replicas)
    alone_and_shared("score", given, edges)
    alone_and_shared("score_backward", numbers(edges.num_edges, seed=9), given, edges)


@every_graph
@every_size
def test_attention_is_the_same_on_several_threads(alone_and_shared, kind, size):
    edges = graph(kind)
    scores, grad = numbers(edges.num_edges, seed=1), numbers(edges.num_edges, seed=2)
    logs = alone_and_shared("log_softmax", scores, edges.offsets)
    alone_and_shared("log_softmax_backward", grad, logs, edges.offsets)
    alone_and_shared("segment_sum", scores, edges.offsets)
    alone_and_shared("argmax", scores, edges.offsets)
    values, back, _, _ = message_parts(kind, size)
    alone_and_shared("weighted_sum", scores, values, edges)
    alone_and_shared("weighted_sum_backward", back, scores, values, edges)


def test_the_work_is_really_shared(monkeypatch):
    """By nodes with about as many edges, and by features in equal parts."""
    monkeypatch.setattr(cpu, "SMALLEST_SHARE", 1)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    edges = graph("dense")
    ranges = []
    cpu._by_nodes(edges.offsets, lambda first, stop: ranges.append((first, stop)))
    [(start, cut), (again, end)] = sorted(ranges)
    assert (start, cut, end) == (0, again, edges.num_nodes)
    assert 0.3 < int(edges.offsets[cut]) / edges.num_edges < 0.7
    assert cpu._num_parts(edges, torch.empty(1, 32)) == 2
    assert cpu._num_parts(edges, torch.empty(1, 33)) == 1
    assert cpu._num_parts(edges, torch.empty(1, 16)) == 1


def test_little_work_is_not_shared(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    ranges = []
    cpu._by_nodes(graph("dense").offsets, lambda *given: ranges.append(given))
    assert ranges == [(0, 11)]
    assert cpu._num_parts(graph("dense"), torch.empty(1, 32)) == 1


def test_what_goes_wrong_on_a_thread_is_told(monkeypatch):
    monkeypatch.setattr(cpu, "SMALLEST_SHARE", 1)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)

    def refuse(first, stop):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        cpu._by_nodes(graph("dense").offsets, refuse)


@every_reduce
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])
@pytest.mark.parametrize("kind", ["some", "reached", "no-edges"])
@one_or_three
def test_a_large_graph_goes_step_by_step_to_the_same(
    monkeypatch, reduce, recurrent, kind, replicas
):
    layout, together = course(kind, replicas), cell(33, replicas, recurrent=recurrent)
    read, grad = rows(layout, 33), rows(layout, 33, seed=21)
    for relus in product([False, True], repeat=3):
        form = Form(reduce, *relus)

        def there_and_back(training: bool, form: Form = form):
            found = KERNELS.unroll(read, layout, together, form, training=training)
            if not training:
                return found[:2], None
            back = KERNELS.unroll_backward(grad, grad, found, layout, together, form)
            back = back._replace(edge=back.edge.float())
            return (*found[:4], found.chosen if reduce == "max" else None), back

        for training in (True, False):
            expected = there_and_back(training)
            with monkeypatch.context() as patch:
                patch.setattr(cpu, "MOST_NODES_IN_ONE_CALL", 0)
                check_same(there_and_back(training), expected)


@every_reduce
@one_or_three
def test_a_large_graph_is_fed_the_same(monkeypatch, reduce, replicas):
    given = course("some", replicas), cell(33, replicas), Form(reduce, True, True, True)
    inputs = rows(given[0], 3)
    expected = KERNELS.roll(inputs, *given, feedback(33, replicas))
    monkeypatch.setattr(cpu, "MOST_NODES_IN_ONE_CALL", 0)
    check_same(KERNELS.roll(inputs, *given, feedback(33, replicas)), expected)
