"""The paper's data set the way one would build it with NetworkX: graphs, weights, every trace."""

import math
import random
from typing import Any

import networkx as nx

SIZES = (
    ("train", 20, 100),
    ("validation", 20, 5),
    ("test", 20, 5),
    ("test", 50, 5),
    ("test", 100, 5),
)


def grid(n: int) -> nx.Graph:
    rows = next(rows for rows in range(math.isqrt(n), 0, -1) if n % rows == 0)
    return nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, n // rows))


def erdos_renyi(n: int) -> nx.Graph:
    return nx.gnp_random_graph(n, min(math.log2(n) / n, 0.5), seed=random)


def barabasi_albert(n: int) -> nx.Graph:
    return nx.barabasi_albert_graph(n, random.choice((4, 5)), seed=random)


def community(n: int) -> nx.Graph:
    return nx.random_partition_graph([n // 4] * 4, 0.7, 0.01, seed=random)


def caveman(n: int) -> nx.Graph:
    graph = nx.caveman_graph(4, n // 4)
    graph.remove_edges_from([edge for edge in graph.edges if random.random() < 0.7])
    shortcuts = max(1, int(0.025 * n))
    while shortcuts:
        one, other = random.sample(range(n), 2)
        if one // (n // 4) != other // (n // 4) and not graph.has_edge(one, other):
            graph.add_edge(one, other)
            shortcuts -= 1
    return graph


FAMILIES = (
    lambda n: nx.ladder_graph(n // 2),
    grid,
    lambda n: nx.random_labeled_tree(n, seed=random),
    erdos_renyi,
    barabasi_albert,
    community,
    caveman,
)


def dress(graph: nx.Graph) -> nx.Graph:
    graph.add_edges_from((node, node) for node in list(graph))
    for _, _, data in graph.edges(data=True):
        data["weight"] = random.uniform(0.2, 1.0)
    return graph


def trace_bfs(graph: nx.Graph, source: int) -> list[Any]:
    states = [{node: node == source for node in graph}]
    while True:
        old = states[-1]
        new = {node: old[node] or any(old[other] for other in graph.adj[node]) for node in graph}
        states.append(new)
        if new == old:
            return states


def trace_bellman_ford(graph: nx.Graph, source: int, infinity: float) -> list[Any]:
    states: list[Any] = [({node: 0.0 if node == source else infinity for node in graph}, {})]
    while True:
        old = states[-1][0]
        new, predecessor = {}, {}
        for node in graph:
            cost, through = min(
                (old[other] + data["weight"], other) for other, data in graph.adj[node].items()
            )
            new[node] = min(old[node], cost)
            predecessor[node] = source if node == source else through
        states.append((new, predecessor))
        if new == old:
            return states


def trace_prim(graph: nx.Graph, source: int) -> list[Any]:
    in_tree, predecessor = {source}, {source: source}
    states: list[Any] = [(frozenset(in_tree), None, dict(predecessor))]
    while True:
        crossing = [
            (data["weight"], node, other)
            for other in in_tree
            for node, data in graph.adj[other].items()
            if node not in in_tree
        ]
        if not crossing:
            states.append((frozenset(in_tree), None, dict(predecessor)))
            return states
        _, node, other = min(crossing)
        in_tree.add(node)
        predecessor[node] = other
        states.append((frozenset(in_tree), node, dict(predecessor)))


def build() -> list[Any]:
    problems = []
    for _, num_nodes, count in SIZES:
        for family in FAMILIES:
            for _ in range(count):
                graph = dress(family(num_nodes))
                source = random.randrange(num_nodes)
                lengths = nx.single_source_dijkstra_path_length(graph, source)
                infinity = max(lengths.values()) + 1
                traces = (
                    trace_bfs(graph, source),
                    trace_bellman_ford(graph, source, infinity),
                    trace_prim(graph, source),
                )
                problems.append((graph, source, infinity, traces))
    return problems


def gnp(num_nodes: int) -> nx.Graph:
    """NetworkX's fast generator, for sparse graphs."""
    return nx.fast_gnp_random_graph(num_nodes, math.log2(num_nodes) / num_nodes, seed=0)
