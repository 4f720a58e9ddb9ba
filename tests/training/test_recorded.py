"""What can be recorded; the recording itself needs a GPU."""

import pytest

from neuralexec.training.group import Group
from neuralexec.training.recorded import can_be_recorded
from neuralexec.training.training import Training
from tests.training.tiny import RELATIVE, tiny


def as_on_a_gpu(*changes) -> Group:
    """But for its arrays, which are looked at only."""
    group = Group([Training(tiny(**own)) for own in changes], "cpu")
    group.device = "cuda"
    return group


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        (RELATIVE, True),
        ({"tasks": ("prim",)}, True),
        ({"tasks": ("prim",), "own_outputs": 0.5}, True),
        ({"own_outputs": 0.5}, True),
        ({"own_outputs": 0.5, "own_outputs_ramp": 2}, False),
        ({"fresh_graphs": True}, False),
        ({"processor": "gat"}, False),
        ({"processor": "lstm"}, False),
    ],
    ids=str,
)
def test_an_update_can_be_recorded_if_no_array_depends_on_what_is_drawn(changes, expected):
    assert can_be_recorded(as_on_a_gpu(changes)) == expected


def test_nothing_is_recorded_without_a_gpu():
    assert not can_be_recorded(Group([Training(tiny())], "cpu"))


def test_graphs_that_are_too_large_are_not_recorded(monkeypatch):
    group = as_on_a_gpu({})
    monkeypatch.setattr("neuralexec.training.recorded.MOST_NODES", 8)
    assert can_be_recorded(group)
    monkeypatch.setattr("neuralexec.training.recorded.MOST_NODES", 7)
    assert not can_be_recorded(group)
