import pytest

from neuralexec import families, read_graph


@pytest.mark.parametrize("family", families())
def test_a_graph_of_every_family(neuralexec, tmp_path, family):
    path = tmp_path / "graph.json"
    status, out, _ = neuralexec("generate", family, "--nodes", 20, "--out", path)
    assert status == 0
    assert f"{path}: 20 nodes" in out
    graph = read_graph(path)
    assert graph.num_nodes == graph.num_self_edges == 20


def test_the_seed_decides(neuralexec, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        neuralexec("generate", "tree", "--seed", seed, "--out", tmp_path / f"{name}.csv")
    a, b, c = (tmp_path.joinpath(f"{name}.csv").read_text() for name in "abc")
    assert a == b != c


def test_several_graphs_are_numbered(neuralexec, tmp_path):
    neuralexec("generate", "tree", "--count", 11, "--out", tmp_path / "t.csv.gz")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"t-{index:02}.csv.gz" for index in range(11)]
    graphs = [read_graph(tmp_path / name) for name in names]
    assert graphs[0] != graphs[1]


def test_a_folder_takes_files_named_by_family(neuralexec, tmp_path):
    neuralexec("generate", "tree", "--count", 2, "--out", tmp_path)
    neuralexec("generate", "grid", "--out", tmp_path, "--format", "edge-list")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["grid.txt", "tree-0.json", "tree-1.json"]


def test_all_files_or_none(neuralexec, tmp_path):
    (tmp_path / "t-1.csv").mkdir()
    assert "t-1.csv: is a folder" in neuralexec.fails(
        "generate", "tree", "--count", 3, "--out", tmp_path / "t.csv"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["t-1.csv"]


def test_dots_in_a_name_stay(neuralexec, tmp_path):
    neuralexec("generate", "tree", "--count", 2, "--out", tmp_path / "v1.2.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v1.2-0.csv", "v1.2-1.csv"]


def test_self_edges_can_be_left_out(neuralexec, tmp_path):
    neuralexec("generate", "grid", "--no-self-edges", "--out", tmp_path / "g.npz")
    assert read_graph(tmp_path / "g.npz").num_self_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lader", "--out", "x.csv"], "unknown family 'lader' (did you mean 'ladder'?)"),
        (["ladder", "--nodes", 21, "--out", "x.csv"], "use 20 or 22"),
        (["tree", "--nodes", 0, "--out", "x.csv"], "at least one node"),
        (["tree", "--count", 0, "--out", "x.csv"], "--count must be at least 1"),
        (["tree", "--seed", -1, "--out", "x.csv"], "seed must be 0 or more"),
        (["tree", "--out", "x.xyz"], "edge-list"),
        (["tree", "--out", "x.csv", "--format", "xyz"], "unknown format 'xyz'"),
        (["tree", "--out", "no/such/folder/x.csv"], "no/such/folder"),
        (["ladder", "--nodes", 10**9, "--out", "x.csv"], "GB of memory"),
        (["tree", "--out", "x.json", "--format", "csv"], "name it x.csv"),
        (["4-community", "--nodes", 10**9, "--out", "x.csv"], "GB of memory"),
    ],
)
def test_what_cannot_be_generated_is_refused(neuralexec, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in neuralexec.fails("generate", *arguments)
    assert list(tmp_path.iterdir()) == []
