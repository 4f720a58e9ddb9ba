"""HTML elements as strings; whatever is not an element itself is escaped."""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, *content: str, **attributes: str | int | None) -> Markup:
    """An attribute is spelt with hyphens, without a trailing one; left out if it is None.

    >>> element("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{given}>{join(*content)}</{name}>")


def join(*content: str) -> Markup:
    return Markup("".join(one if isinstance(one, Markup) else escape(one) for one in content))


def simple_table(headings: list[str], lines: list[list[str]], class_: str | None = None) -> Markup:
    """The first column names the lines."""
    head = element("tr", *(element("th", heading, scope="col") for heading in headings))
    body = [
        element(
            "tr", element("th", line[0], scope="row"), *(element("td", one) for one in line[1:])
        )
        for line in lines
    ]
    table = element("table", element("thead", head), element("tbody", *body), class_=class_)
    return element("div", table, class_="wide")
