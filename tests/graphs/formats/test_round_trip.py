"""Contract of every format: what is written is read back equal, and nothing breaks a reader."""

import gzip
import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, InputError, InputWarning, read_graph, write_graph
from neuralexec.graphs.formats import formats
from tests.graphs.graph_strategies import graphs, odd_names, plain_names

EXTENSIONS = [extension for format in formats().values() for extension in format.extensions]
KEEP_COORDINATES = {".graphml", ".xml", ".json", ".npz"}
TAKE_ANY_NAME = {".json", ".npz", ".mtx", ".gr", ".csv", ".tsv", ".graphml", ".xml"}
SAMPLE = Graph.from_edges(
    4, [0, 1, 2, 3], [1, 2, 0, 3], [0.5, 1 / 3, 2.0, 0.0], names=["a", "b", "c", "d"]
)

every_extension = pytest.mark.parametrize("extension", EXTENSIONS)


@every_extension
@given(data=st.data(), zipped=st.booleans())
@settings(deadline=None, max_examples=60)
def test_what_is_written_is_read_back_equal(extension, data, zipped):
    names = odd_names if extension in TAKE_ANY_NAME else plain_names
    graph = data.draw(graphs(names=names))
    with TemporaryDirectory() as folder:
        path = Path(folder, "graph" + extension + (".gz" if zipped else ""))
        write_graph(graph, path)
        found = read_graph(path)
    if extension not in KEEP_COORDINATES:
        graph = replace(graph, coordinates=None)
    assert found == graph


def test_the_papers_graphs_survive_every_format(tmp_path):
    from neuralexec import Split

    for problem in Split("train", 20, 1).draw():
        for extension in EXTENSIONS:
            path = tmp_path / f"graph{extension}"
            write_graph(problem.graph, path)
            assert read_graph(path).checksum() == problem.graph.checksum()


def read_anything(content: bytes, name: str, **options) -> Graph | InputError:
    """Reading may succeed or be refused in one line; anything else escapes and fails the test."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            return read_graph(path, **options)
        except InputError as error:
            refusal = error
    assert str(refusal).startswith(str(path))
    assert "\n" not in str(refusal)
    return refusal


@every_extension
@given(content=st.binary(max_size=300))
@settings(deadline=None, max_examples=80)
def test_random_bytes_never_break_a_reader(extension, content):
    read_anything(content, "graph" + extension)


@every_extension
@given(content=st.text("0123456789 .,;-+eE#%ap\n\t\"'xnodesinf{}[]<>:/", max_size=200))
@settings(deadline=None, max_examples=80)
def test_random_text_never_breaks_a_reader(extension, content):
    read_anything(content.encode(), "graph" + extension)


@every_extension
@given(data=st.data())
@settings(deadline=None, max_examples=120)
def test_broken_files_never_break_a_reader(extension, data):
    with TemporaryDirectory() as folder:
        path = Path(folder, "graph" + extension)
        write_graph(SAMPLE, path)
        content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.sampled_from([*b"\0\n 09-.,\"'a<{[#%e", 255]))
    content = content[: data.draw(st.integers(1, len(content)))]
    if data.draw(st.booleans()):
        content = bytearray(gzip.compress(bytes(content)))
        content = content[: data.draw(st.integers(1, len(content)))]
    read_anything(bytes(content), "graph" + extension)


@every_extension
@pytest.mark.parametrize("name", formats())
def test_a_file_of_another_format_is_read_or_refused(extension, name, tmp_path):
    path = tmp_path / f"graph{extension}"
    write_graph(SAMPLE, path)
    found = read_anything(path.read_bytes(), "graph.dat", format=name)
    if extension in formats()[name].extensions:
        assert found == SAMPLE
