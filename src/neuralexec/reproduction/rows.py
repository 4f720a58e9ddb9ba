"""The rows of the tables: which trainings stand behind each, and what they are examined on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from neuralexec import recipes
from neuralexec.recipes import BFS_BELLMAN_FORD, PRIM
from neuralexec.reproduction.exams import LARGE, MANY_GRAPHS, PAPER_EXAMS, Exam
from neuralexec.training.config import Config
from neuralexec.training.presets import preset as find_preset

NONE = "none"
"""The preset, and the row, of an executor that has learnt nothing."""


@dataclass(frozen=True)
class Row:
    name: str
    """As in the paper."""
    preset: str
    task: str
    """Which of a network's tasks is examined."""
    candidates: tuple[Config, ...]
    """What is trained; the best of several on validation makes the row, and each a row of its own.
    None of an executor that has learnt nothing."""
    exams: tuple[Exam, ...] = PAPER_EXAMS
    train_family: str | None = None
    explained: bool = False
    """Is it asked which edges its decisions rest on?"""
    most_seeds: int | None = None


def recipe_name(preset: str, config: Config) -> str:
    """The folder of its trainings, below which each seed has one.

    >>> recipe_name("paper", recipes.gat()[1])
    'paper-bfs-bellman-ford-gat-entropy'
    """
    base = find_preset(preset, config.tasks)
    named = ("tasks", "seed", "processor", "sharpening", "variant", "families")
    others = [
        f"{field.name.replace('_', '-')}-{getattr(config, field.name)}".lower()
        for field in fields(Config)
        if field.name not in named and getattr(config, field.name) != getattr(base, field.name)
    ]
    parts = [
        preset,
        *(task.replace("+", "-") for task in config.tasks),
        config.processor.replace(":", "-"),
        *(word for word in (config.sharpening, config.variant) if word not in ("none", "full")),
        *config.families,
        *others,
    ]
    return "-".join(parts)


def _rows_of(task: str, variants: dict[str, Config], large: Sequence[Exam]) -> tuple[Row, ...]:
    trained = {
        "LSTM": (recipes.lstm(task),),
        "GAT*": recipes.gat(task),
        "GAT-full*": recipes.gat_full(task),
        "MPNN-mean": (recipes.mpnn_mean(task),),
        "MPNN-sum": (recipes.mpnn_sum(task),),
        **{name: (config,) for name, config in variants.items()},
    }
    explained = task == BFS_BELLMAN_FORD
    exams = (*PAPER_EXAMS, *large)
    none, paper, best = (
        Row("nothing learnt", NONE, task, (), exams),
        Row("MPNN-max", "paper", task, (recipes.mpnn_max(task),), exams, explained=explained),
        Row(
            "MPNN-max",
            "best",
            task,
            (recipes.best(task),),
            (*exams, *MANY_GRAPHS),
            explained=explained,
        ),
    )
    shared = [
        Row(f"MPNN-max ({ONE_PROCESSOR})", preset, task, (recipes.one_processor(preset),))
        for preset in ("paper", "best")
    ]
    others = [Row(name, "paper", task, configs) for name, configs in trained.items()]
    return (none, *others, paper, best, *shared)


ONE_PROCESSOR = "one processor for all tasks"

PARALLEL = _rows_of(
    BFS_BELLMAN_FORD,
    {
        "MPNN-max (curriculum)": recipes.curriculum(),
        "MPNN-max (no-reach)": recipes.no_reach(),
        "MPNN-max (no-algo)": recipes.no_algo(),
    },
    LARGE,
)
SEQUENTIAL = _rows_of(PRIM, {"MPNN-max (no-algo)": recipes.no_algo(PRIM)}, [Exam(500)])
ROWS = {BFS_BELLMAN_FORD: PARALLEL, PRIM: SEQUENTIAL}
BFS_ALONE = Row("MPNN-max (BFS alone)", "paper", "bfs", (recipes.bfs_alone(),))


def named(rows: Sequence[Row], *names: str) -> list[Row]:
    return [row for row in rows if row.name in names]


def mpnn_max(rows: Sequence[Row]) -> list[Row]:
    """Nothing learnt, learnt as in the paper, and ours."""
    return named(rows, "nothing learnt", "MPNN-max")


def one_family(family: str) -> list[Row]:
    """Networks that have seen one family only."""
    recipe = {
        "paper": recipes.one_family(family),
        "best": recipes.best().but(families=(family,)),
    }
    return [
        Row("MPNN-max", preset, BFS_BELLMAN_FORD, (config,), (Exam(100),), train_family=family)
        for preset, config in recipe.items()
    ]


def choices(task: str, decided: dict[str, Config]) -> list[Row]:
    """Decided otherwise; fewer seeds, as they are many."""
    exams = (Exam(20), Exam(100))
    paper = [row for row in mpnn_max(ROWS[task]) if row.preset == "paper"]
    return [
        *(replace(row, exams=exams, explained=False) for row in paper),
        *(
            Row(f"MPNN-max ({name})", "paper", task, (config,), exams, most_seeds=3)
            for name, config in decided.items()
        ),
    ]


def trained_on_100_nodes() -> list[Row]:
    """Few seeds, and attention as it is: these trainings are long. Ours has seen 20 nodes only."""
    trained = [
        replace(
            row,
            candidates=(recipes.on_100_nodes(row.candidates[0]),),
            exams=(Exam(1000),),
            explained=False,
            most_seeds=3,
        )
        for row in named(PARALLEL, "LSTM", "GAT*", "MPNN-max")
        if row.preset == "paper"
    ]
    return [*trained, *(row for row in mpnn_max(PARALLEL) if row.preset != "paper")]
