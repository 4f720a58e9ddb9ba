"""NumPy archives: the graph's own arrays, or a matrix saved by `scipy.sparse.save_npz`.

Nothing in an archive is trusted: it is loaded without pickle and built anew from its edges.
"""

import io
import zipfile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.errors import InputError
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.names import NumberNames

MEMORY_PER_BYTE = 2
FIELDS = ("num_nodes", "directed", "senders", "receivers", "weights")


def read(source: Source, directed: bool | None) -> Graph:
    content = io.BytesIO(source.content(MEMORY_PER_BYTE))
    if not zipfile.is_zipfile(content):
        raise InputError("is no NumPy archive, or a damaged one")
    with np.load(content, allow_pickle=False) as archive:
        if "format" in archive and "shape" in archive:
            return _read_scipy(source, directed)
        missing = [field for field in FIELDS if field not in archive]
        if missing:
            raise InputError(f"is no graph archive: it has no {', '.join(missing)}")
        num_nodes, is_directed = archive["num_nodes"], archive["directed"]
        if num_nodes.dtype.kind not in "ui" or is_directed.dtype != bool:
            raise InputError("is no graph archive: num_nodes must be whole, directed true or false")
        return Graph.from_edges(
            int(num_nodes),
            archive["senders"],
            archive["receivers"],
            archive["weights"],
            directed=bool(is_directed) if directed is None else directed,
            names=_read_names(archive),
            coordinates=archive.get("coordinates"),
        )


def _read_scipy(source: Source, directed: bool | None) -> Graph:
    from scipy.sparse import load_npz

    from neuralexec.graphs.convert.scipy import from_scipy

    return from_scipy(load_npz(io.BytesIO(source.content(MEMORY_PER_BYTE))), directed=directed)


def _read_names(archive: Any) -> list[Any] | None:
    if "numbers" in archive:
        numbers: list[Any] = archive["numbers"].tolist()
        return numbers
    if "words" not in archive:
        return None
    text = archive["words"].tobytes()
    stops = np.cumsum(archive["word_lengths"]).tolist()
    if stops[-1:] != [len(text)]:
        raise InputError("is no graph archive: its names are not as long as it says")
    return [text[start:stop].decode() for start, stop in zip([0, *stops], stops, strict=False)]


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    senders, receivers, weights = graph.edges()
    arrays: dict[str, NDArray[Any]] = {
        "num_nodes": np.array(graph.num_nodes),
        "directed": np.array(graph.directed),
        "senders": senders,
        "receivers": receivers,
        "weights": weights,
    }
    if graph.coordinates is not None:
        arrays["coordinates"] = graph.coordinates
    if isinstance(graph.names, NumberNames):
        if not np.array_equal(graph.names.numbers, range(graph.num_nodes)):
            arrays["numbers"] = np.asarray(graph.names.numbers)
    else:
        # One run of bytes: a fixed width would give every name the length of the longest.
        words = [name.encode() for name in graph.names]
        arrays["words"] = np.frombuffer(b"".join(words), dtype=np.uint8)
        arrays["word_lengths"] = np.array([len(word) for word in words])
    archive = io.BytesIO()  # an archive is not written from start to end, as a stream is
    np.savez(archive, allow_pickle=False, **arrays)
    stream.write(archive.getbuffer())


format = Format(
    name="npz",
    title="a NumPy archive",
    extensions=(".npz",),
    read=read,
    write=write,
    recognises=lambda beginning: beginning.startswith((b"PK\x03\x04", b"PK\x05\x06")),
)
