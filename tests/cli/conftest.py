import pytest

from tests.cli.command import Command


@pytest.fixture
def neuralexec(monkeypatch, capsys) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def roads(tmp_path):
    """a -1- b -1- c, and a -3- c; d stands alone with e."""
    path = tmp_path / "roads.csv"
    path.write_text("from,to,km\na,b,1\nb,c,1\na,c,3\nd,e,2\n")
    return path
