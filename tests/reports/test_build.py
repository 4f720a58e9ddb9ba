"""From a folder of JSON to a folder of tables, figures and a page."""

import subprocess
import sys

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.build import build
from neuralexec.reports.cells import write_cells
from neuralexec.reports.fields import write_records
from neuralexec.reports.tables import markdown_table
from tests.reports.fake_results import cell_of, fake_cells, fake_curves, fake_explanations

pytest.importorskip("matplotlib")

TABLES = ("table4", "table9", "appendixE")
CELLS = [cell for cell in fake_cells() if cell.table in TABLES]


def fill(folder):
    write_cells(folder / "cells.json", CELLS)
    write_records(folder / "curves.json", fake_curves()[:3])
    write_records(folder / "explanations.json", fake_explanations()[:1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    fill(folder)
    build(folder)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_is_written(folder):
    figures = ["figure3-paper", "figure4", "table4-sizes", "table9-families"]
    expected = [f"{name}.{end}" for name in figures for end in ("png", "svg")]
    expected += [f"{table}.md" for table in TABLES]
    expected += ["cells.json", "curves.json", "explanations.json", "report.html"]
    assert sorted(contents(folder)) == sorted(expected)


def test_tables_are_those_of_the_cells(folder):
    for table in TABLES:
        assert (folder / f"{table}.md").read_text() == markdown_table(CELLS, table)


def test_the_page_holds_every_figure(folder):
    text = (folder / "report.html").read_text()
    for name in ("figure3-paper", "figure4", "table4-sizes", "table9-families"):
        assert f'id="{name}-figure_1"' in text
    assert "http" not in text.replace("https://arxiv.org", "")


def test_another_process_writes_the_same_bytes(folder, tmp_path):
    fill(tmp_path)
    script = (
        "import sys, pathlib; from neuralexec.reports.build import build\n"
        "paths = build(pathlib.Path(sys.argv[1]))\n"
        "print(*sorted(path.name for path in paths), 'torch' in sys.modules)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    *names, torch_too = done.stdout.split()
    assert contents(tmp_path) == contents(folder)
    assert names == sorted(name for name in contents(folder) if not name.endswith(".json"))
    assert torch_too == "False"


def test_cells_alone_are_enough(tmp_path):
    write_cells(tmp_path / "cells.json", [cell_of(table="of our own / 1")])
    assert [path.name for path in build(tmp_path)] == ["of-our-own-1.md", "report.html"]


def test_files_are_replaced_whole(tmp_path):
    write_cells(tmp_path / "cells.json", [cell_of()])
    (tmp_path / "report.html").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        build(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"cells.json", "report.html", "table1.md"}


def test_without_cells(tmp_path):
    with pytest.raises(InputError, match=r"cells\.json: there is no such file"):
        build(tmp_path)
    with pytest.raises(InputError, match="is no folder"):
        build(tmp_path / "no")
