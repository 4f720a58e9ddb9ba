"""Lists of frozen dataclasses as JSON files, checked field by field as they are read.

JSON has no infinity: it is the string "inf", and what is not a number is "nan".
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import check_place, replacing

Record = TypeVar("Record")

_NUMBERS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_ABSENT = object()


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    """Every entry of the list; keys that are no field of `kind` are passed over."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; give a folder that has it") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{path}: is no JSON that can be read ({error}); make it anew") from None
    if not isinstance(entries, list):
        raise InputError(f"{path}: must be a list of objects, not {_what(entries)}")
    types = get_type_hints(kind)
    records = []
    for number, entry in enumerate(entries, start=1):
        try:
            records.append(_record(kind, types, entry))
        except InputError as error:
            raise InputError(f"{path}, entry {number}: {error}") from None
    return records


def write_records(path: Path, records: Sequence[object]) -> None:
    """What `read_records` gives back as it was; one line each, so that changes are easy to see."""
    check_place(path)
    lines = [
        json.dumps(_plain(vars(record)), ensure_ascii=False, allow_nan=False) for record in records
    ]
    with replacing(path) as stream:
        stream.write(("[\n" + ",\n".join(lines) + "\n]\n").encode())


def _record(kind: type[Record], types: Mapping[str, Any], entry: object) -> Record:
    if not isinstance(entry, dict):
        raise InputError(f"must be an object, not {_what(entry)}")
    given: dict[str, object] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = entry.get(field.name, _ABSENT)
        if value is not _ABSENT:
            try:
                given[field.name] = _value(types[field.name], value)
            except InputError as error:
                raise InputError(f"{field.name!r} {error}") from None
        elif field.default is MISSING:
            raise InputError(f"{field.name!r} is missing; add it")
    return kind(**given)


def _value(kind: Any, value: object) -> object:
    """The value as `kind` has it, or what it should have been."""
    return _READ.get(get_origin(kind) or kind, _plain_value)(kind, value)


def _plain_value(kind: Any, value: object) -> object:
    if type(value) is not kind:
        raise InputError(f"must be {_NAMES[kind]}, not {_what(value)}")
    return value


def _float(kind: Any, value: object) -> float:
    if isinstance(value, str) and value in _NUMBERS:
        return _NUMBERS[value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f'must be a number, "inf" or "nan", not {_what(value)}')
    return float(value)


def _union(kind: Any, value: object) -> object:
    options = [option for option in get_args(kind) if option is not type(None)]
    assert len(options) == 1, "fields are of one type, or of one type and None"
    return None if value is None else _value(options[0], value)


def _tuple(kind: Any, value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise InputError(f"must be a list, not {_what(value)}")
    kinds = get_args(kind)
    if kinds[-1] is Ellipsis:
        return tuple(_value(kinds[0], one) for one in value)
    if len(value) != len(kinds):
        raise InputError(f"must have {len(kinds)} entries, not {_what(value)}")
    return tuple(_value(one, part) for one, part in zip(kinds, value, strict=True))


def _mapping(kind: Any, value: object) -> object:
    if not isinstance(value, dict):
        raise InputError(f"must be an object, not {_what(value)}")
    return value


_READ: dict[Any, Callable[[Any, object], object]] = {
    float: _float,
    Union: _union,
    UnionType: _union,
    tuple: _tuple,
    Mapping: _mapping,
}

_NAMES = {str: "a string", int: "a whole number", bool: "true or false"}


def _what(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
