"""The jobs that are left: each recipe once, what is done never again."""

from collections import Counter
from dataclasses import replace

import pytest

from neuralexec import recipes
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.plan import all_work, jobs_left
from neuralexec.reproduction.reproduce import PARTS, Plan
from neuralexec.reproduction.tables import TABLES, Table
from neuralexec.reproduction.work import SECONDS, Work
from tests.reproduction.archived import finish
from tests.reproduction.tiny import EXAM, EXPLAINED, GAT, GATS, MPNN_MAX, NOTHING, row_of

OTHER = Exam(50, 1)


def table_of(*rows, name="table2", sizes=(20, 50, 100)):
    return Table(name, rows, TABLES["table2"].metrics, sizes)


def test_a_recipe_of_several_tables_is_one_work_with_all_exams():
    tables = [
        table_of(row_of("MPNN-max", MPNN_MAX, exams=(EXAM, OTHER)), sizes=(20,)),
        table_of(NOTHING, row_of("same", MPNN_MAX, exams=(OTHER, EXAM)), name="table1"),
    ]
    [trained, nothing] = all_work(tables, 3, explained=True)
    assert (trained.recipe, trained.seeds, trained.exams) == (MPNN_MAX, (0, 1, 2), (EXAM, OTHER))
    assert (nothing.recipe, nothing.seeds, nothing.home) == (None, (0,), "none-bfs-bellman-ford")


@pytest.mark.parametrize("order", [1, -1])
def test_the_most_seeds_and_explanations_that_any_table_asks_for(order):
    few = table_of(row_of("few", MPNN_MAX, most_seeds=2))
    explained = table_of(EXPLAINED)
    [work] = all_work([few, explained][::order], 4, explained=True)
    assert (work.seeds, work.explained) == ((0, 1, 2, 3), True)
    [work] = all_work([few], 4, explained=True)
    assert (work.seeds, work.explained) == ((0, 1), False)
    [work] = all_work([few], 1, explained=True)
    assert work.seeds == (0,)


def test_without_the_figure_nothing_is_explained():
    assert [work.explained for work in all_work([table_of(EXPLAINED)], 1, explained=False)] == [
        False
    ]


def test_fewer_seeds_of_candidates():
    works = all_work([table_of(EXPLAINED, GAT)], 3, variant_seeds=1, explained=False)
    assert {work.recipe: work.seeds for work in works} == {
        MPNN_MAX: (0, 1, 2),
        GATS[0]: (0,),
        GATS[1]: (0,),
    }


def test_everything_is_every_table_with_five_seeds():
    works = Plan().work()
    assert {work.recipe for work in works if work.recipe} == {
        config for table in TABLES.values() for row in table.rows for config in row.candidates
    }
    assert Counter(work.home for work in works).most_common(1)[0][1] == 1
    [paper] = [work for work in works if work.recipe == recipes.mpnn_max()]
    assert paper.seeds == (0, 1, 2, 3, 4)
    assert {exam.num_nodes for exam in paper.exams} == {20, 50, 100, 500, 1000, 1500}
    assert paper.explained


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_work_but_the_table_of_words(part):
    works = Plan((part,), num_seeds=1).work()
    assert bool(works) == (part != "table7")
    assert any(work.explained for work in works) == (part == "figure4")


def test_each_seed_is_a_job_of_its_own(tmp_path):
    work = Work("paper", MPNN_MAX, "bfs+bellman-ford", (0, 1), (EXAM,))
    jobs = jobs_left([work], tmp_path, device="cuda")
    assert [job.name for job in jobs] == [f"{work.home}/seed-0", f"{work.home}/seed-1"]
    assert [job.work for job in jobs] == [
        replace(work, seeds=(0,), device="cuda"),
        replace(work, seeds=(1,), device="cuda"),
    ]


def test_seeds_together_are_one_job_but_for_gumbels_noise(tmp_path):
    gumbel = replace(MPNN_MAX, processor="gat", sharpening="gumbel")
    works = [
        Work("paper", config, "bfs+bellman-ford", (0, 1, 2), (EXAM,))
        for config in (MPNN_MAX, gumbel)
    ]
    done = replace(works[0], seeds=(1,))
    finish(done, tmp_path / done.job)
    together, *apart = jobs_left(works, tmp_path, together=True)
    assert (together.name, together.work.seeds) == (works[0].home, (0, 2))
    assert [job.work.seeds for job in apart] == [(0,), (1,), (2,)]


def test_one_seed_that_is_left_is_not_together_with_itself(tmp_path):
    work = Work("paper", MPNN_MAX, "bfs+bellman-ford", (0, 1), (EXAM,))
    done = replace(work, seeds=(0,))
    finish(done, tmp_path / done.job)
    assert [job.name for job in jobs_left([work], tmp_path, together=True)] == [
        f"{work.home}/seed-1"
    ]


@pytest.mark.parametrize(
    "missing", [SECONDS, "scores-20-nodes-1-graphs.json.gz", "explanations.json.gz"]
)
def test_what_lacks_a_file_is_left(tmp_path, missing):
    work = Work("paper", MPNN_MAX, "bfs+bellman-ford", (0,), (EXAM,), explained=True)
    finish(work, tmp_path / work.job)
    assert jobs_left([work], tmp_path) == []
    (tmp_path / work.job / missing).unlink()
    assert [job.work for job in jobs_left([work], tmp_path)] == [work]


def test_nothing_learnt_needs_its_scores_only(tmp_path):
    work = Work("none", None, "prim", (0,), (EXAM,))
    assert [job.name for job in jobs_left([work], tmp_path, together=True)] == ["none-prim/seed-0"]
    finish(work, tmp_path / work.job)
    assert jobs_left([work], tmp_path) == []


def test_the_dearest_are_those_of_large_graphs_and_full_attention(tmp_path):
    def cost(config, exams=(EXAM,)):
        work = Work("paper", config, config.tasks[0], (0,), exams)
        [job] = jobs_left([work], tmp_path)
        return job.cost

    plain = cost(recipes.mpnn_max())
    assert cost(recipes.gat_full()[0]) > cost(recipes.gat()[0]) > plain
    assert cost(recipes.lstm()) > plain
    assert cost(recipes.on_100_nodes(recipes.mpnn_max())) > 5 * plain
    assert cost(recipes.one_family("tree")) < plain
    assert cost(recipes.mpnn_max("prim")) > plain
    assert cost(recipes.mpnn_max(), (EXAM, Exam(1500))) > plain
