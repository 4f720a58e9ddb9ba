"""Titles of tables."""

from neuralexec.reports.paper import PAPER
from neuralexec.reports.titles import TITLES, title_of


def test_every_table_of_the_paper_has_one():
    assert set(TITLES) == {cell.table for cell in PAPER}
    for table, title in TITLES.items():
        assert title.name.replace(" ", "").lower() == table.lower()
        assert title.caption.endswith(".")


def test_a_table_of_our_own():
    assert title_of("sizes").name == "sizes"
