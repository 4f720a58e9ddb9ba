"""One job: what it leaves, that nothing of it is done twice, and what a failure costs."""

import json
from dataclasses import replace

import pytest
import torch

from neuralexec import recipes
from neuralexec.algorithms import find_task
from neuralexec.errors import InputError
from neuralexec.evaluation.baselines import TrivialExecutor
from neuralexec.evaluation.evaluate import evaluate
from neuralexec.evaluation.explanations import load_explanations
from neuralexec.evaluation.scores import load_scores
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.work import SECONDS, Work, is_done, perform, scores_file
from neuralexec.training.checkpoint import load_checkpoint
from neuralexec.training.run import train
from neuralexec.training.training import Training
from tests.reproduction.archived import metrics_of
from tests.reproduction.tiny import DIVERGING, EXAM, MPNN_MAX, tiny

TASK = "bfs+bellman-ford"
WORK = Work("paper", MPNN_MAX, TASK, (3,), (EXAM,))
SCORES = scores_file(EXAM)


def performed(work, folder):
    folder.mkdir(exist_ok=True)
    perform(work, folder)
    return folder


def test_a_job_leaves_a_training_and_its_scores(tmp_path):
    own = performed(WORK, tmp_path / "job")
    assert is_done(own, WORK)
    checkpoint = load_checkpoint(own / "model.safetensors")
    assert checkpoint.config == MPNN_MAX.but(seed=3)
    assert load_scores(own / SCORES) == evaluate(
        checkpoint.executor(), EXAM.draw(), find_task(TASK)
    )
    alone = train(MPNN_MAX.but(seed=3), tmp_path / "alone")
    for name, weights in alone.best_weights.items():
        assert (checkpoint.weights[name] == weights).all()
    assert json.loads((own / SECONDS).read_text())["seconds"] > 0


def test_nothing_learnt_is_examined_alone(tmp_path):
    work = Work("none", None, TASK, (0,), (EXAM,))
    own = performed(work, tmp_path / "job")
    assert [path.name for path in own.iterdir()] == [SCORES]
    assert load_scores(own / SCORES) == evaluate(TrivialExecutor(), EXAM.draw(), find_task(TASK))


@pytest.mark.parametrize(
    "config",
    [
        recipes.mpnn_max(),
        recipes.no_reach(),
        recipes.no_algo(),
        recipes.bfs_alone(),
        recipes.mpnn_max("prim"),
        recipes.no_algo("prim"),
        recipes.one_processor(),
    ],
    ids=lambda config: f"{config.tasks} {config.variant}",
)
def test_what_is_scored_of_each_task(tmp_path, config):
    """As the other tests of this folder suppose it."""
    work = Work("paper", tiny(config), config.tasks[0], (0,), (EXAM,))
    scores = load_scores(performed(work, tmp_path / "job") / SCORES)
    assert [one.task for one in scores] == list(config.tasks)
    for one in scores:
        assert sorted(one.metrics) == sorted(metrics_of(one.task, config))
        assert one.protocol == "true-length"


def test_only_the_missing_exam_is_taken(tmp_path):
    own = performed(WORK, tmp_path / "job")
    before = {path.name: path.read_bytes() for path in own.iterdir()}
    (own / SCORES).unlink()
    second = Exam(24, 1)
    (own / scores_file(second)).write_text("kept as it is")
    more = replace(WORK, exams=(EXAM, second))
    assert not is_done(own, more)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("neuralexec.training.run.train_together", None)
        perform(more, own)
    assert {path.name: path.read_bytes() for path in own.iterdir()} == {
        **before,
        scores_file(second): b"kept as it is",
    }


def test_explanations_are_added_without_training(tmp_path, monkeypatch):
    own = performed(WORK, tmp_path / "job")
    monkeypatch.setattr("neuralexec.training.run.train_together", None)
    monkeypatch.setattr("neuralexec.evaluation.evaluate.evaluate", None)
    work = replace(WORK, explained=True)
    assert not is_done(own, work)
    perform(work, own)
    assert is_done(own, work)
    assert len(load_explanations(own / "explanations.json.gz").graphs) == 7


def test_a_training_that_was_cut_short_goes_on(tmp_path):
    longer = MPNN_MAX.but(max_epochs=3)
    work = replace(WORK, recipe=longer)
    whole = performed(work, tmp_path / "whole")

    def stop(self, training, record):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("neuralexec.training.run.Quiet.epoch_done", stop)
        with pytest.raises(KeyboardInterrupt):
            performed(work, tmp_path / "cut")
    assert not is_done(tmp_path / "cut", work)
    cut = performed(work, tmp_path / "cut")
    for name in ("metrics.jsonl", "model.safetensors", SCORES):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()


def test_seeds_together_do_what_they_do_alone(tmp_path):
    work = replace(WORK, seeds=(0, 1))
    assert (work.job, replace(work, seeds=(1,)).job) == (work.home, f"{work.home}/seed-1")
    together = performed(work, tmp_path / "together")
    for seed in work.seeds:
        alone = performed(replace(work, seeds=(seed,)), tmp_path / f"alone-{seed}")
        own = together / f"seed-{seed}"
        assert is_done(own, replace(work, seeds=(seed,)))
        ours, theirs = (load_checkpoint(one / "model.safetensors") for one in (own, alone))
        for name, weights in theirs.weights.items():
            torch.testing.assert_close(ours.weights[name], weights)
        assert load_scores(own / SCORES)[0].data == load_scores(alone / SCORES)[0].data
        assert json.loads((own / "config.json").read_text())["seed"] == seed


def test_a_training_that_diverges_is_told_and_not_examined(tmp_path):
    work = replace(WORK, recipe=DIVERGING)
    with pytest.raises(InputError, match="the loss is not finite in epoch 1: lower the learning"):
        performed(work, tmp_path / "job")
    assert not (tmp_path / "job" / SECONDS).exists()
    assert not (tmp_path / "job" / SCORES).exists()


def test_of_those_that_train_together_only_the_one_that_diverges_is_lost(tmp_path, monkeypatch):
    work = replace(WORK, recipe=MPNN_MAX, seeds=(0, 1))
    before = Training.learnt

    def diverge(self, row, moments, losses, *rest):
        losses = {name: float("nan") for name in losses} if self.config.seed == 0 else losses
        return before(self, row, moments, losses, *rest)

    monkeypatch.setattr(Training, "learnt", diverge)
    with pytest.raises(InputError, match="seed-0: the loss is not finite"):
        performed(work, tmp_path / "job")
    assert is_done(tmp_path / "job" / "seed-1", replace(work, seeds=(1,)))
    assert not (tmp_path / "job" / "seed-0" / SECONDS).exists()
    assert not (tmp_path / "job" / "seed-0" / SCORES).exists()


def test_a_folder_begun_with_other_settings_is_refused(tmp_path):
    own = performed(WORK, tmp_path / "job")
    (own / SECONDS).unlink()
    other = replace(WORK, recipe=MPNN_MAX.but(latent=5))
    with pytest.raises(InputError, match="was begun with another latent"):
        perform(other, own)
