"""Random graphs of every awkward kind, with every kind of name."""

import numpy as np
from hypothesis import strategies as st

from neuralexec import Graph

plain_names = st.text("abcxyz", min_size=1, max_size=4)
odd_names = st.one_of(
    plain_names,
    st.sampled_from(["a b", "a,b", "a;b", 'say "hi"', "#1", "%2", "007", "-1", "1.5", "nan", "ß"]),
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6),
)


@st.composite
def graphs(draw, *, names: st.SearchStrategy[str] = odd_names, coordinates: bool = True) -> Graph:
    num_nodes = draw(st.integers(1, 7))
    directed = draw(st.booleans())
    nodes = range(num_nodes)
    pairs = [(i, j) for i in nodes for j in nodes if directed or i <= j]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12))
    weight = st.one_of(
        st.sampled_from([0.0, 1.0, 0.1, 1 / 3, 5e-324, 1e300, 2.0**53]),
        st.floats(0, 1e6),
    )
    weights = draw(st.lists(weight, min_size=len(chosen), max_size=len(chosen)))
    called = draw(
        st.one_of(
            st.none(),
            st.just(range(1, num_nodes + 1)),
            st.lists(st.integers(-5, 10**12), min_size=num_nodes, max_size=num_nodes, unique=True),
            st.lists(names, min_size=num_nodes, max_size=num_nodes, unique=True),
        )
    )
    places = None
    if coordinates and draw(st.booleans()):
        places = np.random.default_rng(0).normal(size=(num_nodes, 2))
    return Graph.from_edges(
        num_nodes,
        [sender for sender, _ in chosen],
        [receiver for _, receiver in chosen],
        np.array(weights, dtype=float),
        directed=directed,
        names=called,
        coordinates=places,
    )
