"""What each row of the paper's tables trains: one plain function per row, returning settings.

>>> no_reach().variant
'no-reach'
>>> [recipe.sharpening for recipe in gat()[:3]]
['none', 'entropy', 'gumbel']
"""

from neuralexec.models.architecture import Sharpening
from neuralexec.training.config import Config
from neuralexec.training.presets import preset

BFS_BELLMAN_FORD, PRIM = "bfs+bellman-ford", "prim"

SHARPENINGS: tuple[Sharpening, ...] = ("none", "entropy", "gumbel")
"""Ways to make attention sharp; GAT* and GAT-full* are the best of these and of two attentions."""


def mpnn_max(task: str = BFS_BELLMAN_FORD) -> Config:
    return preset("paper", (task,))


def mpnn_mean(task: str = BFS_BELLMAN_FORD) -> Config:
    return mpnn_max(task).but(processor="mpnn-mean")


def mpnn_sum(task: str = BFS_BELLMAN_FORD) -> Config:
    return mpnn_max(task).but(processor="mpnn-sum")


def lstm(task: str = BFS_BELLMAN_FORD) -> Config:
    return mpnn_max(task).but(processor="lstm")


def gat(task: str = BFS_BELLMAN_FORD) -> tuple[Config, ...]:
    """The candidates for GAT*: the original and the Transformer's attention, as sharp as can be."""
    return _sharpened(task, "gat", "gat-transformer")


def gat_full(task: str = BFS_BELLMAN_FORD) -> tuple[Config, ...]:
    """The same, over the full graph."""
    return _sharpened(task, "gat-full", "gat-full-transformer")


def curriculum() -> Config:
    """Reachability is learnt first."""
    return mpnn_max().but(variant="curriculum")


def no_reach() -> Config:
    """Shortest paths without reachability."""
    return mpnn_max().but(variant="no-reach")


def no_algo(task: str = BFS_BELLMAN_FORD) -> Config:
    """Predecessors directly, without the steps of the algorithm."""
    return mpnn_max(task).but(variant="no-algo")


def one_family(family: str) -> Config:
    """From graphs of one family only."""
    return mpnn_max().but(families=(family,))


def on_100_nodes(config: Config) -> Config:
    """The same, trained on graphs of 100 nodes instead of 20."""
    return config.but(num_nodes=100)


def bfs_alone() -> Config:
    return mpnn_max("bfs")


def one_processor(name: str = "paper") -> Config:
    """Both tasks, which share one processor and have encoders and decoders of their own."""
    return preset(name, (BFS_BELLMAN_FORD, PRIM))


def choices() -> dict[str, Config]:
    """What the paper leaves open, each point decided otherwise than in the preset `paper`."""
    return {
        "half of the graphs on own outputs": mpnn_max().but(own_outputs=0.5),
        "all losses weigh the same": mpnn_max().but(number_weight=1.0),
        "ReLU on encoder and messages": mpnn_max().but(encoder_relu=True, message_relu=True),
        "no ReLU at all": mpnn_max().but(update_relu=False),
        "linear edge scorer": mpnn_max().but(scorer="linear"),
        "termination by the mean": mpnn_max().but(readout="mean"),
        "infinity up to 5 above longest + 1": mpnn_max().but(infinity_spread=5.0),
        "no memory": mpnn_max().but(recurrent=False),
    }


def choices_of_prim() -> dict[str, Config]:
    return {"predecessor loss on all tree nodes": mpnn_max(PRIM).but(written_only=False)}


def best(task: str = BFS_BELLMAN_FORD) -> Config:
    """Ours."""
    return preset("best", (task,))


def _sharpened(task: str, *processors: str) -> tuple[Config, ...]:
    return tuple(
        mpnn_max(task).but(processor=processor, sharpening=sharpening)
        for processor in processors
        for sharpening in SHARPENINGS
    )
