import numpy as np
import pytest

from neuralexec import InputError, Split, checksum, families, paper_splits, with_paper_infinity
from neuralexec.graphs.splits import draw_problem

PAPER_CHECKSUM = "0819bea361743289a06da8c325d1f5fe37387d89f706d1b01bf6517a00b6cbb6"


def test_the_papers_data():
    splits = paper_splits()
    assert list(splits) == ["train", "validation", "test-20", "test-50", "test-100"]
    problems = {name: split.draw() for name, split in splits.items()}
    assert {name: len(drawn) for name, drawn in problems.items()} == {
        "train": 700,
        "validation": 35,
        "test-20": 35,
        "test-50": 35,
        "test-100": 35,
    }
    assert {p.graph.num_nodes for p in problems["test-100"]} == {100}
    assert {p.family for p in problems["validation"]} == set(families())


def test_the_papers_data_is_the_same_on_every_machine():
    problems = [problem for split in paper_splits().values() for problem in split.draw()]
    assert checksum(problems) == PAPER_CHECKSUM


def test_other_counts_sizes_and_single_families():
    splits = paper_splits(
        train_nodes=100, test_sizes=[1000], num_train=3, num_test=2, families=["tree"]
    )
    assert list(splits) == ["train", "validation", "test-1000"]
    assert [p.graph.num_nodes for p in splits["train"].draw()] == [100] * 3
    assert [p.family for p in splits["test-1000"].draw()] == ["tree"] * 2


def test_a_larger_split_begins_with_the_smaller_one():
    few, more = (Split("train", 20, count, ("grid", "tree")).draw() for count in (2, 3))
    assert checksum(few) == checksum([more[0], more[1], more[3], more[4]])
    alone = Split("train", 20, 2, ("tree",)).draw()
    assert checksum(alone) == checksum(few[2:])


def test_splits_and_seeds_share_no_graph():
    drawn = [
        problem.graph.checksum()
        for name in ("train", "validation")
        for seed in (0, 1)
        for problem in Split(name, 20, 3, ("erdos-renyi", "tree")).draw(seed)
    ]
    assert len(set(drawn)) == len(drawn)


def test_every_node_can_be_a_source():
    sources = [draw_problem("tree", 6, (0, "train", index)).source for index in range(300)]
    share = np.bincount(sources, minlength=6) / 300
    assert share.min() > 0.08
    assert share.max() < 0.26


def test_the_checksum_sees_every_part_of_a_problem():
    problem = draw_problem("tree", 6, (0, "train", 0))
    others = [
        draw_problem("tree", 6, (0, "train", 1)),
        *with_paper_infinity([problem]),
        type(problem)(problem.graph, (problem.source + 1) % 6, priorities=problem.priorities),
        type(problem)(problem.graph, problem.source),
    ]
    assert len({checksum([p]) for p in [problem, *others]}) == 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Split("train", 20, 0).draw(), "at least one graph a family; got 0"),
        (lambda: Split("train", 0, 1).draw(), "at least one node"),
        (lambda: Split("train", 20, 1).draw(seed=-1), "seed must be 0 or more"),
        (lambda: paper_splits(families=["trees"]), "unknown family 'trees'"),
        (lambda: Split("train", 21, 1, ("ladder",)).draw(), "use 20 or 22"),
    ],
)
def test_impossible_splits_say_what_to_change(make, message):
    with pytest.raises(InputError, match=message):
        make()
