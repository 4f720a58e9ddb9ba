"""Node names as the user wrote them; numbers stay numbers, so a million nodes cost no strings."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.errors import InputError


class NumberNames(Sequence[str]):
    """The names of nodes that are called by whole numbers: read as strings, kept as integers.

    >>> names = NumberNames(range(1, 4))
    >>> names[0], names.index("3"), list(names)
    ('1', 2, ['1', '2', '3'])
    """

    def __init__(self, numbers: range | NDArray[np.int64]) -> None:
        if isinstance(numbers, np.ndarray):
            numbers = numbers.copy()
            numbers.setflags(write=False)
        self.numbers = numbers
        self._places: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, node: Any) -> Any:
        if isinstance(node, slice):
            return [str(number) for number in self.numbers[node]]
        return str(self.numbers[node])

    def __iter__(self) -> Iterator[str]:
        return (str(number) for number in self.numbers)

    def index(self, name: Any, *_: Any) -> int:
        if isinstance(self.numbers, range):
            number = _as_number(name)
            if number is None or number not in self.numbers:
                raise ValueError(name)
            return self.numbers.index(number)
        if self._places is None:
            self._places = {own: node for node, own in enumerate(self)}
        if name not in self._places:
            raise ValueError(name)
        return self._places[name]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberNames):
            return np.array_equal(self.numbers, other.numbers)
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"NumberNames({self.numbers!r})"


class WordNames(tuple[str, ...]):
    """The names of nodes that are called by words; finding one is a dictionary look-up."""

    _places: dict[str, int]

    def index(self, name: Any, *_: Any) -> int:
        if not hasattr(self, "_places"):
            self._places = {own: node for node, own in enumerate(self)}
        if name not in self._places:
            raise ValueError(name)
        return self._places[name]


Names = NumberNames | WordNames


def make_names(names: Iterable[object] | None, num_nodes: int) -> Names:
    """Names for `num_nodes` nodes: as given, or 0, 1, 2, ... without any."""
    if names is None:
        return NumberNames(range(num_nodes))
    if isinstance(names, NumberNames | WordNames):
        made: Names = names
    elif isinstance(names, range):
        made = NumberNames(names)
    elif isinstance(names, np.ndarray) and np.issubdtype(names.dtype, np.integer):
        made = NumberNames(_as_range(names.astype(np.int64)))
    else:
        words = [str(name) for name in names]
        numbers = [_as_number(word) for word in words]
        if words and None not in numbers:
            made = NumberNames(_as_range(np.array(numbers, dtype=np.int64)))
        else:
            made = WordNames(words)
    _check(made, num_nodes)
    return made


def _check(names: Names, num_nodes: int) -> None:
    if len(names) != num_nodes:
        raise InputError(f"{num_nodes} nodes need {num_nodes} names; got {len(names)}")
    if isinstance(names, NumberNames):
        if isinstance(names.numbers, range):
            return
        ordered = np.sort(names.numbers)
        repeated = ordered[:-1][ordered[1:] == ordered[:-1]]
        twice = str(repeated[0]) if len(repeated) else None
    else:
        seen: set[str] = set()
        twice = next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]
    if twice is not None:
        raise InputError(f"two nodes are both named {twice!r}; give every node its own name")


def _as_number(word: str) -> int | None:
    """The integer that prints exactly as `word`, if there is one in 64 bits."""
    if not word or len(word) > 19 or not (word[0] == "-" or word[0].isdigit()):
        return None
    try:
        number = int(word)
    except ValueError:
        return None
    return number if str(number) == word and abs(number) < 2**63 else None


def _as_range(numbers: NDArray[np.int64]) -> range | NDArray[np.int64]:
    if not len(numbers):
        return range(0)
    first = int(numbers[0])
    consecutive = range(first, first + len(numbers))
    return consecutive if np.array_equal(numbers, np.arange(first, consecutive.stop)) else numbers
