"""Explanations as data: which are correct, how they are walked back, what a file gives back."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from neuralexec import InputError
from neuralexec.evaluation.explanations import (
    FORMAT,
    Explanation,
    Explanations,
    GraphExplanations,
    load_explanations,
    save_explanations,
)


def node(number: int, step: int, right: tuple[int, ...], *, says: int) -> Explanation:
    """Of five nodes, all joined; the explanation names the sender `says`."""
    weights = tuple(0.9 if sender == says else 0.1 for sender in range(5))
    return Explanation(number, step, (0, 1, 2, 3, 4), weights, right)


def diamond(*, of_3: int = 2, of_4: int = 3, family: str | None = None) -> GraphExplanations:
    """From 0 to 1 and 2, from either to 3, and on to 4."""
    return GraphExplanations(
        family,
        5,
        (
            node(1, 1, (0,), says=0),
            node(2, 1, (0,), says=0),
            node(3, 2, (1, 2), says=of_3),
            node(4, 3, (3,), says=of_4),
        ),
    )


def of(*graphs: GraphExplanations) -> Explanations:
    return Explanations("some", "bfs", "reachable", True, 0.5, 30, 0.25, "1a2b", graphs)


def walked(graph: GraphExplanations, start: int, *, strict: bool = False) -> list[int]:
    return [one.node for one in graph.path(start, strict=strict)]


def test_the_first_of_the_largest_weights_explains():
    one = Explanation(3, 1, (0, 2, 3, 7), (0.25, 0.5, 0.125, 0.5), (0,))
    assert one.sender == 2
    assert replace(one, weights=(0.0, 0.0, 0.0, 0.5)).sender == 7


@pytest.mark.parametrize(
    ("says", "correct", "strictly"), [(1, True, True), (2, True, False), (3, False, False)]
)
def test_any_right_sender_is_correct_and_the_first_strictly(says, correct, strictly):
    one = node(3, 2, (1, 2), says=says)
    assert (one.correct, one.strictly_correct) == (correct, strictly)


def test_a_path_follows_the_senders_that_explain():
    assert walked(diamond(), 4) == [4, 3, 2]
    assert walked(diamond(of_3=1), 4) == [4, 3, 1]
    assert walked(diamond(), 1) == [1]


def test_a_strict_path_follows_the_first_right_senders():
    assert walked(diamond(), 4, strict=True) == [4, 3, 1]


def test_after_an_error_the_path_goes_on_from_the_first_right_sender():
    wrong = diamond(of_3=3)
    assert walked(wrong, 4) == [4, 3, 1]
    assert walked(diamond(of_4=2), 4) == [4, 3, 2]


def test_one_error_on_the_path_is_a_fault():
    wrong = diamond(of_3=3)
    assert [wrong.is_faultless(one) for one in (1, 2, 3, 4)] == [True, True, False, False]
    last = diamond(of_4=1)
    assert [last.is_faultless(one) for one in (1, 2, 3, 4)] == [True, True, True, False]


def test_a_strict_path_is_without_fault_where_all_are_strictly_correct():
    assert [diamond().is_faultless(one, strict=True) for one in (1, 2, 3, 4)] == [
        True,
        True,
        False,
        False,
    ]
    assert diamond(of_3=1).is_faultless(4, strict=True)


def test_shares_are_of_all_nodes_of_all_graphs():
    small = GraphExplanations(None, 2, (node(1, 1, (0,), says=0),))
    several = of(diamond(), diamond(of_3=4), small)
    assert several.num_explained == 9
    assert several.correct_predecessors == 8 / 9
    assert several.strictly_correct_predecessors == 7 / 9
    assert several.faultless_paths == 7 / 9
    assert several.strictly_faultless_paths == 5 / 9


def test_strict_shares_differ_where_there_is_a_choice():
    assert of(diamond(of_3=1)).strictly_correct_predecessors == 1
    assert of(diamond(of_3=1)).strictly_faultless_paths == 1
    assert of(diamond(of_3=2)).strictly_correct_predecessors == 3 / 4
    assert of(diamond(of_3=2)).strictly_faultless_paths == 2 / 4
    assert of(diamond(of_3=2)).faultless_paths == 1


def test_of_nothing_there_are_no_shares():
    nothing = of(GraphExplanations(None, 1, ()))
    assert nothing.num_explained == 0
    assert nothing.correct_predecessors is None
    assert nothing.faultless_paths is None
    assert nothing.converged is None


def test_the_share_that_has_converged():
    graph = diamond()
    some = replace(graph, nodes=(replace(graph.nodes[0], converged=False), *graph.nodes[1:]))
    assert of(some).converged == 3 / 4


def test_families_apart():
    several = of(diamond(family="tree"), diamond(of_3=3), diamond(of_4=1, family="grid"))
    apart = several.by_family()
    assert [*apart] == ["tree", "grid"]
    assert apart["tree"] == replace(several, graphs=several.graphs[:1])
    assert apart["grid"].correct_predecessors == 3 / 4


def test_what_has_no_path_is_said():
    with pytest.raises(InputError, match="node 0 has no explanation: it is a source"):
        diamond().path(0)
    with pytest.raises(InputError, match="nodes 0 to 4"):
        of(diamond()).path(0, 7)
    for graph in (1, -1):
        with pytest.raises(InputError, match=f"graph {graph} is out of range: there are 1"):
            of(diamond()).path(graph, 1)
    assert of(diamond(), diamond(of_3=1)).path(1, 3) == diamond(of_3=1).path(3)
    assert of(diamond()).path(0, 4, strict=True) == diamond().path(4, strict=True)


@pytest.mark.parametrize("name", ["some.json", "some.json.gz"])
def test_a_file_gives_back_what_was_saved(tmp_path, name):
    several = of(diamond(family="tree"), diamond(of_3=3), GraphExplanations(None, 1, ()))
    save_explanations(several, tmp_path / name)
    assert load_explanations(tmp_path / name) == several
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert ((tmp_path / name).read_bytes()[:2] == b"\x1f\x8b") == name.endswith("gz")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b'{"format": 1}',
        b"\xff",
        json.dumps({**of(diamond()).to_json(), "more": 1}).encode(),
        json.dumps({**of().to_json(), "graphs": [{"nodes": [{}]}]}).encode(),
    ],
)
@pytest.mark.parametrize("name", ["bad.json", "bad.json.gz"])
def test_what_is_no_file_of_explanations_says_so(tmp_path, content, name):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.json.*no explanations can be read"):
        load_explanations(tmp_path / name)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: no explanations can be read"):
        load_explanations(tmp_path / "none.json")


def test_a_file_of_another_format(tmp_path):
    path = tmp_path / "new.json"
    path.write_text(json.dumps({**of(diamond()).to_json(), "format": FORMAT + 1}))
    with pytest.raises(InputError, match=rf"new.json: explanations of format {FORMAT + 1}"):
        load_explanations(path)


def test_reading_needs_no_torch():
    code = "import sys, neuralexec.evaluation.explanations; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
