import json

import pytest

from neuralexec.evaluation.scores import load_scores
from neuralexec.training.run import train
from tests.training.tiny import tiny


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    train(tiny(max_epochs=1), folder)
    return folder


def test_ours_beside_the_paper_and_beside_doing_nothing(neuralexec):
    out = neuralexec("evaluate", "best-bfs-bellman-ford", "--sizes", "20,50").out
    [line] = [line for line in out.splitlines() if "predecessor, mean" in line]
    words = line.split()
    assert words[-2] == "94.7"  # the paper's, at 50 nodes
    assert float(words[-3]) > 90
    assert float(words[-1]) < 60
    assert max(map(len, out.splitlines())) <= 80


def test_every_protocol_and_family(neuralexec, run):
    out = neuralexec("evaluate", run, "--sizes=8", "--count=1", "--protocol=all", "--by-family").out
    for protocol in ("true-length", "own-termination", "teacher-forced"):
        assert f"bfs+bellman-ford, {protocol}, ladder" in out


def test_families_beside_table_9(neuralexec):
    out = neuralexec(
        "evaluate", "best-bfs-bellman-ford", "--sizes=100", "--families=tree", "--by-family"
    ).out
    [line] = [line for line in out.splitlines() if "predecessor, mean" in line]
    assert line.split()[-2] == "98.6"


def test_intervals(neuralexec, run):
    plain = neuralexec("evaluate", run, "--sizes=8", "--count=2").out
    wide = neuralexec("evaluate", run, "--sizes=8", "--count=2", "--intervals").out
    assert len(wide.splitlines()) > 2 * len(plain.splitlines()) - 10


def test_saved_scores_come_back(neuralexec, run, tmp_path):
    path = tmp_path / "scores.json"
    result = neuralexec("evaluate", run, "--sizes=8,12", "--count=1", "--out", path, "--json")
    assert result.status == 0
    printed = json.loads(result.out)
    assert [one.to_json() for one in load_scores(path)] == printed
    assert [one["num_nodes"] for one in printed] == [8, 12]
    assert len(printed[0]["data"]) == 64


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "neither a file nor a pretrained model; those are best-bfs-bellman-ford"),
        (["best-prim", "--sizes=20,many"], "--sizes must be whole numbers"),
        (["best-prim", "--sizes=0"], "at least 1"),
        (["best-prim", "--sizes=7"], "7 nodes"),
        (["best-prim", "--count=0"], "at least one graph"),
        (["best-prim", "--protocol=both"], "choose one of true-length"),
        (["best-prim", "--families=forest"], "unknown family"),
        (["best-prim", "--device=cuda"], "use --device cpu"),
        (["best-prim", "--seed=-1"], "seed must be 0 or more"),
        (["best-prim", "--out=/no/such/folder/scores.json"], "does not exist"),
    ],
)
def test_bad_requests_are_refused(neuralexec, monkeypatch, arguments, words):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert words in neuralexec.fails("evaluate", *arguments)


def test_a_damaged_checkpoint_is_refused(neuralexec, run, tmp_path):
    path = tmp_path / "half.safetensors"
    path.write_bytes((run / "model.safetensors").read_bytes()[:2000])
    assert "cut short" in neuralexec.fails("evaluate", path)
