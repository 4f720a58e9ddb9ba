"""What a certificate says, found the slow way: in plain Python on dictionaries, with NetworkX.

Exact arithmetic: for problems whose weights are small whole numbers.
"""

import math

import networkx as nx

from neuralexec import Problem, to_networkx

Edges = dict[tuple[int, int], float]  # (sender, receiver) -> weight


def edges_of(problem: Problem) -> Edges:
    graph = problem.graph
    ends = zip(graph.senders.tolist(), graph.receivers.tolist(), strict=True)
    return dict(zip(ends, graph.weights.tolist(), strict=True))


def path_cost(edges: Edges, source: int, pointers: list[int], node: int) -> float:
    """Of the path that the pointers give, infinite if they give none."""
    cost = 0.0
    for _ in pointers:
        if node == source:
            return cost
        if pointers[node] == node or (pointers[node], node) not in edges:
            return math.inf
        cost += edges[pointers[node], node]
        node = pointers[node]
    return math.inf


def shortest_paths(problem: Problem, distance: list[float], pointers: list[int]) -> dict:
    graph, edges, source = to_networkx(problem.graph), edges_of(problem), problem.source
    least = nx.single_source_dijkstra_path_length(graph, source, weight="weight")
    others = [node for node in least if node != source]
    costs = {node: path_cost(edges, source, pointers, node) for node in others}
    optimal = [
        pointers[node] != node
        and (pointers[node], node) in edges
        and least.get(pointers[node], math.inf) + edges[pointers[node], node] == least[node]
        for node in others
    ]
    stretches = [
        costs[node] / least[node] for node in others if costs[node] < math.inf and least[node] > 0
    ]
    valid_tree = pointers[source] == source and all(cost < math.inf for cost in costs.values())
    expected = [least.get(node, math.inf) for node in range(len(distance))]
    return {
        "exact": valid_tree and all(optimal) and distance == expected,
        "valid_tree": valid_tree,
        "valid_paths": share([cost < math.inf for cost in costs.values()]),
        "optimal_predecessors": share(optimal),
        "mean_stretch": sum(stretches) / len(stretches) if stretches else None,
        "worst_stretch": max(stretches, default=None),
        "distance_error": max(abs(distance[node] - least[node]) for node in least),
    }


def spanning_tree(problem: Problem, in_tree: list[bool], pointers: list[int]) -> dict:
    edges, source = edges_of(problem), problem.source
    graph = to_networkx(problem.graph)
    component = nx.node_connected_component(graph, source)
    others = sorted(component - {source})
    costs = [path_cost(edges, source, pointers, node) for node in others]
    valid_tree = pointers[source] == source and all(cost < math.inf for cost in costs)
    least = tree_weight(graph.subgraph(component))
    right = [(node in component) == in_tree[node] for node in range(len(in_tree))]
    ratio = None
    if valid_tree:
        found = sum(edges[pointers[node], node] for node in others)
        ratio = found / least if least else (math.inf if found else 1.0)
    optimal = [
        pointers[node] != node
        and (pointers[node], node) in edges
        and is_in_some_tree(graph.subgraph(component), pointers[node], node)
        for node in others
    ]
    return {
        "exact": all(right) and ratio == 1,
        "reached_accuracy": share(right),
        "valid_tree": valid_tree,
        "valid_paths": share([cost < math.inf for cost in costs]),
        "optimal_predecessors": share(optimal),
        "tree_weight_ratio": ratio,
    }


def is_in_some_tree(graph: nx.Graph, one: int, other: int) -> bool:
    """A minimum spanning tree that must hold this edge weighs no more than any."""
    forced = graph.copy()
    weight = forced[one][other]["weight"]
    forced[one][other]["weight"] = -1
    return tree_weight(forced) + 1 + weight == tree_weight(graph)


def tree_weight(graph: nx.Graph) -> float:
    return sum(data["weight"] for *_, data in nx.minimum_spanning_edges(graph))


def share(right: list[bool]) -> float:
    return sum(right) / len(right) if right else 1.0
