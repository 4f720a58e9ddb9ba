"""Graph-steps per second while CLRS-30's message-passing baseline trains on Bellman-Ford.

Run by the Python of an environment made from the requirements.txt beside this file. Prints one
JSON object: the versions, and under "results" one entry for each number of nodes asked for.

Steps are CLRS-30's hint lengths: the states before each round of the algorithm, so the round in
which nothing changes counts, and the state after it does not. The processor runs once between
two hints, that is, on every graph padded_steps - 1 times an update.
"""

import argparse
import json
import math
import time
from importlib.metadata import version

import jax
import numpy as np

import clrs

BATCH_SIZE = 32
FEATURES = 32
BATCHES = 4
REPEATS = 3
MIN_SECONDS = 5.0


def draw(num_nodes):
    """Batches of one shape, and the specification of their contents."""
    edge_probability = min(math.log2(num_nodes) / num_nodes, 0.5)
    sampler, spec = clrs.build_sampler(
        "bellman_ford",
        num_samples=BATCHES * BATCH_SIZE,  # drawn and padded together: no batch recompiles
        length=num_nodes,
        # The sampler keeps an undirected edge where it drew both of its directions.
        p=(math.sqrt(edge_probability),),
        seed=0,
    )
    return [sampler.next(BATCH_SIZE) for _ in range(BATCHES)], spec


def build(spec, batch):
    """The baseline at its cheapest: no layer norm, no gradient clipping, no dropout."""
    model = clrs.models.BaselineModel(
        spec=spec,
        dummy_trajectory=batch,
        processor_factory=clrs.get_processor_factory("mpnn", use_ln=False, nb_triplet_fts=0),
        hidden_dim=FEATURES,
        encode_hints=True,
        decode_hints=True,
        hint_teacher_forcing=1.0,
        learning_rate=1e-3,
    )
    model.init(batch.features, seed=0)
    return model


def timed_updates(model, batches):
    """Pass over the batches, one update for each, until the time is up: updates and seconds."""
    key = jax.random.PRNGKey(0)  # nothing in the model is random: no dropout, hints always given
    updates, start = 0, time.perf_counter()
    while (seconds := time.perf_counter() - start) < MIN_SECONDS:
        for batch in batches:
            loss = model.feedback(key, batch)
        # The loss comes out of the same program as the updated weights.
        loss.block_until_ready()
        updates += len(batches)
    if not np.isfinite(loss):
        raise RuntimeError(f"the loss became {loss}")
    return updates, seconds


def measure(num_nodes):
    """The fastest of the repeats, once everything is compiled and warm."""
    batches, spec = draw(num_nodes)
    model = build(spec, batches[0])
    batches = jax.device_put(batches)  # the conversion from NumPy is no part of an update
    timed_updates(model, batches)
    repeats = [timed_updates(model, batches) for _ in range(REPEATS)]
    updates, seconds = max(repeats, key=lambda repeat: repeat[0] / repeat[1])
    lengths = np.concatenate([batch.features.lengths for batch in batches])
    return {
        "num_nodes": num_nodes,
        "graph_steps_per_second": updates * BATCH_SIZE * float(lengths.mean()) / seconds,
        "updates": updates,
        "seconds": seconds,
        "mean_steps": float(lengths.mean()),
        "padded_steps": batches[0].features.hints[0].data.shape[0],
    }


def main():
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("num_nodes", type=int, nargs="*", default=[20, 100])
    results = [measure(num_nodes) for num_nodes in parser.parse_args().num_nodes]
    versions = {name: version(name) for name in ("dm-clrs", "jax", "dm-haiku")}
    print(json.dumps({"versions": versions, "results": results}, indent=2))


if __name__ == "__main__":
    main()
