import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import InputError
from neuralexec.batches import Edges
from neuralexec.batches import edges as edges_module
from neuralexec.batches.edges import Selection, ranges, starting_at_zero
from tests.models.small_graphs import (
    arcs_of,
    edges_from,
    edges_of,
    kite,
    many_problems,
    uneven,
    union,
    without_padding,
)


def own_arcs(edges: Edges, graph: int) -> list[tuple[int, int, float]]:
    """The arcs of one graph, its nodes counted from 0."""
    first = int(edges.node_offsets[graph])
    inside = edges.graph_of_node == graph
    return [(j - first, i - first, weight) for j, i, weight in arcs_of(edges) if inside[i]]


def check_whole(edges: Edges) -> None:
    """Sorted by receiver, and every count and offset fits."""
    assert (edges.receivers.diff() >= 0).all()
    into = edges.receivers.bincount(minlength=edges.num_nodes)
    assert torch.equal(edges.offsets.diff(), into)
    assert edges.offsets[0] == edges.node_offsets[0] == 0
    assert len(edges.senders) == len(edges.receivers) == len(edges.weights) == edges.num_edges
    graph_of = edges.graph_of_node
    assert len(graph_of) == edges.num_nodes == edges.node_offsets[-1]
    assert torch.equal(graph_of[edges.senders], graph_of[edges.receivers])


def test_counts_and_where_things_begin():
    edges = uneven()
    assert (edges.num_graphs, edges.num_nodes, edges.num_edges) == (2, 5, 5)
    assert edges.num_nodes_of_graph.tolist() == [3, 2]
    assert edges.graph_of_node.tolist() == [0, 0, 0, 1, 1]
    assert edges.edge_offsets.tolist() == [0, 3, 5]
    assert [of_graph.tolist() for of_graph in edges.sizes] == [[3, 2], [3, 2]]


def test_receivers_follow_from_where_edges_begin():
    edges = uneven()
    assert edges.receivers.tolist() == [1, 1, 2, 3, 4]
    assert edges.senders.dtype == edges.receivers.dtype == torch.int32


def test_each_edge_has_its_share_of_a_mean():
    """A node without edges is not divided by zero."""
    assert uneven().shares.tolist() == [[1], [0.5], [1], [1], [1]]
    assert uneven(torch.float64).shares.dtype == torch.float64


def test_a_node_without_edges_is_noticed():
    assert kite().reach_every_node
    assert not uneven().reach_every_node


def test_self_edges_are_one_a_node():
    assert kite().self_edges.tolist() == [0, 4, 8, 11]
    with pytest.raises(ValueError, match="exactly one self-edge"):
        _ = uneven().self_edges


DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.mark.parametrize("device", DEVICES)
@given(several=many_problems, data=st.data())
@settings(deadline=None, max_examples=40)
def test_selected_graphs_are_as_they_were(device, several, data):
    """In any order, left out or more than once."""
    edges = edges_of(several)
    graph = st.integers(0, len(several) - 1)
    graphs = data.draw(st.lists(graph, min_size=1, max_size=5))
    chosen = edges.to(device).select(torch.tensor(graphs))
    chosen = Selection(**{name: values.to("cpu") for name, values in vars(chosen).items()})
    check_whole(chosen.edges)
    assert chosen.edges.num_graphs == len(graphs)
    assert chosen.graphs.tolist() == graphs
    for place, graph in enumerate(graphs):
        assert own_arcs(chosen.edges, place) == own_arcs(edges, graph)
    # where everything came from
    new_nodes = torch.arange(chosen.edges.num_nodes)
    moved = chosen.nodes_moved[chosen.edges.graph_of_node]
    assert torch.equal(chosen.nodes + moved, new_nodes)
    new_edges = torch.arange(chosen.edges.num_edges)
    graph_of_edge = chosen.edges.graph_of_node[chosen.edges.receivers]
    old_edges = new_edges - chosen.edges_moved[graph_of_edge]
    assert torch.equal(edges.weights[old_edges], chosen.edges.weights)
    assert torch.equal(edges.senders[old_edges], chosen.nodes[chosen.edges.senders].int())
    assert chosen.edges.senders.dtype == torch.int32


@pytest.mark.parametrize("graphs", [[0], [2, 0], [1, 1, 2, 0]])
def test_padded_a_selection_is_the_same_with_room_to_spare(graphs):
    """Of three graphs of four nodes, with 1, 4 and 12 edges."""
    ring = edges_from([4], [(j, (j + 1) % 4, 0.1 + j) for j in range(4)])
    edges = union(edges_from([4], [(0, 3, 0.5)]), ring, kite())
    found, expected = edges.select_padded(torch.tensor(graphs)), edges.select(torch.tensor(graphs))
    assert found.edges.num_edges == 12 * len(graphs)
    assert found.edges.senders.dtype == torch.int32
    assert (found.edges.senders >= 0).all()
    assert arcs_of(without_padding(found.edges)) == arcs_of(expected.edges)
    for part in ("node_offsets", "offsets", "graph_of_node", "edge_offsets"):
        assert torch.equal(getattr(found.edges, part), getattr(expected.edges, part)), part
    for part in ("graphs", "nodes", "nodes_moved", "edges_moved"):
        assert torch.equal(getattr(found, part), getattr(expected, part)), part


@given(several=many_problems, data=st.data())
@settings(deadline=None, max_examples=30)
def test_the_first_graphs_are_those_selected(several, data):
    edges = edges_of(several)
    number = data.draw(st.integers(1, len(several)))
    first, selected = edges.first(number), edges.select(torch.arange(number)).edges
    check_whole(first)
    for part in ("node_offsets", "senders", "receivers", "offsets", "weights"):
        assert torch.equal(getattr(first, part), getattr(selected, part))
    assert first.senders.data_ptr() == edges.senders.data_ptr()  # nothing is copied
    counted = edges.up_to(number, selected.num_nodes, selected.num_edges)
    assert arcs_of(counted) == arcs_of(first)
    assert torch.equal(counted.node_offsets, first.node_offsets)


def test_no_graphs_can_be_selected():
    none = uneven().select(torch.tensor([], dtype=torch.int64)).edges
    assert (none.num_graphs, none.num_nodes, none.num_edges) == (0, 0, 0)


@given(several=many_problems)
@settings(deadline=None, max_examples=30)
def test_non_edges_are_all_other_pairs_of_a_graph(several):
    edges = edges_of(several)
    apart = edges.non_edges
    check_whole(apart)
    assert torch.equal(apart.node_offsets, edges.node_offsets)
    assert (apart.weights == 0).all()
    for graph, size in enumerate(edges.num_nodes_of_graph.tolist()):
        joined = {(j, i) for j, i, _ in own_arcs(edges, graph)}
        found = [(j, i) for j, i, _ in own_arcs(apart, graph)]
        assert found == [(j, i) for i in range(size) for j in range(size) if (j, i) not in joined]


def test_too_many_pairs_are_refused_by_the_largest_graph(monkeypatch):
    monkeypatch.setattr(edges_module, "MOST_NODES_WITH_NON_EDGES", 3)
    assert uneven().non_edges.num_edges == 9 + 4 - 5
    monkeypatch.setattr(edges_module, "MOST_NODES_WITH_NON_EDGES", 2)
    with pytest.raises(InputError, match="limited to graphs of 2 nodes; this one has 3"):
        _ = uneven().non_edges


def test_a_chosen_node_is_marked_and_no_choice_marks_none():
    edges = uneven()
    assert edges.mark(torch.tensor([2, 3])).tolist() == [False, False, True, True, False]
    assert not edges.mark(torch.tensor([-1, -1])).any()
    over_time = edges.mark(torch.tensor([[0, -1], [-1, 4]]))
    assert over_time.nonzero().tolist() == [[0, 0], [1, 4]]


def test_edges_move_to_a_device_whole():
    moved = kite().to("meta")
    assert all(values.is_meta for values in vars(moved).values())
    assert moved.device.type == "meta"


def test_lengths_and_ranges():
    assert starting_at_zero(torch.tensor([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert ranges(torch.tensor([4, 9, 0]), torch.tensor([2, 0, 3])).tolist() == [4, 5, 0, 1, 2]
    assert ranges(torch.tensor([], dtype=int), torch.tensor([], dtype=int)).tolist() == []
