"""What a group of trainings gives its networks to learn from."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec.batches import Steps
from neuralexec.models.infinity import MARGIN, read
from neuralexec.training.config import Config
from neuralexec.training.group import Group
from neuralexec.training.training import Training
from tests.training.tiny import RELATIVE, tiny, trained

LOSSES = "neuralexec.training.group.losses"


def group_of(*configs: Config) -> Group:
    return Group([Training(config) for config in configs], "cpu")


def taught(monkeypatch, *configs: Config) -> tuple[Group, Steps, dict]:
    """The steps of the first update, and with what their losses are asked for."""
    seen = []

    class Seen(Exception):
        pass

    def watching(said, steps, scope, **options):
        seen.append((steps, options))
        raise Seen

    monkeypatch.setattr(LOSSES, watching)
    group = group_of(*configs)
    with pytest.raises(Seen):
        group.run_epoch(lambda: None)
    [(steps, options)] = seen
    return group, steps, options


@pytest.mark.parametrize("spread", [0.0, 40.0])
def test_distances_that_count_relatively_are_taught_as_they_are_read(monkeypatch, spread):
    settings = {**RELATIVE, "settled_weight": 1.0, "infinity_spread": spread}
    group, steps, options = taught(monkeypatch, tiny(**settings), tiny(seed=1, **settings))
    [batch] = group.train
    first = batch.start.signals["distance"]
    states = torch.stack([read(row, first, batch.edges).values for row in batch.states["distance"]])
    for rows, nodes, expected in zip(
        steps.course.split(steps.inputs["distance"]),
        steps.course.split(steps.nodes),
        states,
        strict=False,
    ):
        assert torch.equal(rows, expected[nodes])
    largest = batch.states["distance"][-1][batch.states["distance"][-1] < first].max()
    assert steps.inputs["distance"].max() <= largest + MARGIN
    unread = steps.inputs["distance"] == steps.targets["distance"]
    assert torch.equal(
        options["settled"], unread & (steps.inputs["reachable"] == steps.targets["reachable"])
    )


def test_otherwise_infinity_is_taught_as_it_is(monkeypatch):
    group, steps, options = taught(monkeypatch, tiny())
    first = group.train[0].start.signals["distance"][steps.nodes]
    at_first = steps.course.split(steps.inputs["distance"])[0]
    assert torch.equal(at_first, first[: len(at_first)])
    assert options["settled"] is None


def test_weights_of_losses_are_those_of_each(monkeypatch):
    configs = [
        tiny(penalty_weight=0.2, number_weight=3.0, settled_weight=0.0),
        tiny(penalty_weight=0.5, number_weight=7.0, settled_weight=4.0, written_only=True),
    ]
    _, _, options = taught(monkeypatch, *configs)
    weights = options["weights"]
    assert_close(weights.penalty, torch.tensor([0.2, 0.5]))
    assert_close(weights.number, torch.tensor([3.0, 7.0]))
    assert_close(weights.settled, torch.tensor([0.0, 4.0]))
    assert options["settled"] is not None
    assert options["written_only"]


def test_pointers_may_be_taught_wherever_they_are_defined(monkeypatch):
    _, _, options = taught(monkeypatch, tiny(tasks=("prim",), written_only=False))
    assert not options["written_only"]


def test_an_offset_teaches_nothing_new_where_distances_count_relatively(monkeypatch):
    monkeypatch.setattr("neuralexec.training.adam.EPSILON", 1e-3)
    _, plain = trained(tiny(**RELATIVE, max_epochs=1))
    _, moved = trained(tiny(**RELATIVE, max_epochs=1, offset=6.0, offset_share=1.0))
    assert moved[0]["losses"] == pytest.approx(plain[0]["losses"], rel=1e-3)
    absolute, shifted = (
        trained(tiny(max_epochs=1, offset=offset, offset_share=1.0))[1] for offset in (0.0, 6.0)
    )
    assert shifted[0]["losses"]["distance"] > 2 * absolute[0]["losses"]["distance"]
