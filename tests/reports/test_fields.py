"""Dataclasses to JSON and back, and what is wrong with a file."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.fields import read_records, write_records


@dataclass(frozen=True)
class Example:
    word: str
    count: int
    number: float
    maybe: float | None
    numbers: tuple[float, ...]
    pairs: tuple[tuple[int, bool], ...]
    settings: Mapping[str, object]
    note: str = "none"


GOOD = (
    '{"word": "a", "count": 1, "number": 2, "maybe": null, "numbers": [1, "inf"], '
    '"pairs": [[3, true]], "settings": {"a": [1]}}'
)


def test_what_is_written_is_read_back(tmp_path):
    first = Example("ü|", 3, math.inf, None, (1.5, -math.inf), ((1, True), (2, False)), {"a": 1})
    second = Example("", -3, 0.1 + 0.2, 2.0, (), (), {}, "some")
    write_records(tmp_path / "some.json", [first, second])
    assert read_records(tmp_path / "some.json", Example) == [first, second]


def test_what_is_not_a_number_is_read_back(tmp_path):
    write_records(tmp_path / "some.json", [Example("", 1, math.nan, math.nan, (), (), {})])
    [found] = read_records(tmp_path / "some.json", Example)
    assert math.isnan(found.number)
    assert found.maybe is not None
    assert math.isnan(found.maybe)


def test_no_records_are_a_list_too(tmp_path):
    write_records(tmp_path / "some.json", [])
    assert read_records(tmp_path / "some.json", Example) == []


def test_values_have_the_types_of_their_fields(tmp_path):
    (tmp_path / "some.json").write_text(f"[{GOOD}]")
    [found] = read_records(tmp_path / "some.json", Example)
    assert found == Example("a", 1, 2.0, None, (1.0, math.inf), ((3, True),), {"a": [1]})
    assert type(found.number) is float
    assert type(found.numbers[0]) is float


def test_unknown_keys_are_passed_over(tmp_path):
    (tmp_path / "some.json").write_text(f'[{GOOD[:-1]}, "other": 1}}]')
    assert read_records(tmp_path / "some.json", Example)[0].note == "none"


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ('"word": "a"', '"word": 1', "'word' must be a string, not 1"),
        ('"word": "a", ', "", "'word' is missing; add it"),
        ('"count": 1', '"count": 1.0', "'count' must be a whole number, not 1.0"),
        ('"count": 1', '"count": true', "'count' must be a whole number, not true"),
        ('"count": 1', '"count": null', "'count' must be a whole number, not null"),
        ('"number": 2', '"number": "2"', "'number' must be a number"),
        ('"number": 2', '"number": true', "'number' must be a number"),
        ('"number": 2', '"number": null', "'number' must be a number"),
        ('"maybe": null', '"maybe": "none"', "'maybe' must be a number"),
        ("[1, ", '["a", ', "'numbers' must be a number"),
        ('[1, "inf"]', "1", "'numbers' must be a list, not 1"),
        ("[[3, true]]", "[[3]]", "'pairs' must have 2 entries"),
        ("[[3, true]]", "[[3, 1]]", "'pairs' must be true or false, not 1"),
        ('{"a": [1]}', "[1]", "'settings' must be an object"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, good, bad, message):
    path = tmp_path / "some.json"
    assert GOOD.count(good) == 1
    path.write_text(f"[{GOOD}, {GOOD.replace(good, bad)}]")
    with pytest.raises(InputError) as caught:
        read_records(path, Example)
    assert str(caught.value).startswith(f"{path}, entry 2: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "must be a list"),
        ("[1]", "entry 1: must be an object, not 1"),
        ("[", "is no JSON"),
        ("", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, message):
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_records(path, Example)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "some.json").write_bytes(b"\xff\xfe[")
    with pytest.raises(InputError, match="is no JSON"):
        read_records(tmp_path / "some.json", Example)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_records(tmp_path / "some.json", Example)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "some.json"
    write_records(path, [])
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_records(path, [Example("", 1, 1.0, None, (), (), {"a": object()})])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="make it first"):
        write_records(tmp_path / "no" / "some.json", [])
