"""The infinity of training graphs: the paper's, or drawn around it."""

import pytest

from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import with_paper_infinity
from neuralexec.graphs.splits import checksum
from neuralexec.training.data import training_problems, validation_problems
from tests.training.tiny import tiny


def infinities(problems: tuple[Problem, ...]) -> list[float]:
    return [problem.infinity for problem in problems]


PAPER = infinities(with_paper_infinity(training_problems(tiny())))


@pytest.mark.parametrize(
    ("changes", "times", "above"),
    [
        ({"infinity_spread": 3.0}, 1.0, 3.0),
        ({"infinity_low": 0.5}, 0.5, 0.0),
        ({"infinity_low": 0.5, "infinity_spread": 3.0}, 0.5, 3.0),
    ],
    ids=str,
)
def test_infinity_is_drawn_between_its_bounds(changes, times, above):
    found = infinities(training_problems(tiny(**changes)))
    assert len(set(found)) == len(found) > 20
    for infinity, longest_plus_1 in zip(found, PAPER, strict=True):
        assert times * longest_plus_1 <= infinity <= longest_plus_1 + above
    drawn = [infinity / before for infinity, before in zip(found, PAPER, strict=True)]
    assert (min(drawn) < 1, max(drawn) > 1) == (times < 1, above > 0)
    assert infinities(training_problems(tiny(**changes))) == found
    assert infinities(training_problems(tiny(**changes, seed=1))) != found


def test_fresh_graphs_have_fresh_infinities():
    config = tiny(infinity_low=0.5, fresh_graphs=True)
    assert infinities(training_problems(config, 1)) != infinities(training_problems(config, 2))


def test_nothing_but_infinity_changes():
    config = tiny()
    plain, drawn = training_problems(config), training_problems(config.but(infinity_low=0.5))
    assert [one.source for one in plain] == [one.source for one in drawn]
    assert [one.graph.num_nodes for one in plain] == [one.graph.num_nodes for one in drawn]


def test_validation_keeps_the_paper_s():
    changed = tiny(infinity_low=0.5, infinity_spread=2.0)
    assert checksum(validation_problems(changed)) == checksum(validation_problems(tiny()))
