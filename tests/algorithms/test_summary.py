from pathlib import Path

from neuralexec.algorithms import algorithms
from neuralexec.algorithms.summary import markdown_table, rows

PAGE = Path(__file__).parents[2] / "docs" / "signals.md"


def test_every_algorithm_has_a_row():
    assert [row.name for row in rows()] == list(algorithms())


def test_a_grown_mask_is_taught_by_its_choice():
    prim = next(row for row in rows() if row.name == "prim")
    assert [line.partition(":")[0] for line in prim.inputs] == ["in_tree"]
    assert [line.partition(":")[0] for line in prim.supervision] == [
        "next",
        "predecessor",
        "termination",
    ]


def test_the_documentation_shows_the_table_as_it_is_now():
    assert markdown_table() in PAGE.read_text(encoding="utf-8"), "run `make tables`"
