"""Trainings at tiny budgets: everything that can be trained gets better."""

import math

import pytest
import torch

from neuralexec.graphs.splits import checksum
from neuralexec.models.processors import processors
from neuralexec.training.loop import NotFinite, Trainer
from tests.training.tiny import tiny


def trained(config, epochs=None):
    trainer = Trainer(config)
    records = []
    while not trainer.progress.finished and (epochs is None or len(records) < epochs):
        records.append(trainer.run_epoch())
    return trainer, records


def weights(trainer):
    return {name: value.clone() for name, value in trainer.executor.state_dict().items()}


def same(first, second):
    return first.keys() == second.keys() and all(
        torch.equal(value, second[name]) for name, value in first.items()
    )


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
        {"own_outputs": 0.0},
        {"extra_steps": 2},
        {"offset": 5.0},
        {"infinity_spread": 2.0},
        {"fresh_graphs": True},
        {"schedule": "cosine", "clip": 1.0},
        {"scorer": "linear", "readout": "mean"},
        {"encoder_relu": True, "message_relu": True, "scorer": "both"},
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
        if trainer.run_epoch()["validation"]["bfs"]["reachable"] == 1.0:
            return
    pytest.fail("reachability was not learnt")


def test_the_same_seed_gives_the_same_weights_to_the_bit():
    config = tiny(offset=3.0, processor="gat", sharpening="gumbel")
    assert same(weights(trained(config)[0]), weights(trained(config)[0]))


def test_the_seed_sets_weights_order_and_graphs():
    first, second = Trainer(tiny(seed=0)), Trainer(tiny(seed=1))
    assert not same(weights(first), weights(second))
    assert first.data_checksum != second.data_checksum
    assert first.data_checksum == checksum((*first.train_problems, *first.validation_problems))


def test_training_leaves_the_callers_random_numbers_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    trained(tiny(processor="gat", sharpening="gumbel"), epochs=1)
    assert torch.equal(torch.rand(3), expected)


def test_patience_keeps_the_best_weights_and_stops(monkeypatch):
    trainer = Trainer(tiny(patience=2, max_epochs=50))
    scores = iter([0.5, 0.7, 0.6, 0.7, 0.9])
    monkeypatch.setattr("neuralexec.training.loop.validation_score", lambda _: next(scores))
    kept = {}
    while not trainer.progress.finished:
        trainer.run_epoch()
        kept[trainer.progress.epoch] = trainer.best
    assert (trainer.progress.epoch, trainer.progress.best_epoch) == (4, 2)  # a tie is no gain
    assert trainer.progress.best_score == 0.7
    assert same(kept[2], weights(trainer))


def test_without_patience_the_last_weights_are_kept(monkeypatch):
    monkeypatch.setattr("neuralexec.training.loop.validation_score", lambda _: 0.5)
    trainer, records = trained(tiny())
    assert len(records) == 3
    assert trainer.progress.best_epoch == 3


def test_a_curriculum_learns_reachability_first():
    trainer, records = trained(
        tiny(variant="curriculum", curriculum_epochs=30, max_epochs=2, num_train=6)
    )
    phases = [record["phase"] for record in records]
    assert phases == ["bfs"] * phases.count("bfs") + ["all"] * 2
    assert set(records[0]["losses"]) == {"reachable", "termination"}
    last_of_first = records[phases.count("bfs") - 1]
    assert last_of_first["score"] == 1.0 or phases.count("bfs") == 30
    assert {"distance", "predecessor"} < set(records[-1]["losses"])
    assert trainer.progress.finished


def test_the_first_phase_of_a_curriculum_is_capped(monkeypatch):
    monkeypatch.setattr("neuralexec.training.loop.validation_score", lambda _: 0.5)
    _, records = trained(tiny(variant="curriculum", curriculum_epochs=2, max_epochs=1))
    assert [record["phase"] for record in records] == ["bfs", "bfs", "all"]


def test_a_cosine_ends_at_zero():
    trainer, _ = trained(tiny(schedule="cosine", learning_rate=0.01))
    last = trainer.optimiser.param_groups[0]["lr"]
    part = 1 - 1 / (3 * trainer.num_updates)
    assert last == pytest.approx(0.01 * (1 + math.cos(math.pi * part)) / 2)


def test_own_outputs_ramp_up():
    trainer = Trainer(tiny(own_outputs=0.8, own_outputs_ramp=4))
    shares = []
    for epoch in (0, 1, 4, 9):
        trainer.progress.epoch = epoch
        shares.append(trainer._own_share())
    assert shares == pytest.approx([0, 0.2, 0.8, 0.8])


def test_a_loss_that_is_not_finite_stops_with_a_clear_line():
    trainer = Trainer(tiny(learning_rate=1e30))
    with pytest.raises(NotFinite, match="epoch 1: lower the learning rate"):
        trainer.run_epoch()


def test_early_stopping_goes_by_predecessors():
    trainer = Trainer(tiny())
    record = trainer.run_epoch()
    assert record["score"] == record["validation"]["bfs+bellman-ford"]["predecessor"]
    only_numbers = Trainer(tiny(tasks=("connected-components",))).run_epoch()
    assert only_numbers["score"] == -only_numbers["validation"]["connected-components"]["label"]
    only_bits = Trainer(tiny(tasks=("bfs",))).run_epoch()
    assert only_bits["score"] == only_bits["validation"]["bfs"]["reachable"]
    both = Trainer(tiny(tasks=("bfs+bellman-ford", "prim"))).run_epoch()
    parts = [scores["predecessor"] for scores in both["validation"].values()]
    assert both["score"] == pytest.approx(sum(parts) / 2)
