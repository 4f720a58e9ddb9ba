import sys

import pytest

from neuralexec import InputError
from neuralexec.graphs.families.family import Family
from neuralexec.plugins import choose, discover


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two families and a helper, made for the test."""
    folder = tmp_path / "drawn_here"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "helper.py").write_text("family = 'not one'\n")
    for name in ("b", "a"):
        write_family(folder, name, name)
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("drawn_here")
    for name in [name for name in sys.modules if name.startswith("drawn_here")]:
        del sys.modules[name]


def write_family(folder, file, name):
    text = "from neuralexec.graphs.families.family import Family\n"
    (folder / f"{file}.py").write_text(f"{text}family = Family({name!r}, 'X', None)\n")


def test_dropping_a_file_in_is_the_whole_registration(package):
    assert list(discover(package, "family", Family)) == ["a", "b"]


def test_two_files_of_one_name_are_refused(package, tmp_path):
    write_family(tmp_path / "drawn_here", "c", "a")
    with pytest.raises(ValueError, match="two files of drawn_here are both named 'a'"):
        discover(package, "family", Family)


def test_an_unknown_name_lists_the_choices():
    assert choose({"ladder": 1}, "ladder", "family") == 1
    with pytest.raises(InputError, match=r"unknown family 'x'; choose one of grid, ladder"):
        choose({"grid": 1, "ladder": 2}, "x", "family")
