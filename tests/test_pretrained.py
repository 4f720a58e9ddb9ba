"""The weights that ship: present, described, and as good as their cards say."""

import pytest

from neuralexec import pretrained
from neuralexec.errors import InputError
from neuralexec.evaluation.evaluate import evaluate
from neuralexec.execution import load
from neuralexec.graphs.splits import checksum, paper_splits
from neuralexec.models.device import one_thread
from neuralexec.models.executor import NeuralExecutor
from neuralexec.reports.rows import rows_of
from neuralexec.training.presets import preset

NAMES = ("best-bfs-bellman-ford", "best-prim", "paper-bfs-bellman-ford", "paper-prim")


def test_what_ships():
    assert tuple(pretrained.names()) == NAMES
    total = sum(pretrained.path_of(name).stat().st_size for name in NAMES)
    assert total < 500_000


@pytest.mark.parametrize("name", NAMES)
def test_a_card_describes_its_weights(name):
    card, model = pretrained.card_of(name), load(name)
    config = model.checkpoint.config
    assert config == preset(name.split("-")[0], tuple(card["tasks"]))
    assert card["seed"] == config.seed == 0
    assert card["parameters"] == model.executor.num_parameters
    assert card["data"] == model.checkpoint.card["data"]
    assert model.checkpoint.card["finished"]
    assert isinstance(model.executor, NeuralExecutor)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [20, 50])
def test_scores_are_what_the_card_says(name, size):
    card, model = pretrained.card_of(name), load(name)
    problems = paper_splits()[f"test-{size}"].draw()
    assert card["test_data"][f"{size} nodes"] == checksum(problems)
    with one_thread():
        [found] = evaluate(model.executor, problems, model.tasks[0])
    for row in rows_of(found):
        # Rounding differs a little from machine to machine.
        assert row.value(found) == pytest.approx(
            card["scores"][f"{size} nodes"][row.label], abs=0.02, rel=0.02
        ), row.label


def test_an_unknown_card_lists_the_choices():
    with pytest.raises(InputError, match="choose one of best-bfs-bellman-ford"):
        pretrained.card_of("worst")
