"""From scores to the cells of tables, the curves of Figure 3 and the list of trainings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from neuralexec.evaluation.scores import Scores
from neuralexec.reports.cells import ResultCell, mean_and_std
from neuralexec.reports.paper import paper_value
from neuralexec.reports.records import Curve, Training
from neuralexec.reproduction.archive import Archive, Trained
from neuralexec.reproduction.exams import PAPER_GRAPHS, Exam
from neuralexec.reproduction.rows import NONE, Row, recipe_name
from neuralexec.reproduction.tables import Table
from neuralexec.training.config import Config


def cells_of(table: Table, archive: Archive) -> Iterator[ResultCell]:
    """Every row; where one is the best of several candidates, each of those too."""
    for row in table.rows:
        if row.preset == NONE:
            yield from _cells(table, row, row.name, archive.trained(row, None))
            continue
        chosen = archive.chosen(row)
        if chosen is None:
            continue
        several = len(row.candidates) > 1
        note = ""
        if several:
            tried = sum(bool(archive.trained(row, config)) for config in row.candidates)
            note = f"{named(chosen)}, the best of {tried} on validation"
        elif chosen.num_nodes != Config.num_nodes and row.name.endswith("*"):
            note = named(chosen)
        elif table.name == "table8" and row.preset == "best":
            note = "trained on 20 nodes"
        yield from _cells(table, row, row.name, archive.trained(row, chosen), note)
        for config in row.candidates if several else ():
            yield from _cells(table, row, named(config), archive.trained(row, config))


def named(config: Config) -> str:
    """A candidate for GAT* or GAT-full*, in words."""
    kind = "GAT-full" if "full" in config.processor else "GAT"
    attention = "Transformer" if "transformer" in config.processor else "original"
    sharp = {"none": "", "entropy": ", entropy penalty", "gumbel": ", Gumbel softmax"}
    return f"{kind} ({attention} attention{sharp[config.sharpening]})"


def _cells(
    table: Table, row: Row, name: str, trained: Sequence[Trained], note: str = ""
) -> Iterator[ResultCell]:
    parameters = None if row.preset == NONE or not trained else trained[0].card["parameters"]
    for exam in table.exams(row):
        found = [one.scores(exam, row.task) for one in trained]
        of_seeds = [scores for scores in found if scores is not None]
        if not of_seeds:
            continue
        own_name = f"{name}, {exam.per_family} graphs" if exam.per_family > PAPER_GRAPHS else name
        for family in table.test_families:
            own = [scores.of_family(family) for scores in of_seeds]
            for metric in table.metrics:
                values = [metric.of(scores) for scores in own]
                given = tuple(value for value in values if value is not None)
                if len(given) < len(values) or (metric.name == NEXT and "no-algo" in name):
                    continue
                mean, std = mean_and_std(given)
                yield ResultCell(
                    table=table.name,
                    row=own_name,
                    preset=row.preset,
                    column=exam.column,
                    metric=metric.name,
                    train_family=row.train_family,
                    test_family=family,
                    paper=paper_value(
                        table.name, name, exam.column, metric.name, family, row.train_family
                    ),
                    mean=mean,
                    std=std,
                    seeds=len(given),
                    values=given,
                    graphs=exam.per_family,
                    parameters=parameters,
                    note=note,
                )


NEXT = "next accuracy"  # no-algo chooses no nodes

CURVES = {
    "reachable": "reachability accuracy",
    "distance": "distance mean squared error",
    "predecessor": "predecessor accuracy",
}


def curves_of(rows: Iterable[Row], archive: Archive, exam: Exam) -> Iterator[Curve]:
    """Figure 3: the scores at every step, over the graphs that still run."""
    for row in rows:
        chosen = archive.chosen(row)
        trained = archive.trained(row, chosen) if chosen is not None else []
        found = [one.scores(exam, row.task) for one in trained]
        of_seeds = [scores for scores in found if scores is not None]
        for signal, metric in CURVES.items():
            if of_seeds and signal in of_seeds[0].metrics:
                yield _curve(row, signal, metric, of_seeds)


def _curve(row: Row, signal: str, metric: str, of_seeds: Sequence[Scores]) -> Curve:
    scale = 1 if signal in of_seeds[0].errors else 100
    steps = list(zip(*(scores.curve(signal) for scores in of_seeds), strict=True))
    given = [[scale * value for value in step if value is not None] for step in steps]
    means, stds = zip(*map(mean_and_std, given), strict=True)
    return Curve(
        row=row.name,
        preset=row.preset,
        metric=metric,
        num_nodes=of_seeds[0].num_nodes,
        mean=means,
        std=stds,
        seeds=len(of_seeds),
    )


def trainings_of(tables: Iterable[Table], archive: Archive) -> list[Training]:
    """Every training behind these tables, once."""
    found: dict[tuple[str, int], Training] = {}
    for table in tables:
        for row in table.rows:
            for config in row.candidates:
                name = recipe_name(row.preset, config)
                for one in archive.trained(row, config):
                    found.setdefault((name, one.seed), _training(name, row, one))
    return list(found.values())


def _training(name: str, row: Row, one: Trained) -> Training:
    return Training(
        name=f"{name}/seed-{one.seed}",
        row=row.name,
        preset=row.preset,
        task=", ".join(one.config["tasks"]),
        seed=one.seed,
        epochs=one.card["epochs"],
        best_epoch=one.card["best_epoch"],
        validation=one.validation,
        parameters=one.card["parameters"],
        seconds=one.seconds,
        device=one.device,
        config=one.config,
    )
