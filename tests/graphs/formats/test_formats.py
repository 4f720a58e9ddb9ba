"""Choosing a format, and writing a file whole or not at all."""

import gzip
import os

import pytest

from neuralexec import Graph, InputError, read_graph, write_graph
from neuralexec.graphs.formats import formats

GRAPH = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.25], names=["a", "b", "c"])


def test_the_formats_are_discovered():
    assert set(formats()) == {"edge-list", "matrix-market", "dimacs", "graphml", "json", "npz"}


@pytest.mark.parametrize("extension", [".mtx", ".gr", ".graphml", ".json", ".npz"])
@pytest.mark.parametrize("zipped", ["", ".gz"])
def test_content_tells_the_format_whatever_the_name(extension, zipped, tmp_path):
    path = tmp_path / f"graph{extension}{zipped}"
    write_graph(GRAPH, path)
    for name in ("graph", "graph.txt", "graph.csv.gz"):
        path.rename(tmp_path / name)
        path = tmp_path / name
        assert read_graph(path) == GRAPH


def test_a_file_of_no_known_extension_is_an_edge_list(tmp_path):
    path = tmp_path / "edges"
    path.write_text("a b 0.5\nb c 0.25\n")
    assert read_graph(path) == GRAPH


def test_a_format_can_be_named_by_name_or_extension(tmp_path):
    path = tmp_path / "graph.dat"
    for name in ("csv", ".mtx", "json", "edge-list"):
        write_graph(GRAPH, path, format=name)
        assert read_graph(path, format=name) == GRAPH


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (
            lambda path: write_graph(GRAPH, path / "x.png"),
            "unknown extension '.png'; choose one of",
        ),
        (lambda path: write_graph(GRAPH, path / "x.csv", format="gif"), "unknown format 'gif'"),
        (lambda path: read_graph(path / "x.csv", format="gif"), "unknown format 'gif'"),
        (lambda path: read_graph(path / "x.csv"), "no such file"),
        (lambda path: read_graph(path), "is a folder, not a file"),
        (lambda path: read_graph("/dev/null"), "is not a regular file"),
        (lambda path: write_graph(GRAPH, path / "no" / "x.csv"), "the folder .* does not exist"),
        (lambda path: write_graph(GRAPH, path, format="csv"), "is a folder"),
    ],
)
def test_what_cannot_be_opened_is_refused(act, message, tmp_path):
    with pytest.raises(InputError, match=message):
        act(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_choices_are_listed(tmp_path):
    with pytest.raises(InputError) as refused:
        write_graph(GRAPH, tmp_path / "x.png")
    for each in formats().values():
        assert each.name in str(refused.value)
        assert each.extensions[0] in str(refused.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n")
    path.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        read_graph(path)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "graph.json"
    write_graph(GRAPH, path)
    before = path.read_bytes()

    def fail(graph, stream, extension):
        stream.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        "neuralexec.graphs.formats._by_extension",
        lambda extension: type(formats()["json"])("json", "", (".json",), None, fail),
    )
    with pytest.raises(InputError, match=r"graph.json: cannot be written: No space left"):
        write_graph(GRAPH, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["graph.json"]


def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(graph, stream, extension):
        stream.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "neuralexec.graphs.formats._by_extension",
        lambda extension: type(formats()["json"])("json", "", (".json",), None, interrupt),
    )
    with pytest.raises(KeyboardInterrupt):
        write_graph(GRAPH, tmp_path / "graph.json")
    assert list(tmp_path.iterdir()) == []


def test_zipped_files_carry_no_time(tmp_path):
    write_graph(GRAPH, tmp_path / "a.csv.gz")
    head = (tmp_path / "a.csv.gz").read_bytes()[:8]
    assert head[:2] == b"\x1f\x8b"
    assert head[4:8] == bytes(4)


def test_a_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.csv"
    path.touch()
    path.chmod(0o640)
    write_graph(GRAPH, path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_zipped_file_larger_than_memory_is_refused_while_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 1_000_000)
    path = tmp_path / "graph.json.gz"
    path.write_bytes(gzip.compress(b'{"nodes": [' + b" " * 10_000_000))
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match="this file needs about"):
        read_graph(path)


@pytest.mark.parametrize("names", [["source", "target", "weight"], ["from", "to", "x"]])
@pytest.mark.parametrize("name", ["graph.csv", "graph.tsv", "graph.txt"])
def test_nodes_may_be_called_like_columns(tmp_path, names, name):
    graph = Graph.from_edges(3, [0, 1], [1, 2], names=names)
    write_graph(graph, tmp_path / name)
    assert read_graph(tmp_path / name) == graph


def test_a_name_that_would_mislead_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"would not be read as an edge list: name it x.csv"):
        write_graph(GRAPH, tmp_path / "x.json", format="csv")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (gzip.compress(b"a,b,1\n" * 9999, mtime=0)[:-20], "ends early or is damaged"),
        (b"\x1f\x8b\x08rubbish", "ends early or is damaged"),
        (b"\x00\x01\x02\x03" * 50, "is not text and of no known format"),
        (b"x" * 100_000, "has no line break in its first 65,536 bytes"),
    ],
    ids=["nothing", "nothing zipped", "cut short", "not zipped", "binary", "one endless line"],
)
def test_rubbish_is_refused(content, message, tmp_path):
    path = tmp_path / "graph"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        read_graph(path)
    assert str(refused.value).startswith(f"{path}: ")


def test_a_long_message_is_cut(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("a,b,1\nb,c," + "9x" * 5000 + "\n")
    with pytest.raises(InputError) as refused:
        read_graph(path)
    assert len(str(refused.value)) < 450
