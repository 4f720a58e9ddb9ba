"""Random problems of every awkward kind: one node, disconnected, tied, directed, weightless."""

import numpy as np
from hypothesis import strategies as st

from neuralexec import Graph, Problem


@st.composite
def problems(draw, *, directed: bool | None = None, distinct: bool = False) -> Problem:
    """`distinct` weights make every answer unique; otherwise ties and zeros are common."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    num_nodes = draw(st.integers(1, 9))
    density = draw(st.sampled_from([0.0, 0.15, 0.3, 0.6, 1.0]))
    if directed is None:
        directed = draw(st.booleans())
    pairs = np.argwhere(rng.random((num_nodes, num_nodes)) < density)
    if not directed:
        pairs = pairs[pairs[:, 0] <= pairs[:, 1]]
    if distinct:
        weights = 0.2 + 0.8 * rng.random(len(pairs))
    else:
        weights = rng.integers(0, 3, len(pairs)).astype(float)
    graph = Graph.from_edges(num_nodes, pairs[:, 0], pairs[:, 1], weights, directed=directed)
    return Problem(graph, int(rng.integers(num_nodes)), priorities=rng.random(num_nodes))
