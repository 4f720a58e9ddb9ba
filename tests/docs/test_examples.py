"""What the documentation shows is run as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import run_to_end, trace, trace_all
from tests.problem_strategies import problems

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"))


def shell(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run commands in a folder, with the `neuralexec` of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run(page, tmp_path):
    for commands in blocks(page, "bash"):
        result = shell(commands, tmp_path)
        assert result.returncode == 0, result.stderr


def test_the_readme_shows_what_its_commands_print(tmp_path):
    page = ROOT / "README.md"
    printed = "".join(shell(commands, tmp_path).stdout for commands in blocks(page, "bash"))
    assert blocks(page, "text")
    for block in blocks(page, "text"):
        for line in block.splitlines():
            assert line in printed


def test_the_readme_python_runs(capsys):
    [code] = blocks(ROOT / "README.md", "python")
    exec(code, {})
    assert capsys.readouterr().out.split()[0].isdigit()


def test_readme_links_lead_somewhere():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert link.startswith("http") or (page.parent / link).exists(), (page.name, link)


@given(st.lists(problems(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=40)
def test_the_example_algorithm_keeps_the_contract(several):
    [code] = blocks(ROOT / "docs" / "add_an_algorithm.md", "python")
    names: dict = {}
    exec(code, names)
    algorithm = names["algorithm"]
    for problem, together in zip(several, trace_all(algorithm, several), strict=True):
        last, _ = run_to_end(algorithm, problem)
        np.testing.assert_array_equal(last["hops"], algorithm.oracle(problem)["hops"])
        alone = trace(algorithm, problem)
        np.testing.assert_array_equal(together.states["hops"], alone.states["hops"])
