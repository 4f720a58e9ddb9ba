"""Appendix E: the shares of right explanations, and the two pictures of Figure 4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neuralexec.evaluation.explanations import GraphExplanations
from neuralexec.reports import records
from neuralexec.reports.cells import ResultCell, mean_and_std
from neuralexec.reports.paper import EXPLANATION, paper_value
from neuralexec.reproduction.archive import Archive, Trained
from neuralexec.reproduction.rows import Row
from neuralexec.training.config import Config
from neuralexec.training.data import training_problems

FAMILIES = ("4-caveman", "tree")
"""Of Figure 4."""

STRICT = tuple(f"{metric}, lowest index" for metric in EXPLANATION)
"""The same, against the one predecessor of the lowest index."""


def explanation_cells(rows: Iterable[Row], archive: Archive) -> Iterator[ResultCell]:
    for row in rows:
        trained = [one for one in _explained(row, archive) if one.explanations is not None]
        if not trained:
            continue
        found = [one.explanations for one in trained if one.explanations is not None]
        shares = {
            EXPLANATION[0]: [one.faultless_paths for one in found],
            EXPLANATION[1]: [one.correct_predecessors for one in found],
            STRICT[0]: [one.strictly_faultless_paths for one in found],
            STRICT[1]: [one.strictly_correct_predecessors for one in found],
        }
        for metric, values in shares.items():
            given = tuple(100 * value for value in values if value is not None)
            if not given:  # there was nothing to explain
                continue
            mean, std = mean_and_std(given)
            yield ResultCell(
                table="appendixE",
                row=row.name,
                preset=row.preset,
                column="20 nodes",
                metric=metric,
                train_family=None,
                test_family=None,
                paper=paper_value("appendixE", row.name, "20 nodes", metric),
                mean=mean,
                std=std,
                seeds=len(given),
                values=given,
                graphs=Config.num_train,
                parameters=trained[0].card["parameters"],
                note="on the training graphs",
            )


def pictures(rows: Iterable[Row], archive: Archive) -> Iterator[records.Explanation]:
    """Of the first seed trained as in the paper: the longest path in a graph of each family."""
    for row in rows:
        for one in _explained(row, archive)[:1]:
            if row.preset == "paper" and one.explanations is not None:
                yield from _pictures(one)


def _explained(row: Row, archive: Archive) -> list[Trained]:
    return archive.trained(row, row.candidates[0]) if row.explained else []


def _pictures(one: Trained) -> Iterator[records.Explanation]:
    assert one.explanations is not None
    problems = training_problems(Config.from_json(one.config))
    for family in FAMILIES:
        numbers = [number for number, problem in enumerate(problems) if problem.family == family]
        graphs = one.explanations.graphs
        number = max(numbers, key=lambda place: _longest(graphs[place])[0])
        length, node = _longest(graphs[number])
        if not length:
            continue
        problem, graph = problems[number], problems[number].graph
        assert problem.source is not None
        yield records.Explanation(
            title=f"{family}, graph {number} of the training set",
            family=family,
            num_nodes=graph.num_nodes,
            source=problem.source,
            senders=tuple(graph.senders.tolist()),
            receivers=tuple(graph.receivers.tolist()),
            node=node,
            path=tuple(
                (step.node, step.sender, step.correct) for step in graphs[number].path(node)
            ),
        )


def _longest(graph: GraphExplanations) -> tuple[int, int]:
    """The length of the longest path, and the node it explains."""
    return max(((len(graph.path(one.node)), one.node) for one in graph.nodes), default=(0, 0))
