"""All results on one page of HTML that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.drawings import EXPLANATIONS, STEPS, Drawing, slug
from neuralexec.reports.figures.style import inline_svg
from neuralexec.reports.html_tables import html_table
from neuralexec.reports.layout import lay_out, tables_of
from neuralexec.reports.markup import Markup, element, join
from neuralexec.reports.page_costs import costs
from neuralexec.reports.page_summary import claims, summary
from neuralexec.reports.results import Results
from neuralexec.reports.tables import remarks_of
from neuralexec.reports.titles import title_of

PAPER_LINK = "https://arxiv.org/abs/1910.10593"

_FIGURES = {STEPS: "Figure 3: step by step", EXPLANATIONS: "Figure 4: explanations"}


@dataclass(frozen=True)
class _Section:
    name: str
    title: str
    content: Markup


def page(results: Results, drawings: Sequence[Drawing]) -> str:
    """The same results give the same bytes."""
    sections = list(_sections(results, drawings))
    contents = [
        element("li", element("a", section.title, href=f"#{section.name}")) for section in sections
    ]
    body = [
        element("section", element("h2", section.title), section.content, id=section.name)
        for section in sections
    ]
    style = Markup((files(__package__) / "page.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        element("title", "Neural execution of graph algorithms: results"),
        element("style", style),
    )
    navigation = element("nav", element("ol", *contents), aria_label="Contents")
    main = element("main", _header(), *body)
    document = element("html", head, element("body", navigation, main), lang="en")
    return f"<!DOCTYPE html>\n{document}\n"


def _header() -> Markup:
    return element(
        "header",
        element("h1", "Neural execution of graph algorithms"),
        element(
            "p",
            "Graph networks that are taught every step of breadth-first search, Bellman-Ford and "
            "Prim on small graphs, and execute them on larger ones: the results of ",
            element("a", "Veličković et al., 2020", href=PAPER_LINK),
            ", measured anew.",
        ),
        element(
            "p",
            "A cell shows ours, as the mean over seeds ± their standard deviation, above the "
            "paper’s. ",
            _key("▲", "as-good"),
            " as good or better; ",
            _key("▽", "close"),
            " worse, but by at most two standard deviations; ",
            _key("▼", "worse"),
            " worse by more. z is (ours − the paper’s) / standard deviation. Percentages are "
            "rounded down; of errors, lower is better. Rest on a cell to see each seed.",
        ),
        element(
            "p",
            "Preset paper keeps to everything the paper states; best improves on what it leaves "
            "open, and more; none is an executor that has learnt nothing.",
        ),
    )


def _key(sign: str, kind: str) -> Markup:
    return element("span", sign, class_=f"sign {kind}")


def _sections(results: Results, drawings: Sequence[Drawing]) -> Iterator[_Section]:
    yield _Section("summary", "Summary", summary(results.cells))
    if results.claims:
        yield _Section("claims", "The paper’s claims", claims(results.claims))
    for table in tables_of(results.cells):
        title = title_of(table)
        content = join(_table(results.cells, table), _figures(drawings, table))
        yield _Section(slug(table), f"{title.name}: {title.about}", content)
    for name, heading in _FIGURES.items():
        if any(drawing.section == name for drawing in drawings):
            yield _Section(name, heading, _figures(drawings, name))
    if results.trainings:
        yield _Section("trainings", "Trainings and what they cost", costs(results.trainings))


def _table(cells: Sequence[ResultCell], table: str) -> Markup:
    layout = lay_out(cells, table)
    caption = title_of(table).caption
    return join(
        element("p", caption) if caption else "",
        html_table(layout),
        element("ul", *(element("li", one) for one in remarks_of(layout)), class_="remarks"),
    )


def _figures(drawings: Sequence[Drawing], section: str) -> Markup:
    return join(
        *(
            element(
                "figure",
                Markup(inline_svg(drawing.svg, drawing.name)),
                element("figcaption", drawing.caption),
            )
            for drawing in drawings
            if drawing.section == section
        )
    )
