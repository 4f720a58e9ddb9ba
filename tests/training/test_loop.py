"""Trainings at tiny budgets: everything that can be trained gets better."""

import math
from dataclasses import replace

import pytest
import torch

from neuralexec.evaluation.evaluate import evaluate
from neuralexec.graphs.splits import checksum
from neuralexec.models.processors import processors
from neuralexec.training.data import batches_of
from neuralexec.training.loop import Trainer
from neuralexec.training.training import NotFinite, Training, new_network
from neuralexec.training.validation import validation_score
from tests.training.tiny import RELATIVE, tiny, trained, trained_together

SCORE = "neuralexec.training.group.validation_score"


def assert_improves(records):
    assert records[-1]["loss"] < 0.9 * records[0]["loss"]


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim"])
@pytest.mark.parametrize("processor", [*processors()])
def test_every_processor_learns_both_tasks(processor, task):
    _, records = trained(tiny(processor=processor, tasks=(task,), max_epochs=6))
    assert_improves(records)


@pytest.mark.parametrize("processor", ["gat", "gat-transformer", "gat-full"])
@pytest.mark.parametrize("sharpening", ["entropy", "gumbel"])
def test_sharpened_attention_learns(processor, sharpening):
    _, records = trained(tiny(processor=processor, sharpening=sharpening, max_epochs=6))
    assert_improves(records)
    assert ("penalty" in records[0]["losses"]) == (sharpening == "entropy")


@pytest.mark.parametrize("task", ["dijkstra", "connected-components", "bellman-ford"])
def test_every_other_algorithm_learns_with_no_code_of_its_own(task):
    _, records = trained(tiny(tasks=(task,), max_epochs=6))
    assert_improves(records)


@pytest.mark.parametrize(
    "changes",
    [
        {"variant": "no-reach"},
        {"variant": "no-algo"},
        {"variant": "no-algo", "tasks": ("prim",)},
        {"tasks": ("bfs+bellman-ford", "prim")},
        {"families": ("tree",), "num_train": 14},
        {"num_nodes": 16},
        {"recurrent": False},
        {"own_outputs": 1.0},
        {"own_outputs": 0.5, "own_outputs_ramp": 2},
        {"extra_steps": 2},
        {"offset": 5.0},
        {"infinity_spread": 2.0},
        {"fresh_graphs": True},
        {"schedule": "cosine", "clip": 1.0},
        {"scorer": "linear", "readout": "mean"},
        {"encoder_relu": True, "message_relu": True, "scorer": "both"},
        {"number_weight": 100.0},
        {"settled_weight": 3.0},
        {"sharp": True},
        {"written_only": False, "tasks": ("prim",)},
        RELATIVE,
        {**RELATIVE, "processor": "mpnn-mean", "scorer": "linear", "sharp": True},
        {**RELATIVE, "tasks": ("dijkstra",)},
        {**RELATIVE, "tasks": ("bfs+bellman-ford", "prim"), "settled_weight": 1.0},
    ],
    ids=str,
)
def test_every_variant_learns(changes):
    _, records = trained(tiny(max_epochs=6, **changes))
    assert_improves(records)


@pytest.mark.parametrize("processor", [name for name in processors() if name != "lstm"])
def test_bfs_alone_is_learnt_fully_by_every_graph_network(processor):
    """Footnote 2 of the paper."""
    config = tiny(tasks=("bfs",), processor=processor, num_nodes=10, num_train=15, max_epochs=30)
    trainer = Trainer(config)
    for _ in range(config.max_epochs):
        [(_, record)] = trainer.run_epoch()
        if record["validation"]["bfs"]["reachable"] == 1.0:
            return
    pytest.fail("reachability was not learnt")


def test_the_same_seed_gives_the_same_weights_to_the_bit():
    config = tiny(offset=3.0, processor="gat", sharpening="gumbel")
    assert torch.equal(trained(config)[0].now, trained(config)[0].now)


def test_the_seed_sets_weights_order_and_graphs():
    first, second = Training(tiny(seed=0)), Training(tiny(seed=1))
    assert not torch.equal(first.now, second.now)
    assert first.data_checksum != second.data_checksum
    assert first.data_checksum == checksum((*first.train_problems, *first.validation_problems))


def test_training_leaves_the_callers_random_numbers_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    trained(tiny(processor="gat", sharpening="gumbel", max_epochs=1))
    assert torch.equal(torch.rand(3), expected)


def test_patience_keeps_the_best_weights_and_stops(monkeypatch):
    trainer = Trainer(tiny(patience=2, max_epochs=50))
    [training] = trainer.trainings
    scores = iter([0.5, 0.7, 0.6, 0.7, 0.9])
    monkeypatch.setattr(SCORE, lambda *_: next(scores))
    kept = {}
    while not trainer.over:
        trainer.run_epoch()
        kept[training.progress.epoch] = training.best
    assert (training.progress.epoch, training.progress.best_epoch) == (4, 2)  # a tie is no gain
    assert training.progress.best_score == 0.7
    assert torch.equal(kept[2], training.now)
    assert not torch.equal(kept[1], training.now)


def test_without_patience_the_last_weights_are_kept(monkeypatch):
    monkeypatch.setattr(SCORE, lambda *_: 0.5)
    training, records = trained(tiny())
    assert len(records) == 3
    assert training.progress.best_epoch == 3


def test_a_curriculum_learns_reachability_first():
    training, records = trained(
        tiny(variant="curriculum", curriculum_epochs=30, max_epochs=2, num_train=6)
    )
    phases = [record["phase"] for record in records]
    assert phases == ["bfs"] * phases.count("bfs") + ["all"] * 2
    assert set(records[0]["losses"]) == {"reachable", "termination"}
    last_of_first = records[phases.count("bfs") - 1]
    assert last_of_first["score"] == 1.0 or phases.count("bfs") == 30
    assert {"distance", "predecessor"} < set(records[-1]["losses"])
    assert training.progress.finished


def test_the_second_phase_of_a_curriculum_begins_with_fresh_moments(monkeypatch):
    monkeypatch.setattr(SCORE, lambda *_: 1.0)
    trainer = Trainer(tiny(variant="curriculum"))
    [training] = trainer.trainings
    trainer.run_epoch()
    assert training.progress.phase == 1
    assert (training.moments.count, training.moments.first.any()) == (0, False)
    assert not training.moments.second.any()
    trainer.run_epoch()
    assert training.moments.count == training.num_updates


def test_the_first_phase_of_a_curriculum_is_capped(monkeypatch):
    monkeypatch.setattr(SCORE, lambda *_: 0.5)
    _, records = trained(tiny(variant="curriculum", curriculum_epochs=2, max_epochs=1))
    assert [record["phase"] for record in records] == ["bfs", "bfs", "all"]


def test_a_cosine_ends_at_zero():
    training = Training(tiny(schedule="cosine", learning_rate=0.01))
    assert training.learning_rate(0) == 0.01
    training.progress.epoch_of_phase = 2
    part = 1 - 1 / (3 * training.num_updates)
    last = training.learning_rate(1 - 1 / training.num_updates)
    assert last == pytest.approx(0.01 * (1 + math.cos(math.pi * part)) / 2)
    assert training.learning_rate(1) == pytest.approx(0)


def test_the_learning_rate_is_the_updates_own():
    """Adam moves a weight by about as much as the learning rate, whatever its gradient."""
    training, [record] = trained(tiny(learning_rate=1e-3, num_train=1, max_epochs=1))
    moved = (training.now - Training(training.config).now).abs()
    assert training.num_updates == 1
    assert moved.max().item() == pytest.approx(1e-3, rel=1e-3)
    assert math.isfinite(record["loss"])


def test_heads_learn_how_sharp_they_are():
    training, _ = trained(tiny(sharp=True))
    learnt = {
        name: values for name, values in training.best_weights.items() if name.endswith("sharpness")
    }
    heads = "heads.bfs+bellman-ford"
    assert set(learnt) == {
        f"{heads}.decoders.reachable.linear.sharpness",
        f"{heads}.decoders.predecessor.out.sharpness",
        f"{heads}.termination.linear.sharpness",
    }
    assert all(values.abs() > 1e-3 for values in learnt.values())


def test_every_node_is_asked_where_that_counts():
    for weight in (0.0, 2.0):
        _, [record] = trained(tiny(settled_weight=weight, max_epochs=1))
        assert ("settled" in record["losses"]) == (weight > 0)


def test_own_outputs_ramp_up():
    training = Training(tiny(own_outputs=0.8, own_outputs_ramp=4))
    shares = []
    for epoch in (0, 1, 4, 9):
        training.progress.epoch = epoch
        shares.append(training.own_share)
    assert shares == pytest.approx([0, 0.2, 0.8, 0.8])


def test_a_loss_that_is_not_finite_stops_with_a_clear_line():
    trainer = Trainer(tiny(learning_rate=1e30))
    [training] = trainer.trainings
    assert trainer.run_epoch() == []
    assert isinstance(training.failure, NotFinite)
    assert "epoch 1: lower the learning rate" in str(training.failure)
    assert (training.over, trainer.over) == (True, True)
    assert not training.progress.finished


def test_weights_that_are_not_finite_after_the_last_update_fail_too():
    """No loss was computed with them."""
    trainer = Trainer(tiny(num_train=1, learning_rate=1e39))
    [training] = trainer.trainings
    assert training.num_updates == 1
    assert trainer.run_epoch() == []
    assert isinstance(training.failure, NotFinite)
    assert training.now.isfinite().all()


def test_nothing_of_an_epoch_that_failed_is_kept():
    trainer = Trainer(tiny())
    [training] = trainer.trainings
    trainer.run_epoch()
    before, moments, progress = training.now, training.moments, replace(training.progress)
    training.config = training.config.but(learning_rate=1e30)
    assert trainer.run_epoch() == []
    assert "epoch 2" in str(training.failure)
    assert training.now is before
    assert training.moments is moments
    assert training.progress == progress
    assert training.best.isfinite().all()


@pytest.mark.parametrize(
    ("tasks", "score"),
    [
        (("bfs+bellman-ford",), lambda means: means["bfs+bellman-ford"]["predecessor"]),
        (("connected-components",), lambda means: -means["connected-components"]["label"]),
        (("bfs",), lambda means: means["bfs"]["reachable"]),
        (
            ("bfs+bellman-ford", "prim"),
            lambda means: sum(scores["predecessor"] for scores in means.values()) / 2,
        ),
    ],
)
def test_early_stopping_goes_by_predecessors(tasks, score):
    _, [record] = trained(tiny(tasks=tasks, max_epochs=1))
    assert record["score"] == pytest.approx(score(record["validation"]))


@pytest.mark.parametrize(
    "changes",
    [
        {"tasks": ("bfs",)},
        {"tasks": ("bfs+bellman-ford",)},
        {"tasks": ("prim",)},
        {"tasks": ("dijkstra",)},
        {"tasks": ("connected-components",)},
        {"recurrent": False},
        RELATIVE,
        {"processor": "gat"},
        {"processor": "lstm"},
        {"variant": "no-reach"},
        {"variant": "no-algo"},
        {"variant": "no-algo", "tasks": ("prim",)},
    ],
    ids=str,
)
@pytest.mark.parametrize("replicas", [1, 3])
def test_validation_scores_are_those_of_an_evaluation(changes, replicas):
    configs = [
        tiny(seed=seed, max_epochs=1, num_validation=3, **changes) for seed in range(replicas)
    ]
    trainings, records = trained_together(*configs)
    for training, [record] in zip(trainings, records, strict=True):
        executor = new_network(training.config)
        executor.load_state_dict(training.best_weights)
        [task] = executor.tasks
        predicted = executor.heads_of(task).scope.predicted
        problems = training.validation_problems
        [scores] = evaluate(executor.eval(), problems, task, predicted=predicted)
        means = {metric: scores.mean_step(metric) for metric in scores.metrics}
        assert record["validation"] == {task.name: pytest.approx(means, rel=1e-5)}


def test_a_validation_that_is_not_finite_is_the_worst():
    batches = batches_of(Training(tiny()).validation_problems, tiny(), None, "cpu")
    means = {"bfs+bellman-ford": {"predecessor": math.nan}}
    assert validation_score(means, batches) == -math.inf
    assert validation_score({"bfs+bellman-ford": {"predecessor": None}}, batches) == 0


def test_without_epochs_it_is_over_before_it_begins():
    trainer = Trainer(tiny(max_epochs=0))
    assert trainer.over
    assert trainer.run_epoch() == []
