"""Many steps of a message-passing network as one operation, and on the network's own outputs."""

from itertools import product

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels import Cell, Form, unrolled, using
from tests.models.kernels.cases import cell, course, feedback, graph, numbers, rows
from tests.models.kernels.implementations import (
    REFERENCE,
    check_same,
    compare,
    every_other,
    every_reduce,
    every_size,
    everywhere,
    on,
    one_or_three,
)

recurrent_or_not = pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])
every_course = pytest.mark.parametrize("kind", ["some", "tied", "no-edges"])
RELUS = list(product([False, True], repeat=3))
every_relus = pytest.mark.parametrize("relus", RELUS, ids=str)


# ---- the obvious way: one replica, one step and one node after the other, through autograd


def one_step(
    read: Tensor, before: Tensor | None, edges: Edges, first: int, own: Cell, form: Form
) -> tuple[Tensor, Tensor]:
    """The encoded and latent nodes of a replica whose nodes begin at `first`."""
    encoded = read
    if own.memory is not None and before is not None:
        encoded = encoded + before @ own.memory.T
    encoded = encoded.relu() if form.encoder_relu else encoded
    latent = []
    for i in range(len(read)):
        into = []
        for e in range(*edges.offsets[first + i : first + i + 2].tolist()):
            message = own.receiver @ encoded[i] + own.receiver_bias
            message = message + own.sender @ encoded[int(edges.senders[e]) - first]
            message = message + own.edge * edges.weights[e]
            into.append(message.relu() if form.message_relu else message)
        received = torch.zeros_like(read[i])
        if into and form.reduce == "max":
            received = torch.stack(into).max(0).values
        elif into:
            received = sum(into) / (len(into) if form.reduce == "mean" else 1)
        new = own.own @ encoded[i] + own.received @ received + own.bias
        latent.append(new.relu() if form.update_relu else new)
    return encoded, torch.stack(latent)


def of_replica(together: Cell, replica: int) -> Cell:
    return Cell(*(None if part is None else part[replica] for part in together))


def slowly(read: Tensor, layout: Course, together: Cell, form: Form) -> tuple[Tensor, Tensor]:
    encodings, latents = [], []
    for replica, share in enumerate(read.chunk(layout.replicas)):
        own, latent, start = of_replica(together, replica), None, 0
        for edges in layout.moments:
            size = edges.num_nodes // layout.replicas
            before = None if latent is None else latent[:size]
            here = share[start : start + size]
            encoded, latent = one_step(here, before, edges, replica * size, own, form)
            encodings.append(encoded)
            latents.append(latent)
            start += size
    return torch.cat(encodings), torch.cat(latents)


def with_gradients(run, read, together) -> list[Tensor]:
    """What comes out, and the gradients of all that goes in."""
    read = read.clone().requires_grad_()
    parts = [None if part is None else part.clone().requires_grad_() for part in together]
    encoded, latent = run(read, Cell(*parts))
    weights = [on(str(read.device), numbers(*latent.shape, seed=seed)) for seed in (50, 51)]
    (encoded * weights[0].to(latent.dtype) + latent * weights[1].to(latent.dtype)).sum().backward()
    leaves = [read, *(part for part in parts if part is not None)]
    return [encoded.detach(), latent.detach(), *(leaf.grad for leaf in leaves)]


@everywhere
@every_reduce
@every_relus
@recurrent_or_not
@one_or_three
def test_many_steps_are_as_one_by_one_through_autograd(
    kernels, device, reduce, relus, recurrent, replicas
):
    layout = course("some", replicas, torch.float64)
    together = cell(3, replicas, torch.float64, recurrent=recurrent)
    read, form = rows(layout, 3, torch.float64), Form(reduce, *relus)
    expected = with_gradients(
        lambda *given: slowly(given[0], layout, given[1], form), read, together
    )
    there = on(device, layout)
    with using(kernels):
        found = with_gradients(
            lambda *given: unrolled(given[0], there, given[1], form), *on(device, (read, together))
        )
    check_same(found, expected)


@everywhere
@every_reduce
def test_a_node_that_hears_nothing_learns_without_messages(kernels, device, reduce):
    layout, form = course("no-edges", 1, torch.float64), Form(reduce, True, True, True)
    read, together = rows(layout, 3, torch.float64), cell(3, 1, torch.float64)
    expected = with_gradients(
        lambda *given: slowly(given[0], layout, given[1], form), read, together
    )
    there = on(device, layout)
    with using(kernels):
        found = with_gradients(
            lambda *given: unrolled(given[0], there, given[1], form), *on(device, (read, together))
        )
    check_same(found[:3], expected[:3])
    assert found[-2].count_nonzero() == 0  # what is received


@everywhere
@every_reduce
@recurrent_or_not
@pytest.mark.parametrize("asked", [0, 1], ids=["encoded", "latent"])
def test_one_of_both_can_be_learned_from_alone(kernels, device, reduce, recurrent, asked):
    """What is not used has no gradient, and none is made up."""
    layout, form = course("some", 1, torch.float64), Form(reduce, True, True, True)
    together = cell(3, 1, torch.float64, recurrent=recurrent)
    read, there = rows(layout, 3, torch.float64), on(device, layout)
    found, expected = (read.clone().to(where).requires_grad_() for where in (device, "cpu"))
    slowly(expected, layout, together, form)[asked].square().sum().backward()
    with using(kernels):
        unrolled(found, there, on(device, together), form)[asked].square().sum().backward()
    check_same(found.grad, expected.grad)


@everywhere
@every_reduce
@recurrent_or_not
@one_or_three
@pytest.mark.parametrize("kind", ["some", "reached"])
def test_without_gradients_the_same_comes_out(kernels, device, reduce, recurrent, replicas, kind):
    layout = on(device, course(kind, replicas))
    read = on(device, rows(layout, 5))
    together = on(device, cell(5, replicas, recurrent=recurrent))
    for relus in RELUS:
        form = Form(reduce, *relus)
        with using(kernels):
            kept = unrolled(read.requires_grad_(), layout, together, form)
            with torch.no_grad():
                found = unrolled(read, layout, together, form)
        for one, other in zip(found, kept, strict=True):
            assert not one.requires_grad
            assert other.requires_grad
            assert_close(one, other.detach())


@everywhere
@every_reduce
def test_what_is_given_is_left_as_it_is(kernels, device, reduce):
    layout, form = on(device, course("some")), Form(reduce, False, True, True)
    read, together = on(device, (rows(course("some"), 5), cell(5, recurrent=False)))
    before = read.clone(), *(part if part is None else part.clone() for part in together)
    found = kernels.unroll(read, layout, together, form, training=True)
    to_latent = torch.ones_like(read)
    kernels.unroll_backward(torch.ones_like(read), to_latent, found, layout, together, form)
    for one, other in zip((read, *together), before, strict=True):
        assert one is other or torch.equal(one, other)
    assert (to_latent == 1).all()


# ---- against the reference


@every_other
@every_reduce
@every_size
@every_course
@recurrent_or_not
@one_or_three
def test_many_steps_are_the_reference_s(kernels, device, reduce, size, kind, recurrent, replicas):
    """Of the largest to the last bit, there and back."""
    layout, together = course(kind, replicas), cell(size, replicas, recurrent=recurrent)
    read, exact = rows(layout, size), reduce == "max"
    grads = rows(layout, size, seed=21), rows(layout, size, seed=22)
    for relus in RELUS:
        form = Form(reduce, *relus)
        expected = REFERENCE.unroll(read, layout, together, form, training=True)
        found = kernels.unroll(*on(device, (read, layout, together)), form, training=True)
        for name in ("encoded", "latent", "received", "before"):
            check_same(getattr(found, name), getattr(expected, name), exact=exact)
        if reduce == "max":
            assert torch.equal(found.chosen.cpu(), expected.chosen)
        for to_encoded in (None, grads[0]):
            back = REFERENCE.unroll_backward(to_encoded, grads[1], expected, layout, together, form)
            given = *on(device, (to_encoded, grads[1])), found
            there = kernels.unroll_backward(*given, *on(device, (layout, together)), form)
            check_same(there[:-1], back[:-1], exact=exact)
            check_same(there.edge.float(), back.edge.float(), exact=exact)
            assert there.edge.dtype == torch.float64


@every_other
@every_reduce
@every_size
@recurrent_or_not
@one_or_three
def test_what_a_network_feeds_itself_is_the_reference_s(
    kernels, device, reduce, size, recurrent, replicas
):
    layout, together = course("some", replicas), cell(size, replicas, recurrent=recurrent)
    inputs, back = rows(layout, 3), feedback(size, replicas)
    for relus in RELUS:
        given = inputs, layout, together, Form(reduce, *relus), back
        compare(kernels, device, "roll", *given, exact=reduce == "max")


@everywhere
@every_reduce
@recurrent_or_not
@one_or_three
def test_a_network_is_fed_what_came_out_of_it(kernels, device, reduce, recurrent, replicas):
    layout = course("some", replicas, torch.float64)
    together = cell(5, replicas, torch.float64, recurrent=recurrent)
    inputs, back = rows(layout, 3, torch.float64), feedback(5, replicas, torch.float64)
    form = Form(reduce, True, False, True)
    expected = rolled_slowly(inputs, layout, together, form, back)
    found = kernels.roll(*on(device, (inputs, layout, together, form, back)))
    check_same(found, expected)
    assert set(found[:, 2].unique().tolist()) - set(inputs[:, 2].tolist()) == {0.0, 1.0}


def rolled_slowly(inputs, layout, together, form, back) -> Tensor:
    found = []
    for replica, share in enumerate(inputs.chunk(layout.replicas)):
        own, latent = of_replica(together, replica), None
        now = share[: layout.sizes[0] // layout.replicas]
        for step, edges in enumerate(layout.moments):
            size = edges.num_nodes // layout.replicas
            now = now[:size]
            found.append(now)
            if step + 1 == len(layout.moments):
                break
            read = now @ back.read[replica].T + back.read_bias[replica]
            before = None if latent is None else latent[:size]
            encoded, latent = one_step(read, before, edges, replica * size, own, form)
            out = encoded @ back.encoded[replica].T + latent @ back.latent[replica].T
            out = out + back.bias[replica]
            now = now.clone()
            now[:, 2], now[:, 0] = (out[:, 0] > 0).to(now.dtype), out[:, 1]
    return torch.cat(found)


@everywhere
def test_only_the_first_inputs_are_read(kernels, device):
    layout, together, back = course("some"), cell(5), feedback(5)
    inputs = rows(layout, 3)
    first = layout.sizes[0]
    changed = torch.cat((inputs[:first], 100 + inputs[first:]))
    found, again = (
        kernels.roll(*on(device, (given, layout, together, Form("max", *[True] * 3), back)))
        for given in (inputs, changed)
    )
    assert torch.equal(found, again)
    assert torch.equal(found[:first].cpu(), inputs[:first])


@everywhere
@every_reduce
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])
def test_one_step_is_a_course_too(kernels, device, reduce, recurrent):
    layout = on(device, Course((graph("some"),)))
    together, back = on(device, (cell(5, recurrent=recurrent), feedback(5)))
    inputs = on(device, rows(layout, 3))
    form = Form(reduce, True, True, True)
    assert torch.equal(kernels.roll(inputs, layout, together, form, back), inputs)
    read = on(device, rows(layout, 5))
    found = kernels.unroll(read, layout, together, form, training=True)
    assert torch.equal(found.encoded, read.relu())
    if recurrent:
        assert found.before.count_nonzero() == 0
