"""The whole page: well-formed, complete, escaped, and on its own."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from neuralexec.reports.drawings import Drawing
from neuralexec.reports.numbers import shown, shown_paper, shown_values
from neuralexec.reports.page import PAPER_LINK, page
from neuralexec.reports.records import Claim
from neuralexec.reports.results import Results
from tests.reports.fake_results import (
    cell_of,
    fake_cells,
    fake_claims,
    fake_trainings,
)

SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>\n'
VOID = {"meta"}


class Reader(HTMLParser):
    """Fails where an element is closed that is not open."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.headings: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self._keep(tag, attrs)

    def handle_startendtag(self, tag, attrs):
        self._keep(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)

    def _keep(self, tag, attrs):
        self.attributes += [(tag, key, value or "") for key, value in attrs]
        self.ids += [value for key, value in attrs if key == "id"]
        self.links += [value for key, value in attrs if tag == "a" and key == "href"]


def drawing_of(section: str, name: str | None = None) -> Drawing:
    return Drawing(name or f"{section}-sizes", section, f"About {section}.", SVG, b"")


@pytest.fixture(scope="module")
def results() -> Results:
    return Results(
        tuple(fake_cells()), trainings=tuple(fake_trainings()), claims=tuple(fake_claims())
    )


@pytest.fixture(scope="module")
def text(results) -> str:
    sections = ("table1", "table9", "figure3", "figure4")
    return page(results, [drawing_of(section) for section in sections])


def test_it_is_well_formed(text):
    reader = Reader(text)
    assert text.startswith("<!DOCTYPE html>\n<html lang")
    assert len(reader.ids) == len(set(reader.ids))


def test_links_lead_somewhere(text):
    reader = Reader(text)
    inside = [link for link in reader.links if link.startswith("#")]
    assert {link[1:] for link in inside} <= set(reader.ids)
    assert [link for link in reader.links if not link.startswith("#")] == [PAPER_LINK]


def test_nothing_is_loaded(text):
    assert not re.search("http://|https://|url\\(|@import", text.replace(PAPER_LINK, ""))
    tags = {tag for tag, _, _ in Reader(text).attributes}
    assert not tags & {"script", "link", "img", "iframe", "object", "image"}
    assert "src" not in {key for _, key, _ in Reader(text).attributes}


def test_contents_in_order(text):
    assert Reader(text).headings == [
        "Summary",
        "The paper’s claims",
        "Table 1: reachability",
        "Table 2: shortest-path predecessors",
        "Table 3: distances and termination",
        "Table 4: graphs up to 75 times larger",
        "Table 5: trained on one family",
        "Table 6: minimum spanning trees",
        "Table 8: trained on 100 nodes, executed on 1000",
        "Table 9: family by family",
        "Appendix E: explanations of reachability",
        "Figure 3: step by step",
        "Figure 4: explanations",
        "Trainings and what they cost",
    ]
    for heading in Reader(text).headings:
        assert f">{heading}</a></li>" in text


def test_every_number_appears_where_it_belongs(text, results):
    shown_cells = re.findall(
        r'<td class="(?:as-good|close|worse|alone)" title=.*?</td>', text, re.DOTALL
    )
    found = [unescape(one) for one in shown_cells]
    assert len(found) == len(results.cells)
    for cell in results.cells:
        where = f'title="{cell.row}, preset {cell.preset}, {cell.column}, {cell.metric}\n'
        parts = [
            f"<b>{shown(cell.mean, is_error=cell.is_error)}</b>",
            f"by seed: {shown_values(cell)}\n",
            f"{cell.graphs} test graphs",
        ]
        if cell.paper is not None:
            parts.append(f"paper {shown_paper(cell)}")
        assert any(where in one and all(part in one for part in parts) for one in found)


def test_figures_stand_in_their_sections(text):
    for section in ("table1", "table9", "figure3", "figure4"):
        start = text.index(f'<section id="{section}">')
        end = text.index("</section>", start)
        assert f'<g id="{section}-sizes-a"/>' in text[start:end]
        assert f"<figcaption>About {section}.</figcaption>" in text[start:end]
    assert text.count("<figure>") == 4


def test_the_same_page_each_time(text, results):
    sections = ("table1", "table9", "figure3", "figure4")
    assert page(results, [drawing_of(section) for section in sections]) == text


def test_what_is_missing_is_left_out():
    reader = Reader(page(Results((cell_of(),)), []))
    assert reader.headings == ["Summary", "Table 1: reachability"]


def test_nothing_from_a_file_is_taken_for_html():
    bad = '"><script>alert(1)</script>&'
    cell = cell_of(table=bad, row=bad, preset=bad, column=bad, metric=bad, note=bad)
    [training] = fake_trainings()[:1]
    results = Results(
        (cell, cell_of(test_family=bad, train_family=bad)),
        claims=(Claim(bad, bad, True),),
        trainings=(type(training)(bad, bad, bad, bad, 0, 1, 1, 0.5, 7, 1.0, bad, {bad: bad}),),
    )
    text = page(results, [])
    assert "<script" not in text
    Reader(text)


def test_dark_light_paper_and_small_screens(text):
    for part in ("prefers-color-scheme: dark", "@media print", "width=device-width"):
        assert part in text
