import subprocess
import sys
from pathlib import Path

import pytest

from neuralexec import __version__

VERBS = [
    "demo",
    "train",
    "evaluate",
    "models",
    "trace",
    "info",
    "generate",
    "algorithms",
    "families",
]


def test_the_version(neuralexec):
    assert neuralexec("--version").out == f"neuralexec {__version__}\n"


def test_help_names_every_verb(neuralexec):
    status, out, _ = neuralexec("--help")
    assert status == 0
    assert all(verb in out for verb in VERBS)


@pytest.mark.parametrize("verb", ["generate", "info", "trace"])
def test_help_of_a_verb_shows_a_real_command(neuralexec, verb):
    assert f"neuralexec {verb}" in neuralexec(verb, "--help").out


def test_the_command_starts_without_heavy_imports():
    """What makes `--help` answer at once: none of these is needed to print it."""
    code = (
        "import sys; from neuralexec.cli.main import app; "
        "print([name for name in ('numpy', 'scipy', 'torch', 'numba', 'networkx') "
        "if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "[]"


def test_no_verb_shows_the_help(neuralexec):
    status, out, err = neuralexec()
    assert (status, err) == (2, "")
    assert "Usage" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tracee"], "No such command 'tracee'"),
        (["trace", "x.csv"], "--algorithm"),
        (["generate", "tree"], "--out"),
        (["generate", "tree", "--nodes", "many", "--out", "x.csv"], "--nodes"),
        (["families", "--bogus"], "--bogus"),
    ],
)
def test_a_wrong_command_line_is_one_line(neuralexec, arguments, message):
    assert message in neuralexec.fails(*arguments)


def test_families_and_algorithms_are_listed(neuralexec):
    assert "barabasi-albert" in neuralexec("families").out
    assert "bellman-ford" in neuralexec("algorithms").out
    assert neuralexec("algorithms", "--markdown").out.startswith("| Algorithm | Inputs |")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    python = f"{sys.executable} -m neuralexec"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.replace("neuralexec", python)],
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("reader", ["head -n 1", "true"])
def test_a_reader_that_leaves_the_pipe_is_no_error(neuralexec, tmp_path, reader):
    graph = tmp_path / "graph.json"
    neuralexec("generate", "tree", "--nodes", 300, "--out", graph)
    result = shell(f"neuralexec trace {graph} --algorithm prim --source 0 --json | {reader}")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line():
    result = shell("neuralexec families > /dev/full")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "the output cannot be written: No space left" in result.stderr


def test_a_terminal_that_shows_only_ascii():
    result = shell("PYTHONIOENCODING=ascii neuralexec families")
    assert (result.returncode, result.stderr) == (0, "")
    assert "barabasi-albert" in result.stdout


@pytest.mark.parametrize(
    ("failure", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "neuralexec: interrupted\n"),
        (MemoryError(), 2, "neuralexec: this needs more memory than the machine has; "),
    ],
)
def test_what_ends_a_command_is_said(neuralexec, monkeypatch, failure, status, message):
    def fail() -> dict:
        raise failure

    monkeypatch.setattr("neuralexec.graphs.families.families", fail)
    result = neuralexec("families")
    assert result.status == status
    assert result.err.startswith(message)


def test_a_stopped_command_leaves_no_half_written_file(tmp_path):
    """SIGTERM in the middle of a write: the file beside is removed on the way out."""
    code = (
        "import os, signal, neuralexec.graphs.formats.npz as npz\n"
        "from neuralexec.__main__ import main\n"
        "real = npz.np.savez\n"
        "npz.np.savez = lambda *a, **k: os.kill(os.getpid(), signal.SIGTERM)\n"
        f"import sys; sys.argv = ['neuralexec', 'generate', 'tree', '--out', '{tmp_path}/t.npz']\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 143
    assert list(tmp_path.iterdir()) == []
