"""The paper's equations written once more, in plain Python on dictionaries, to check against.

Nothing is shared with the package but the order of nodes: states are lists of values.
"""

import math

Edges = dict[tuple[int, int], float]  # (sender, receiver) -> weight


def bfs(num_nodes: int, edges: Edges, source: int) -> list[dict[str, list]]:
    reached = [node == source for node in range(num_nodes)]
    steps = []
    while True:
        new = [
            reached[i] or any(reached[j] for (j, k) in edges if k == i) for i in range(num_nodes)
        ]
        steps.append({"reachable": new})
        if new == reached:
            return steps
        reached = new


def bellman_ford(
    num_nodes: int, edges: Edges, source: int, infinity: float = math.inf
) -> list[dict[str, list]]:
    distance = [0.0 if node == source else infinity for node in range(num_nodes)]
    steps = []
    while True:
        new, predecessor = list(distance), []
        for i in range(num_nodes):
            offers = sorted((distance[j] + weight, j) for (j, k), weight in edges.items() if k == i)
            usable = [offer for offer in offers if offer[0] < math.inf]
            if usable:
                new[i] = min(distance[i], usable[0][0])
            if i == source:
                predecessor.append(i)
            else:
                predecessor.append(usable[0][1] if usable else -1)
        steps.append({"distance": new, "predecessor": predecessor})
        if new == distance:
            return steps
        distance = new


def prim(num_nodes: int, edges: Edges, source: int) -> list[dict[str, list]]:
    tree, predecessor = {source}, [-1] * num_nodes
    predecessor[source] = source
    steps = []
    while True:
        crossing = sorted(
            (weight, i, j) for (j, i), weight in edges.items() if j in tree and i not in tree
        )
        chosen = -1
        if crossing:
            _, chosen, through = crossing[0]
            tree.add(chosen)
            predecessor[chosen] = through
        steps.append(
            {
                "in_tree": [node in tree for node in range(num_nodes)],
                "next": chosen,
                "predecessor": list(predecessor),
            }
        )
        if not crossing:
            return steps
