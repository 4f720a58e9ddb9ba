"""What each table of the paper shows, in a title and a sentence."""

from typing import NamedTuple


class Title(NamedTuple):
    name: str
    about: str
    caption: str


_VARIANTS = (
    "curriculum: reachability is learnt first; no-reach: trained without reachability; "
    "no-algo: trained on the answer alone, without the steps that lead there."
)

TITLES: dict[str, Title] = {
    "table1": Title(
        "Table 1",
        "reachability",
        "Breadth-first search: the share of nodes whose reachability is right, over all steps and "
        "at the end. Trained on 20 nodes.",
    ),
    "table2": Title(
        "Table 2",
        "shortest-path predecessors",
        "Bellman-Ford: the share of nodes that point at their true predecessor. Trained on "
        f"20 nodes. {_VARIANTS}",
    ),
    "table3": Title(
        "Table 3",
        "distances and termination",
        "Bellman-Ford: the squared error of the distances, and how often the network is right "
        f"about whether the algorithm has ended; over all steps. Trained on 20 nodes. {_VARIANTS}",
    ),
    "table4": Title(
        "Table 4",
        "graphs up to 75 times larger",
        "Bellman-Ford: the predecessors of a network trained on 20 nodes, on ever larger graphs.",
    ),
    "table5": Title(
        "Table 5",
        "trained on one family",
        "Breadth-first search and Bellman-Ford on 100 nodes of every family, after training on "
        "20 nodes of a single one.",
    ),
    "table6": Title(
        "Table 6",
        "minimum spanning trees",
        "Prim: how often the next node of the tree is the right one, and the share of nodes with "
        "the right predecessor in the tree. no-algo: trained on the predecessors alone.",
    ),
    "table8": Title(
        "Table 8",
        "trained on 100 nodes, executed on 1000",
        "Breadth-first search and Bellman-Ford on 1000 nodes, after training on larger graphs.",
    ),
    "table9": Title(
        "Table 9",
        "family by family",
        "Breadth-first search and Bellman-Ford on 100 nodes, after training on 20 nodes of all "
        "families; each family by itself.",
    ),
    "appendixE": Title(
        "Appendix E",
        "explanations of reachability",
        "For every reachable node of the training graphs, the neighbour that a GNNExplainer finds "
        "most important: how many paths back to the source are without a fault, and how many "
        "single steps are right.",
    ),
}


def title_of(table: str) -> Title:
    """Also of a table that the paper does not have."""
    return TITLES.get(table, Title(table, "beyond the paper", ""))
