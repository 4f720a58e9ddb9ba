"""Independent coin tosses over node pairs, at the cost of the successes only.

The gap to the next success is geometric. It is drawn by looking a uniform number up among the
powers of the failure probability, which are products alone: no logarithm, whose last bit differs
between processors, so the same seed gives the same graph on every machine.
"""

import numpy as np
from numpy.typing import NDArray

from neuralexec.graphs.build import offsets_of
from neuralexec.graphs.graph import BYTES_PER_ARC
from neuralexec.graphs.memory import refuse_if_too_large

LONGEST_GAP = 2**16
BYTES_WHILE_DRAWING = 40 + 2 * BYTES_PER_ARC


def successes(num_trials: int, probability: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """The sorted indices of the trials that succeed, each with the same probability."""
    expected = num_trials * probability
    refuse_if_too_large(BYTES_WHILE_DRAWING * expected, f"drawing about {expected:,.0f} edges")
    if num_trials == 0 or probability <= 0:
        return np.empty(0, dtype=np.int64)
    table_length = int(min(num_trials, LONGEST_GAP, 1 + 40 / probability))
    # ascending: powers[-1 - k] is the chance of more than k failures in a row
    powers = np.multiply.accumulate(np.full(table_length, 1 - probability))[::-1]
    found: list[NDArray[np.int64]] = []
    tossed = 0
    while tossed < num_trials:
        remaining = (num_trials - tossed) * probability
        num_draws = int(min(remaining + 4 * remaining**0.5 + 16, 2**22))
        failures = table_length - np.searchsorted(powers, rng.random(num_draws), side="right")
        # Running off the table means that many failures and no success: toss on from there.
        hit = failures < table_length
        ends = tossed + np.cumsum(failures + hit)
        found.append(ends[hit & (ends <= num_trials)] - 1)
        tossed = int(ends[-1])
    return np.concatenate(found)


def pairs_within(
    sizes: NDArray[np.int64], probability: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Shape [2, edges]: each pair of nodes of one group, with this probability.

    Groups are runs of consecutive nodes.
    """
    first_nodes, first_pairs = offsets_of(sizes), offsets_of(sizes * (sizes - 1) // 2)
    index = successes(int(first_pairs[-1]), probability, rng)
    group = np.searchsorted(first_pairs, index, side="right") - 1
    index -= first_pairs[group]
    rows = np.arange(1, sizes.max(), dtype=np.int64).cumsum()  # pairs (i, j < i) up to row i
    larger = np.searchsorted(rows, index, side="right") + 1
    smaller = index - larger * (larger - 1) // 2
    return np.stack((smaller, larger)) + first_nodes[group]


def pairs_between(
    sizes: NDArray[np.int64], probability: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Shape [2, edges]: each pair of nodes of two groups, with this probability."""
    first_nodes = offsets_of(sizes)
    # the pairs of a group are its nodes with all nodes before it
    first_pairs = offsets_of(sizes * first_nodes[:-1])
    index = successes(int(first_pairs[-1]), probability, rng)
    group = np.searchsorted(first_pairs, index, side="right") - 1
    before, inside = np.divmod(index - first_pairs[group], sizes[group])
    return np.stack((before, first_nodes[group] + inside))


def equal_groups(num_nodes: int, num_groups: int) -> NDArray[np.int64]:
    """Sizes that differ by at most one and add up to `num_nodes`."""
    sizes = np.full(num_groups, num_nodes // num_groups)
    sizes[: num_nodes % num_groups] += 1
    return sizes
