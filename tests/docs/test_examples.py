"""What the documentation shows is run as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import (
    collate,
    draw_graph,
    find_task,
    run_to_end,
    trace,
    trace_all,
    write_graph,
)
from neuralexec.graphs.splits import Split
from neuralexec.models.processors import Options
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
def test_commands_run_and_print_what_the_page_shows(page, tmp_path):
    printed = ""
    for commands in blocks(page, "bash"):
        result = shell(commands, tmp_path)
        assert result.returncode == 0, result.stderr
        printed += result.stdout
    for block in blocks(page, "text"):
        for line in block.splitlines():
            assert line in printed


def test_the_readme_shows_something():
    assert blocks(ROOT / "README.md", "text")


def test_the_readme_python_runs(capsys):
    [code] = blocks(ROOT / "README.md", "python")
    exec(code, {})
    assert capsys.readouterr().out.split()[0].isdigit()


def test_the_guide_to_executors_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_graph(draw_graph("ladder", 8, np.random.default_rng(1)), tmp_path / "ladder.json")
    [code] = blocks(ROOT / "docs" / "executors.md", "python")
    exec(code, {})
    printed = capsys.readouterr().out
    assert printed.startswith("Execution(bfs+bellman-ford on Graph(8 nodes")
    assert "bellman-ford: " in printed


def test_the_example_processor_keeps_the_contract():
    [code] = blocks(ROOT / "docs" / "add_a_processor.md", "python")
    names: dict = {}
    exec(code, names)
    processor = names["processor"]
    torch.manual_seed(0)
    network = processor.build(Options(latent=8)).eval()
    batch = collate(Split("train", 8, 1).draw(), find_task("bfs"))
    encoded = torch.randn(batch.num_nodes, 8)
    whole = network(encoded, batch.edges).latent
    some = torch.tensor([4, 2])
    chosen = batch.edges.select(some)
    alone = network(encoded[chosen.nodes], chosen.edges).latent
    torch.testing.assert_close(alone, whole[chosen.nodes])
    ones = torch.ones(batch.edges.num_edges)
    torch.testing.assert_close(network(encoded, batch.edges, ones).latent, whole)
    ajar = torch.linspace(0.1, 1, batch.edges.num_edges)
    assert not torch.allclose(network(encoded, batch.edges, ajar).latent, whole)


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
