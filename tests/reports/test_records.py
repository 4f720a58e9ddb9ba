"""What curves and explanations may not be."""

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.records import Curve, Explanation


def explanation_of(**changes):
    settings = {
        "title": "",
        "family": "tree",
        "num_nodes": 3,
        "source": 0,
        "senders": (0, 1),
        "receivers": (1, 2),
        "node": 2,
        "path": ((2, 1, True), (1, 0, True)),
    }
    return Explanation(**{**settings, **changes})


def test_a_curve_has_a_spread_at_every_step():
    with pytest.raises(InputError, match="'mean' has 2 steps and 'std' 1"):
        Curve("", "", "", 20, (1.0, 2.0), (1.0,), 3)
    with pytest.raises(InputError, match="no steps"):
        Curve("", "", "", 20, (), (), 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"senders": (0,)}, "1 'senders' and 2 'receivers'"),
        ({"senders": (0, 3)}, "node 3 is not one of 3"),
        ({"receivers": (-1, 0)}, "node -1 is not one of 3"),
        ({"source": 7}, "node 7 is not one of 3"),
        ({"node": 8}, "node 8 is not one of 3"),
        ({"path": ((2, 5, True),)}, "node 5 is not one of 3"),
        ({"path": ((6, 2, True),)}, "node 6 is not one of 3"),
    ],
)
def test_an_explanation_is_of_nodes_that_exist(change, message):
    explanation_of()
    with pytest.raises(InputError, match=message):
        explanation_of(**change)
