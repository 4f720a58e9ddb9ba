"""The top of the page: how many of the paper's numbers are reached, and which claims hold."""

from __future__ import annotations

from collections.abc import Sequence

from neuralexec.reports.cells import ResultCell, most_precise
from neuralexec.reports.comparison import Tally, tally
from neuralexec.reports.drawings import slug
from neuralexec.reports.layout import presets_in_order, tables_of
from neuralexec.reports.markup import Markup, element, join
from neuralexec.reports.numbers import NOTHING
from neuralexec.reports.records import Claim
from neuralexec.reports.titles import title_of

_MARKS = {True: ("✓", "holds", "as-good"), False: ("✗", "does not hold", "worse")}
_UNDECIDED = ("?", "cannot be decided", "close")


def summary(cells: Sequence[ResultCell]) -> Markup:
    cells = most_precise(cells)
    presets = [one for one in presets_in_order(cell.preset for cell in cells) if one != "none"]
    of_preset = {
        preset: [cell for cell in cells if cell.preset == preset] for preset in reversed(presets)
    }
    tables = [table for table in tables_of(cells) if tally(cells, table).measured]
    lines = [
        element(
            "tr",
            element("th", _link(table), scope="row"),
            *(_bar(tally(some, table)) for some in of_preset.values()),
        )
        for table in tables
    ]
    total = element(
        "tr",
        element("th", "all", scope="row"),
        *(_bar(tally(some)) for some in of_preset.values()),
    )
    head = element(
        "tr",
        element("th", "table", scope="col"),
        *(element("th", f"preset {preset}", scope="col") for preset in of_preset),
    )
    table = element(
        "table",
        element("thead", head),
        element("tbody", *lines),
        element("tfoot", total),
        class_="summary",
    )
    headlines = [_headline(preset, tally(some)) for preset, some in of_preset.items()]
    return join(
        element("div", *headlines, class_="headlines"), element("div", table, class_="wide")
    )


def claims(some: Sequence[Claim]) -> Markup:
    return element("ul", *map(_claim, some), class_="claims")


def _headline(preset: str, count: Tally) -> Markup:
    return element(
        "p",
        element("b", f"{count.as_good} of {count.measured}"),
        f" of the paper’s numbers are equalled or beaten by preset {preset}",
        "" if count.measured == count.in_paper else f" (the paper has {count.in_paper})",
        f"; {count.close} more are within two standard deviations." if count.close else ".",
    )


def _bar(count: Tally) -> Markup:
    """As many of as many in words, and as a bar."""
    if not count.measured:
        return element("td", NOTHING, class_="absent")
    shares = (
        ("as-good", count.as_good),
        ("close", count.close),
        ("worse", count.measured - count.as_good - count.close),
    )
    parts = [
        element("span", class_=name, style=f"width:{100 * number / count.measured:.2f}%")
        for name, number in shares
        if number
    ]
    missing = count.in_paper - count.measured
    words = f"{count.as_good} of {count.measured}"
    return element(
        "td",
        element("span", words, class_="ours"),
        element("span", *parts, class_="bar"),
        title="; ".join(
            [
                f"{count.as_good} as good or better",
                f"{count.close} worse by at most two standard deviations",
                f"{shares[2][1]} worse by more",
                f"{missing} not measured",
            ]
        ),
    )


def _link(table: str) -> Markup:
    title = title_of(table)
    return element("a", f"{title.name}: {title.about}", href=f"#{slug(table)}")


def _claim(claim: Claim) -> Markup:
    sign, words, kind = _UNDECIDED if claim.holds is None else _MARKS[claim.holds]
    return element(
        "li",
        element("span", sign, class_=f"sign {kind}", title=words, role="img", aria_label=words),
        element("span", element("b", claim.title), " ", claim.text),
    )
