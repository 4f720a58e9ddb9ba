"""neuralexec report: the same bytes again, without torch."""

import subprocess
import sys

import pytest

from neuralexec.reports.build import build
from neuralexec.reports.cells import write_cells
from neuralexec.reproduction import reproduce as module
from tests.reports.fake_results import cell_of
from tests.reproduction.archived import finish
from tests.reproduction.tiny import EXPLAINED, NOTHING, put

pytest.importorskip("matplotlib")

WITHOUT_TORCH = """
import sys
from neuralexec.cli.main import run
sys.argv = ["neuralexec", "report", {folder!r}]
try:
    run()
finally:
    assert "torch" not in sys.modules, "torch was loaded"
"""


def test_the_same_bytes_again_without_torch(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED), table4=(NOTHING, EXPLAINED))
    monkeypatch.setattr("neuralexec.reports.build.build", build)
    monkeypatch.setattr(module, "perform", finish)
    parts = ["table2", "table4", "figure4"]
    made = neuralexec("reproduce", *parts, "--seeds=1", "--out", tmp_path)
    assert made.status == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert {"table2.md", "table4.md", "appendixE.md", "figure4.svg", "report.html"} < set(before)
    drawn = [name for name in before if not name.endswith(".json")]
    for name in drawn:
        (tmp_path / name).unlink()
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH.format(folder=str(tmp_path))],
        capture_output=True,
        text=True,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert sorted(found.stdout.splitlines()) == sorted(str(tmp_path / name) for name in drawn)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    assert set(made.out.splitlines()) == {str(tmp_path / name) for name in before}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cells.json: there is no such file"),
        ("", "cells.json: is no JSON that can be read"),
        ("[]", "cells.json: has no cells"),
        ("[1]", "cells.json, entry 1: must be an object"),
    ],
)
def test_results_that_cannot_be_read(neuralexec, tmp_path, content, words):
    if content is not None:
        (tmp_path / "cells.json").write_text(content)
    before = sorted(tmp_path.iterdir())
    assert words in neuralexec.fails("report", tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_no_folder(neuralexec, tmp_path):
    assert "is no folder" in neuralexec.fails("report", tmp_path / "nothing")


def test_the_folder_is_results_unless_it_is_named(neuralexec, tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    write_cells(tmp_path / "results" / "cells.json", [cell_of()])
    monkeypatch.chdir(tmp_path)
    assert "results/report.html" in neuralexec("report").out.splitlines()
