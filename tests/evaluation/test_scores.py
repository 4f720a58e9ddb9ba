"""Scores as data: how they are averaged, and what a file of them gives back."""

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import InputError
from neuralexec.evaluation.scores import (
    FORMAT,
    PROTOCOLS,
    TERMINATION,
    GraphScore,
    Scores,
    load_scores,
    save_scores,
)


def graph(*bits: float | None, family: str | None = None, **others) -> GraphScore:
    """A graph whose bits score so at each step."""
    score = GraphScore(
        family=family,
        num_nodes=20,
        true_steps=len(bits),
        steps_taken=len(bits),
        stopped_itself=True,
        per_step={"bits": bits, TERMINATION: (1.0,) * len(bits)},
        last={"bits": bits[-1]},
    )
    return replace(score, **others)


def of(*graphs: GraphScore, errors: tuple[str, ...] = ()) -> Scores:
    return Scores("some", "bfs", "true-length", 20, "1a2b", errors, graphs)


def mean_bits(scores: Scores) -> float | None:
    return scores.mean_step("bits")


def both(scores: Scores) -> tuple[float, float]:
    return scores.exact, scores.exact_throughout


# ---- means


def test_the_mean_is_over_the_steps_of_each_graph_then_over_graphs():
    scores = of(graph(1.0, 0.0), graph(1.0, 1.0, 1.0, 1.0))
    assert scores.mean_step("bits") == 3 / 4  # not 5 / 6, over all steps
    assert scores.last_step("bits") == 1 / 2
    assert scores.metrics == ("bits", TERMINATION)


def test_where_nothing_was_to_be_said_nothing_counts():
    scores = of(graph(None, 0.5, 0.25, None), graph(None, None), graph(1.0))
    assert [one.mean("bits") for one in scores.graphs] == [0.375, None, 1]
    assert scores.mean_step("bits") == 0.6875
    assert scores.last_step("bits") == 1
    assert of(graph(None)).mean_step("bits") is None
    assert of(graph(None)).last_step("bits") is None
    assert of(graph(1.0)).last_step(TERMINATION) is None


def test_many_small_parts_add_up_exactly():
    assert of(graph(*[0.1] * 10)).mean_step("bits") == 0.1


@pytest.mark.parametrize("wild", [math.inf, math.nan])
def test_an_error_without_bound_is_not_averaged_away(wild):
    scores = of(graph(1.0), graph(0.5, wild), errors=("bits",))
    assert scores.mean_step("bits") == pytest.approx(wild, nan_ok=True)
    assert scores.last_step("bits") == pytest.approx(wild, nan_ok=True)


def test_a_curve_is_over_the_graphs_that_still_run():
    scores = of(graph(1.0, 0.5), graph(0.0, None, 0.25, 0.75), graph(0.5, None, None))
    assert scores.curve("bits") == [0.5, 0.5, 0.25, 0.75]
    assert of(graph(1.0, None), graph(0.0, None)).curve("bits") == [0.5, None]


# ---- shares of graphs


def test_shares_of_graphs():
    right, corrected = graph(1.0, 1.0), graph(0.5, 1.0)
    spoilt, silent = graph(1.0, 0.5), graph(None, None)
    assert both(of(right)) == both(of(silent)) == (1, 1)
    assert both(of(corrected)) == (1, 0)
    assert both(of(spoilt)) == (0, 0)
    assert both(of(right, corrected, spoilt, silent)) == (3 / 4, 1 / 2)


def test_almost_right_is_not_right():
    almost = 1 - 2**-53
    assert both(of(graph(almost))) == (0, 0)


def test_neither_numbers_nor_termination_make_it_inexact():
    late = graph(1.0, per_step={"bits": (1.0,), "far": (7.0,), TERMINATION: (0.0,)})
    assert both(of(late, errors=("far",))) == (1, 1)
    assert both(of(replace(late, last={"bits": 1.0, "far": 7.0}), errors=("far",))) == (1, 1)
    assert both(of(late)) == (1, 0)


def test_where_there_are_only_numbers_they_decide():
    right, corrected, spoilt = graph(0.0, 0.0), graph(0.5, 0.0), graph(0.0, 0.5)
    assert both(of(right, errors=("bits",))) == (1, 1)
    assert both(of(corrected, errors=("bits",))) == (1, 0)
    assert both(of(spoilt, errors=("bits",))) == (0, 0)


@pytest.mark.parametrize(
    ("taken", "itself", "exactly"),
    [(3, True, True), (3, False, False), (2, True, False), (4, True, False)],
)
def test_it_stops_exactly_if_it_says_so_at_the_true_step(taken, itself, exactly):
    one = graph(1.0, true_steps=3, steps_taken=taken, stopped_itself=itself)
    right = graph(1.0)
    assert one.stopped_exactly == exactly
    assert of(one, right, right).stopped_exactly == (1 if exactly else 2 / 3)


# ---- parts


def test_each_family_apart():
    trees = [graph(1.0, family="tree"), graph(0.0, family="tree")]
    ladder, other = graph(0.25, family="ladder"), graph(0.5)
    scores = of(trees[0], ladder, other, trees[1])
    assert scores.by_family() == {"tree": of(*trees), "ladder": of(ladder)}
    assert [*scores.by_family()] == ["tree", "ladder"]
    assert scores.of_family("tree") == of(*trees)
    assert scores.of_family(None) == scores


# ---- intervals


shares = st.lists(st.integers(0, 8).map(lambda eighths: eighths / 8), min_size=1, max_size=8)


@given(shares)
@settings(deadline=None, max_examples=40)
def test_an_interval_contains_the_mean(values):
    scores = of(*map(graph, values))
    low, high = scores.interval(mean_bits, resamples=200)
    assert min(values) <= low <= scores.mean_step("bits") <= high <= max(values)


@given(st.floats(0, 1), st.integers(1, 9))
@settings(deadline=None, max_examples=40)
def test_the_interval_of_a_constant_is_a_point(value, count):
    scores = of(*[graph(value)] * count)
    mean = scores.mean_step("bits")
    assert scores.interval(mean_bits, resamples=50) == (mean, mean)


def test_an_interval_is_the_same_every_time():
    scores = of(*(graph(place / 7) for place in range(8)))
    assert scores.interval(mean_bits) == scores.interval(mean_bits)


def test_a_surer_interval_is_wider_and_more_graphs_make_it_narrower():
    few = of(*(graph(place / 7) for place in range(8)))
    (low, high), (lower, higher) = few.interval(mean_bits, level=0.5), few.interval(mean_bits)
    assert lower < low < high < higher
    low, high = of(*few.graphs * 9).interval(mean_bits)
    assert lower < low < high < higher


def test_an_interval_is_that_of_resampled_graphs():
    """Of two graphs, one right: a resample has both right, one, or none at 1/4, 1/2, 1/4."""
    scores = of(graph(1.0), graph(0.0))
    assert scores.interval(mean_bits) == (0, 1)
    assert scores.interval(mean_bits, level=0.4) == (0.5, 0.5)
    assert scores.interval(lambda one: one.exact) == (0, 1)


@pytest.mark.parametrize("count", [1, 3])
def test_an_interval_can_reach_to_infinity(count):
    scores = of(*[graph(math.inf)] * count, graph(1.0), graph(1.0), errors=("bits",))
    with np.errstate(invalid="ignore"):
        assert scores.interval(mean_bits)[1] == math.inf


# ---- files


names = st.sampled_from(["inf", "-inf", "nan"]) | st.text(
    st.characters(exclude_categories=("Cs",)), max_size=8
)
numbers = st.none() | st.floats() | st.sampled_from([math.inf, -math.inf, math.nan])
columns = st.dictionaries(names, st.lists(numbers, max_size=4).map(tuple), max_size=3)
graph_scores = st.builds(
    GraphScore,
    family=st.none() | names,
    num_nodes=st.integers(1),
    true_steps=st.integers(1),
    steps_taken=st.integers(1),
    stopped_itself=st.booleans(),
    per_step=columns,
    last=st.dictionaries(names, numbers, max_size=3),
)
any_scores = st.builds(
    Scores,
    model=names,
    task=names,
    protocol=st.sampled_from(PROTOCOLS),
    num_nodes=st.integers(1),
    data=names,
    errors=st.lists(names, max_size=2).map(tuple),
    graphs=st.lists(graph_scores, max_size=3).map(tuple),
)


@given(st.lists(any_scores, max_size=3))
@settings(deadline=None, max_examples=60)
def test_scores_are_json(several):
    written = json.dumps([scores.to_json() for scores in several], allow_nan=False)
    again = [Scores.from_json(saved) for saved in json.loads(written)]
    assert repr(again) == repr(several)  # NaN equals nothing, but is spelt alike


def test_a_name_is_not_a_number():
    scores = replace(of(graph(1.0, family="inf")), model="nan")
    again = Scores.from_json(scores.to_json())
    assert (again.model, again.graphs[0].family) == ("nan", "inf")


def saved_scores() -> list[Scores]:
    first = of(graph(1.0, None, 0.1 + 0.2, family="tree"), graph(math.inf), errors=("bits",))
    return [first, replace(first, model="Köln → Bonn", protocol="own-termination")]


def test_a_file_gives_the_scores_back(tmp_path):
    path = tmp_path / "scores.json"
    save_scores(iter(saved_scores()), path)
    assert load_scores(path) == saved_scores()
    assert isinstance(load_scores(path)[0].graphs[0].per_step["bits"], tuple)
    [nan] = [of(graph(math.nan, -math.inf))]
    save_scores([nan], path)
    [again] = load_scores(path)
    assert math.isnan(again.graphs[0].per_step["bits"][0])
    assert again.graphs[0].last == {"bits": -math.inf}


def test_a_file_is_plain_json(tmp_path):
    path = tmp_path / "scores.json"
    save_scores(saved_scores(), path)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    first, _ = json.loads(path.read_text(encoding="ascii"), parse_constant=refuse)
    assert first["format"] == FORMAT
    assert first["graphs"][1]["last"] == {"bits": "inf"}


def test_a_file_may_be_compressed(tmp_path):
    path = tmp_path / "scores.json.gz"
    save_scores(saved_scores(), path)
    assert load_scores(path) == saved_scores()


def test_an_unknown_format_is_refused(tmp_path):
    path = tmp_path / "scores.json"
    for saved in ({**of(graph(1.0)).to_json(), "format": 2}, {"model": "some"}):
        with pytest.raises(InputError, match=r"format (2|None); this version reads format 1"):
            Scores.from_json(saved)
        path.write_text(json.dumps([saved]))
        with pytest.raises(InputError, match="this version reads format 1"):
            load_scores(path)


def damaged(change) -> str:
    saved = of(graph(1.0)).to_json()
    change(saved)
    return json.dumps([saved])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "no JSON",
        "null",
        "7",
        "[7]",
        "[[]]",
        '"text"',
        '{"format": 1}',
        '[{"format": 1}]',
        json.dumps([of(graph(1.0)).to_json()])[:-30],
        damaged(lambda saved: saved.pop("graphs")),
        damaged(lambda saved: saved.pop("model")),
        damaged(lambda saved: saved.update(colour="red")),
        damaged(lambda saved: saved.update(errors=None)),
        damaged(lambda saved: saved.update(graphs=7)),
        damaged(lambda saved: saved["graphs"][0].pop("last")),
        damaged(lambda saved: saved["graphs"][0].pop("per_step")),
        damaged(lambda saved: saved["graphs"][0].update(per_step=[1])),
        damaged(lambda saved: saved["graphs"][0].update(colour="red")),
        damaged(lambda saved: saved["graphs"][0].update(last={"bits": "much"})),
        damaged(lambda saved: saved["graphs"][0].update(per_step={"bits": [[]]})),
        ("{}"),
        ('""'),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, text):
    path = tmp_path / "scores.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"scores\.json: no scores can be read"):
        load_scores(path)


def test_what_is_no_text_or_not_there_is_refused(tmp_path):
    binary = tmp_path / "scores.json"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (binary, tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(InputError, match="no scores can be read"):
            load_scores(path)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: b"[]"])
def test_a_damaged_compressed_file_is_refused(tmp_path, damage):
    path = tmp_path / "scores.json.gz"
    save_scores(saved_scores(), path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=r"scores\.json\.gz: no scores can be read"):
        load_scores(path)


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "scores.json"
    save_scores(saved_scores(), path)

    def interrupted():
        yield of(graph(0.0))
        assert load_scores(path) == saved_scores(), "the old file stays until the new one is whole"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_scores(interrupted(), path)
    assert load_scores(path) == saved_scores()
    assert [*tmp_path.iterdir()] == [path]
    with pytest.raises(TypeError):  # what JSON cannot hold
        save_scores([replace(of(graph(0.0)), model=object())], path)
    assert load_scores(path) == saved_scores()
    save_scores([of(graph(0.0))], path)
    assert load_scores(path) == [of(graph(0.0))]
    assert [*tmp_path.iterdir()] == [path]


def test_scores_that_cannot_be_saved_leave_nothing_behind(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        save_scores(saved_scores(), tmp_path / "nowhere" / "scores.json")
    with pytest.raises(KeyError):
        save_scores(({}[0] for _ in range(1)), tmp_path / "scores.json")
    assert [*tmp_path.iterdir()] == []


def test_loading_needs_no_torch(tmp_path):
    path = tmp_path / "scores.json"
    save_scores(saved_scores(), path)
    code = f"""
import sys
sys.modules["torch"] = None  # importing it now fails
from pathlib import Path
from neuralexec.evaluation.scores import load_scores
from neuralexec.reports.rows import rows_of
scores = load_scores(Path({str(path)!r}))[0]
print(len(rows_of(scores)), scores.mean_step("bits"), scores.interval(lambda one: one.exact))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["5", "inf", "(0.0,", "0.0)"], done.stderr
