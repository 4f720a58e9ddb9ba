"""Numbered arcs, one a line, in Matrix Market and DIMACS files alike: parsed by SciPy.

SciPy's Matrix Market parser is an order of magnitude faster than any other here, so a DIMACS file
is handed to it as one, its lines rewritten on the way. But it takes `0.5abc` for 0.5, ignores extra
columns and crashes on zero bytes: it is shown only lines that were checked before.
"""

import io
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.io import mmread

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import BadLine, quoted
from neuralexec.graphs.formats.lines import numbered_lines
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.formats.weights import NUMBER, parse_weight
from neuralexec.graphs.graph import BYTES_PER_ARC, BYTES_PER_NODE, check_size
from neuralexec.graphs.memory import refuse_if_too_large

CHUNK = 1 << 22


class Arcs(NamedTuple):
    senders: NDArray[np.int32]
    receivers: NDArray[np.int32]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """How the arcs of a file are laid out, as its head tells."""

    num_nodes: int
    num_arcs: int
    head_lines: int
    """Lines before the first arc."""
    has_weights: bool = True
    letter: str = ""
    """What each line with an arc begins with."""
    comment: str = "%"
    """What a line without an arc begins with."""

    @property
    def columns(self) -> int:
        return 3 if self.has_weights else 2

    def good_lines(self) -> re.Pattern[bytes]:
        """Any number of lines as they should be; what follows a match begins with a bad one.

        No quantifier gives back what it took, so a match needs one look at each byte.
        """
        letter = rb"%b[ \t]++" % self.letter.encode() if self.letter else b""
        weight = rb"[ \t]++" + NUMBER.encode() if self.has_weights else b""
        arc = letter + rb"\d++[ \t]++\d++" + weight + rb"[ \t\r]*+\n"
        comment = rb"%b[^\n]*+\n" % self.comment.encode()
        return re.compile(rb"(?>[ \t]*+(?>%b|\r?+\n|%b))*+" % (arc, comment))


def read_arcs(source: Source, layout: Layout) -> Arcs:
    check_size(layout.num_nodes)
    parsed = 16 * layout.num_arcs
    refuse_if_too_large(
        BYTES_PER_NODE * layout.num_nodes + BYTES_PER_ARC * layout.num_arcs + parsed,
        f"a graph of {layout.num_nodes:,} nodes and {layout.num_arcs:,} edges",
    )
    try:
        with source.open() as stream:
            matrix: Any = mmread(_AsMatrixMarket(stream, layout), spmatrix=False)
    except (ValueError, OverflowError) as error:
        raise _explain(source, layout, error) from None
    senders, receivers = matrix.coords
    arcs = Arcs(senders, receivers, matrix.data)
    usable = (arcs.weights >= 0) & (arcs.weights < np.inf)
    if not usable.all():
        line, text = _find_arc(source, layout, int(usable.argmin()))
        raise BadLine(line, _complaint(text, layout))
    return arcs


class _AsMatrixMarket(io.RawIOBase):
    """The file as the parser wants it: a head of two lines, then the arcs."""

    def __init__(self, stream: Any, layout: Layout) -> None:
        self._stream, self._layout = stream, layout
        self._good_lines = layout.good_lines()
        for _ in range(layout.head_lines):
            stream.readline()
        self._line = layout.head_lines + 1
        field = "real" if layout.has_weights else "pattern"
        size = f"{layout.num_nodes} {layout.num_nodes} {layout.num_arcs}"
        head = f"%%MatrixMarket matrix coordinate {field} general\n{size}\n"
        self._ready = io.BytesIO(head.encode())

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        part = self._ready.read(size)
        while not part and (lines := self._next_lines()):
            self._ready = io.BytesIO(lines)
            part = self._ready.read(size)
        return part

    def _next_lines(self) -> bytes:
        """Some whole lines, checked and rewritten; nothing at the end."""
        lines: bytes = self._stream.read(CHUNK)
        lines += self._stream.readline()
        if lines and not lines.endswith(b"\n"):
            lines += b"\n"
        good = self._good_lines.match(lines)
        assert good is not None  # no line at all is a match too
        if (at := good.end()) < len(lines):
            text = lines[at : lines.index(b"\n", at)]
            number = self._line + lines.count(b"\n", 0, at)
            raise BadLine(number, _complaint(text.decode(errors="replace"), self._layout))
        self._line += lines.count(b"\n")
        return _strip(lines, self._layout)


def _strip(lines: bytes, layout: Layout) -> bytes:
    """The arcs of good lines without their letter; a comment leaves an empty line."""
    letter, comment = layout.letter.encode(), layout.comment.encode()
    if b"+" in lines:  # the parser takes no sign in front
        lines = re.sub(rb"([ \t])\+", rb"\1", lines)
    if not letter:
        return re.sub(rb"(?m)^[ \t]*%b[^\n]*" % comment, b"", lines) if comment in lines else lines
    stripped = (b"\n" + lines).replace(b"\n%b " % letter, b"\n")[1:]
    if len(lines) - len(stripped) == 2 * lines.count(b"\n"):
        return stripped
    return re.sub(rb"(?m)^[ \t]*(%b[ \t]+|%b[^\n]*)" % (letter, comment), b"", lines)


def _explain(source: Source, layout: Layout, error: Exception) -> InputError:
    """The parser's refusal in this program's words; lines that it saw are well written."""
    if isinstance(error, InputError):
        return error
    found = re.match(r"Line (\d+): .*out of", str(error))
    if found is None:
        return InputError(f"does not hold the {layout.num_arcs:,} edges its head promises")
    line = int(found[1]) - 2 + layout.head_lines
    _, text = next(islice(numbered_lines(source, ends="\n"), line - 1, None))
    return BadLine(line, _complaint(text, layout))


def _find_arc(source: Source, layout: Layout, arc: int) -> tuple[int, str]:
    """The line that holds this arc, and its text."""
    lines = islice(numbered_lines(source, ends="\n"), layout.head_lines, None)
    with_arcs = (
        (number, text)
        for number, text in lines
        if text.strip() and not text.lstrip().startswith(layout.comment)
    )
    return next(islice(with_arcs, arc, None))


def _complaint(text: str, layout: Layout) -> str:
    """What is wrong with a line that should hold an arc."""
    fields = text.split()
    if layout.letter and (not fields or fields.pop(0) != layout.letter):
        return f"expected '{layout.letter} FROM TO WEIGHT'; found {quoted(text)}"
    if len(fields) != layout.columns:
        return f"expected {layout.columns} columns; found {len(fields)}"
    for node in fields[:2]:
        if not re.fullmatch(r"-?\d+", node, re.ASCII):
            return f"node {quoted(node)} is not a whole number"
        if len(node) > 18 or not 1 <= int(node) <= layout.num_nodes:
            return f"node {quoted(node)} is out of range: nodes are 1 to {layout.num_nodes}"
    try:
        parse_weight(fields[-1])
    except InputError as error:
        return str(error)
    return f"cannot be read: {quoted(text)}"
