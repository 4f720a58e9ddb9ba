"""How the rows of an edge list are written: separator, columns, header, and what comments say."""

import csv
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from neuralexec.errors import InputError, InputWarning
from neuralexec.graphs.formats.complaints import BadLine
from neuralexec.graphs.formats.lines import numbered_lines
from neuralexec.graphs.formats.notes import Notes
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.formats.weights import has_decimal_comma, is_number

COMMENTS = ("#", "%")
SOURCE_WORDS = {
    "source",
    "src",
    "from",
    "start",
    "sender",
    "node1",
    "node_1",
    "fromnode",
    "fromnodeid",
}
TARGET_WORDS = {"target", "dst", "to", "end", "receiver", "node2", "node_2", "tonode", "tonodeid"}
WRITTEN_HEADER = ["source", "target", "weight"]
MOST_ROWS_COMPARED = 10_000
Row = tuple[int, list[str]]


@dataclass(frozen=True)
class Table:
    separator: str
    """Empty for any run of white space."""
    columns: int
    header_line: int
    """The number of the header's line; 0 without one."""
    notes: Notes

    def rows(self, source: Source) -> Iterator[Row]:
        """The number and the fields of every line with an edge."""
        for number, line in numbered_lines(source):
            if number != self.header_line and not is_comment(line):
                fields = split(number, line, self.separator)
                if len(fields) != self.columns:
                    raise BadLine(number, f"expected {self.columns} columns; found {len(fields)}")
                yield number, fields


def look_at(source: Source) -> Table:
    """Find the layout from the comments at the top and the first two rows."""
    notes = Notes()
    rows: list[tuple[int, str]] = []
    for number, line in numbered_lines(source):
        if not is_comment(line):
            rows.append((number, line))
        elif not rows and line.startswith(COMMENTS):
            notes.take(line[1:])
        if len(rows) == 2:
            break
    if not rows:
        if notes.num_nodes is not None:
            return Table("", 2, 0, notes)
        raise InputError("has no edges")
    separator = _find_separator(rows[0][1], source.extension)
    number, line = rows[0]
    first = split(number, line, separator)
    if len(first) not in (2, 3):
        raise BadLine(
            number, f"expected 2 or 3 columns (two nodes, maybe a weight); found {len(first)}"
        )
    table = Table(separator, len(first), 0, notes)
    second = split(*rows[1], separator) if len(rows) > 1 else []
    if notes.num_nodes is not None:  # written by this package: its header is known
        return replace(table, header_line=number if first == WRITTEN_HEADER else 0)
    if not _is_header(first, second) or _names_a_node(first, number, table, source):
        return table
    if not second:
        raise InputError("has a header but no edges")
    _check_order(number, [field.lower() for field in first])
    if first[0].lower() not in SOURCE_WORDS and not all(map(is_whole, second[:2])):
        shown = ", ".join(first)
        warnings.warn(
            f"line {number} ({shown}) is taken for a header, not for an edge",
            InputWarning,
            stacklevel=2,
        )
    return replace(table, header_line=number)


def is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith(COMMENTS)


def split(number: int, line: str, separator: str) -> list[str]:
    if not separator:
        return line.split()
    try:
        fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        raise BadLine(number, "has a quote that does not close") from None
    return [field.strip() for field in fields]


def is_whole(field: str) -> bool:
    return re.fullmatch(r"[+-]?\d+", field, re.ASCII) is not None


def _find_separator(line: str, extension: str) -> str:
    """What cuts the line into two or three fields: commas before blanks before tabs.

    Tabs come last, since blanks are cut at tabs too; but a .tsv file says what it is.
    """
    if extension == ".tsv" and _is_row(line, "\t"):
        return "\t"
    by_blanks = line.split() if '"' not in line else []
    if len(by_blanks) == 3 and has_decimal_comma(by_blanks[2]):
        return ""
    by_sign = [sign for sign in ",;" if _is_row(line, sign)]
    if by_sign:  # 1;2;0,5 has both: what makes more of the line is right
        return max(by_sign, key=lambda sign: len(split(0, line, sign)))
    if len(by_blanks) == 2 or (len(by_blanks) == 3 and is_number(by_blanks[2])):
        return ""
    if _is_row(line, "\t") or len(by_blanks) == 3:
        return "\t" if _is_row(line, "\t") else ""
    return max(",;\t", key=line.count) if any(sign in line for sign in ",;\t") else ""


def _is_row(line: str, separator: str) -> bool:
    try:
        fields = split(0, line, separator)
    except BadLine:
        return False
    return len(fields) in (2, 3) and not any("\t" in field for field in fields)


def _is_header(first: list[str], second: list[str]) -> bool:
    """Could the first row be a header, judged by itself and the second?"""
    if any(map(is_whole, first[:2])):
        return False
    if len(first) == 3:
        return re.match(r"[+-]?[\d.,]|$", first[2]) is None and not is_number(first[2])
    well_known = {field.lower() for field in first} <= SOURCE_WORDS | TARGET_WORDS
    return well_known or (bool(second) and all(map(is_whole, second[:2])))


def _check_order(number: int, words: list[str]) -> None:
    """Refuse a header that names the columns in another order than they are read."""
    for place, known in enumerate((SOURCE_WORDS, TARGET_WORDS)):
        if any(word in known for other, word in enumerate(words) if other != place):
            raise BadLine(number, "has its columns in another order than source, target, weight")


def _names_a_node(first: list[str], number: int, table: Table, source: Source) -> bool:
    """Does what looks like a header name a node of a later row? Then it is an edge itself."""
    names = set(first[:2])
    for _, line in islice(numbered_lines(source), number, number + MOST_ROWS_COMPARED):
        if any(name in line for name in names) and not is_comment(line):
            try:
                if names & set(split(0, line, table.separator)[:2]):
                    return True
            except BadLine:
                continue
    return False
