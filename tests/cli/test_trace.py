import json

import pytest

from neuralexec import Graph, write_graph
from neuralexec.algorithms import Kind
from neuralexec.cli import values


def trace_json(neuralexec, *arguments):
    status, out, err = neuralexec("trace", *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_every_kind_can_be_shown():
    assert set(values._AS_JSON) == set(values._AS_TEXT) == set(values._AS_CHANGE) == set(Kind)


def test_bellman_ford_as_json(neuralexec, roads):
    assert trace_json(neuralexec, roads, "--algorithm", "bellman-ford", "--source", "a") == {
        "algorithm": "bellman-ford",
        "source": "a",
        "nodes": ["a", "b", "c", "d", "e"],
        "steps": [
            {
                "distance": [0.0, 1.0, 3.0, None, None],
                "predecessor": ["a", "a", "a", None, None],
            },
            {
                "distance": [0.0, 1.0, 2.0, None, None],
                "predecessor": ["a", "a", "b", None, None],
            },
            {
                "distance": [0.0, 1.0, 2.0, None, None],
                "predecessor": ["a", "a", "b", None, None],
            },
        ],
    }


def test_prim_as_json(neuralexec, roads):
    steps = trace_json(neuralexec, roads, "--algorithm", "prim", "--source", "c")["steps"]
    assert [step["next"] for step in steps] == ["b", "a", None]
    assert steps[-1]["in_tree"] == [True, True, True, False, False]
    assert steps[-1]["predecessor"] == ["b", "c", "c", None, None]


def test_bfs_as_json(neuralexec, roads):
    steps = trace_json(neuralexec, roads, "--algorithm", "bfs", "--source", "e")["steps"]
    assert steps == [{"reachable": [False, False, False, True, True]}] * 2


def test_components_need_no_source(neuralexec, roads):
    run = trace_json(neuralexec, roads, "--algorithm", "connected-components")
    assert run["source"] is None
    labels = run["steps"][-1]["label"]
    assert labels[0] == labels[1] == labels[2] != labels[3] == labels[4]


def test_the_last_step_only(neuralexec, roads):
    whole = trace_json(neuralexec, roads, "--algorithm", "prim", "--source", "c")
    last = trace_json(neuralexec, roads, "--algorithm", "prim", "--source", "c", "--last")
    assert last["steps"] == whole["steps"][-1:]
    out = neuralexec("trace", roads, "--algorithm", "prim", "--source", "c", "--last").out
    assert "Terminated at step 3" in out


def test_a_directed_reading(neuralexec, roads):
    run = trace_json(neuralexec, roads, "--directed", "--algorithm", "bfs", "--source", "c")
    assert run["steps"] == [{"reachable": [False, False, True, False, False]}]


@pytest.mark.parametrize("algorithm", ["bfs", "bellman-ford", "prim", "dijkstra"])
def test_the_table_shows_every_step(neuralexec, roads, algorithm):
    status, out, _ = neuralexec("trace", roads, "--algorithm", algorithm, "--source", "a")
    assert status == 0
    assert "start" in out
    assert "The last step changes nothing" in out
    steps = trace_json(neuralexec, roads, "--algorithm", algorithm, "--source", "a")["steps"]
    rows = [line for line in out.splitlines() if line.startswith("│  ")]
    assert [row.split()[1] for row in rows] == [str(t) for t in range(1, len(steps) + 1)]


def test_the_table_shows_what_changes(neuralexec, roads):
    out = neuralexec("trace", roads, "--algorithm", "bellman-ford", "--source", "a").out
    assert "b: 1, c: 3" in out
    assert "c ← b" in out
    assert "∞" in out


@pytest.mark.parametrize("verb", [["info"], ["trace", "--algorithm", "bfs", "--source", "z"]])
def test_names_are_shown_as_they_are(neuralexec, tmp_path, verb):
    names = ["[/red]", "00:ab:cd", "a\\", "z"]
    path = tmp_path / "odd.json"
    write_graph(Graph.from_edges(4, [0, 1, 2], [1, 2, 3], names=names), path)
    status, out, _ = neuralexec(verb[0], path, *verb[1:])
    assert status == 0
    assert all(f"{name} " in out or f"{name}," in out for name in names[:3])


@pytest.mark.parametrize("verb", [["info"], ["trace", "--algorithm", "bfs", "--source", "z"]])
def test_names_never_reach_the_terminal_as_commands(neuralexec, tmp_path, verb):
    path = tmp_path / "odd.json"
    path.write_text(
        r'{"nodes": [{"id": "a\u001b[31m"}, {"id": "b\ud800"}, {"id": "z"}],'
        r' "edges": [{"source": "z", "target": "b\ud800"}]}'
    )
    status, out, _ = neuralexec(verb[0], path, *verb[1:])
    assert status == 0
    assert "\x1b" not in out
    assert r"a\x1b[31m" in out
    assert r"b\ud800" in out


def test_a_large_graph_is_cut_short(neuralexec, tmp_path):
    path = tmp_path / "tree.npz"
    neuralexec("generate", "tree", "--nodes", 60, "--out", path)
    arguments = ("trace", path, "--algorithm", "bfs", "--source", 0)
    assert "and 20 more nodes; --json prints all" in neuralexec(*arguments, "--last").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--algorithm", "astar", "--source", "a"], "unknown algorithm 'astar'"),
        (["--algorithm", "bfs", "--source", "z"], "no node is named 'z'; the graph has 5 nodes"),
        (["--algorithm", "bfs"], "starts from a source; name one"),
        (["--algorithm", "prim", "--source", "a", "--directed"], "undirected graphs"),
        (["--algorithm", "bfs", "--source", "a", "--format", "gif"], "unknown format 'gif'"),
    ],
)
def test_what_cannot_be_traced_is_refused(neuralexec, roads, arguments, message):
    assert message in neuralexec.fails("trace", roads, *arguments)
    assert message in neuralexec.fails("trace", roads, *arguments, "--json")


def test_a_missing_file_is_named(neuralexec, tmp_path):
    missing = tmp_path / "missing.csv"
    message = neuralexec.fails("trace", missing, "--algorithm", "bfs", "--source", "a")
    assert str(missing) in message


def test_duplicate_edges_warn_in_one_line(neuralexec, tmp_path):
    path = tmp_path / "double.csv"
    path.write_text("a,b,2\nb,a,1\n")
    status, out, err = neuralexec("trace", path, "--algorithm", "bfs", "--source", "a")
    assert status == 0
    assert out
    assert err == f"warning: {path}: 1 duplicate edge: the lightest of each is kept\n"
    refused = neuralexec.fails("trace", path, "--algorithm", "bfs", "--source", "z")
    assert refused.startswith("no node is named 'z'")
