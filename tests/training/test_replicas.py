"""Trainings that run together: each does what it would do alone."""

from dataclasses import asdict, fields

import pytest
import torch
from torch.testing import assert_close

from neuralexec.errors import InputError
from neuralexec.models.processors import processors
from neuralexec.training.config import Config
from neuralexec.training.loop import OWN, Trainer
from neuralexec.training.training import NotFinite, Training
from tests.training.tiny import RELATIVE, Record, tiny, trained, trained_together

SCORE = "neuralexec.training.group.validation_score"


@pytest.fixture(autouse=True)
def steady(monkeypatch):
    """Adam makes large steps of the smallest gradients, which are mostly rounding."""
    monkeypatch.setattr("neuralexec.training.adam.EPSILON", 1e-3)


def check_as_alone(*configs: Config) -> None:
    together, records = trained_together(*configs)
    for training, own, config in zip(together, records, configs, strict=True):
        check_alike((training, own), trained(config))


def check_alike(
    together: tuple[Training, list[Record]], alone: tuple[Training, list[Record]]
) -> None:
    """The scores may differ in a choice between two nodes that rounding alone tells apart."""
    ours, theirs = together[0], alone[0]
    assert_same_weights(ours.now, theirs.now)
    assert_same_weights(ours.best, theirs.best)
    assert asdict(ours.progress) == pytest.approx(asdict(theirs.progress), rel=1e-4, abs=0.05)
    assert ours.data_checksum == theirs.data_checksum
    for record, expected in zip(together[1], alone[1], strict=True):
        assert (record["epoch"], record["phase"]) == (expected["epoch"], expected["phase"])
        assert record["loss"] == pytest.approx(expected["loss"], rel=1e-4)
        assert record["losses"] == pytest.approx(expected["losses"], rel=1e-4)
        for task, means in expected["validation"].items():
            assert record["validation"][task] == pytest.approx(means, rel=1e-4, abs=0.05)


def assert_same_weights(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    """But for rounding: where it decides which of two nodes is the maximum, a few go elsewhere."""
    assert_close(ours, theirs, rtol=0, atol=2e-3)
    assert (ours - theirs).abs().mean() < 2e-5


def seeds(**changes) -> list[Config]:
    return [tiny(seed=seed, **changes) for seed in (0, 1, 5)]


OTHER = {
    "seed": 7,
    "infinity_spread": 2.0,
    "infinity_low": 0.5,
    "offset": 5.0,
    "offset_share": 1.0,
    "learning_rate": 1e-3,
    "schedule": "cosine",
    "max_epochs": 2,
    "patience": 1,
    "clip": 0.1,
    "own_outputs": 0.5,
    "own_outputs_ramp": 2,
    "penalty_weight": 1.0,
    "number_weight": 30.0,
    "settled_weight": 3.0,
    "curriculum_epochs": 1,
}
NEEDS = {
    "offset_share": {"offset": 3.0},
    "own_outputs_ramp": {"own_outputs": 1.0},
    "penalty_weight": {"processor": "gat", "sharpening": "entropy"},
    "settled_weight": {"settled_weight": 0.5},
    "curriculum_epochs": {"variant": "curriculum", "max_epochs": 2},
}


@pytest.mark.parametrize("name", sorted(OWN))
def test_trainings_may_differ_in(name):
    base = tiny(**NEEDS.get(name, {}))
    assert getattr(base, name) != OTHER[name]
    check_as_alone(base, base.but(**{name: OTHER[name]}), base.but(seed=3))


@pytest.mark.parametrize("processor", [*processors()])
def test_every_processor_trains_together(processor):
    check_as_alone(*seeds(processor=processor, max_epochs=2))


@pytest.mark.parametrize(
    "task", ["bfs", "bellman-ford", "prim", "dijkstra", "connected-components"]
)
def test_every_task_is_learnt_together(task):
    check_as_alone(*seeds(tasks=(task,), max_epochs=2))


@pytest.mark.parametrize(
    "changes",
    [
        {"variant": "no-reach"},
        {"variant": "no-algo"},
        {"variant": "no-algo", "tasks": ("prim",)},
        {"tasks": ("bfs+bellman-ford", "prim")},
        {"recurrent": False, "scorer": "both"},
        {"own_outputs": 1.0},
        {"own_outputs": 1.0, "processor": "gat"},
        {"extra_steps": 2, "batch_size": 3},
        {"fresh_graphs": True},
        {"batch_size": 5},  # the last update has a single graph
        {"batch_size": 1},
        {"encoder_relu": True, "message_relu": True, "readout": "mean"},
        {"processor": "gat", "sharpening": "entropy"},
        {"written_only": False, "tasks": ("prim",)},
        {"sharp": True, "settled_weight": 2.0, "number_weight": 100.0},
        {"sharp": True, "settled_weight": 2.0, "number_weight": 100.0, **RELATIVE},
        {"offset": 4.0, "infinity_spread": 3.0, "processor": "mpnn-mean", **RELATIVE},
        {"extra_steps": 1, **RELATIVE},
        {"variant": "curriculum", "curriculum_epochs": 1, **RELATIVE},
        {"tasks": ("dijkstra",), **RELATIVE},
    ],
    ids=str,
)
def test_every_variant_trains_together(changes):
    check_as_alone(*seeds(max_epochs=2, **changes))


def test_each_has_graphs_and_weights_of_its_own():
    trainings = Trainer(seeds()).trainings
    assert len({training.data_checksum for training in trainings}) == 3
    assert not torch.equal(trainings[0].now, trainings[1].now)


def test_the_same_training_twice_is_the_same_training():
    (first, second), _ = trained_together(tiny(), tiny())
    assert_close(first.now, second.now, rtol=0, atol=1e-6)


FIRST, SECOND = [0.5, 0.4, 0.3], [0.1, 0.2, 0.3, 0.4, 0.35, 0.35]


def scored(monkeypatch, scores: list[float]) -> None:
    """As they are asked for."""
    left = iter(scores)
    monkeypatch.setattr(SCORE, lambda *_: next(left))


def test_each_stops_when_it_runs_out_of_patience(monkeypatch):
    configs = [tiny(seed=seed, patience=2, max_epochs=50) for seed in (0, 1)]
    pairs = [score for pair in zip(FIRST, SECOND, strict=False) for score in pair]
    scored(monkeypatch, [*pairs, *SECOND[3:]])
    trainer = Trainer(configs)
    records: dict[Training, list[Record]] = {training: [] for training in trainer.trainings}
    kept = []
    while not trainer.over:
        for training, record in trainer.run_epoch():
            records[training].append(record)
        kept.append(trainer.trainings[0].now)
    first, second = trainer.trainings
    assert (first.progress.epoch, first.progress.best_epoch) == (3, 1)
    assert (second.progress.epoch, second.progress.best_epoch) == (6, 4)
    assert torch.equal(first.now, kept[0])  # the best
    assert all(now is kept[2] for now in kept[3:])
    for training, config, scores in zip(trainer.trainings, configs, [FIRST, SECOND], strict=True):
        scored(monkeypatch, scores)
        check_alike((training, records[training]), trained(config))


def test_one_that_is_a_phase_ahead_waits(monkeypatch):
    monkeypatch.setattr(SCORE, lambda *_: 0.5)
    configs = [
        tiny(seed=seed, variant="curriculum", curriculum_epochs=epochs, max_epochs=2)
        for seed, epochs in [(0, 1), (1, 3)]
    ]
    trainer = Trainer(configs)
    first, second = trainer.trainings
    ran, records = [], {first: [], second: []}
    while not trainer.over:
        expected = trainer.running
        found = trainer.run_epoch()
        assert [training for training, _ in found] == expected
        for training, record in found:
            records[training].append(record)
        ran.append([training.config.seed for training, _ in found])
    assert ran == [[0, 1], [1], [1], [0, 1], [0, 1]]
    for training, config in zip(trainer.trainings, configs, strict=True):
        check_alike((training, records[training]), trained(config))


def test_one_that_fails_leaves_the_others_alone():
    configs = [tiny(seed=0), tiny(seed=1, learning_rate=1e30), tiny(seed=2)]
    together, records = trained_together(*configs)
    good, failed, also_good = together
    assert isinstance(failed.failure, NotFinite)
    assert (failed.progress.epoch, records[1]) == (0, [])
    assert torch.equal(failed.now, Training(configs[1]).now)
    for training, own in [(good, records[0]), (also_good, records[2])]:
        assert training.failure is None
        check_alike((training, own), trained(training.config))


SHAPE = {
    "tasks": ("prim",),
    "processor": "gat",
    "variant": "no-reach",
    "latent": 16,
    "sharpening": "entropy",
    "encoder_relu": True,
    "message_relu": True,
    "update_relu": False,
    "scorer": "linear",
    "readout": "max",
    "sharp": True,
    "relative": True,
    "recurrent": False,
    "num_nodes": 10,
    "num_train": 4,
    "num_validation": 1,
    "families": ("tree",),
    "fresh_graphs": True,
    "batch_size": 5,
    "extra_steps": 1,
    "written_only": False,
}
SHAPE_NEEDS = {"sharpening": {"processor": "gat"}, "relative": RELATIVE | {"relative": False}}


def test_every_setting_is_either_their_own_or_shared():
    assert {*SHAPE, *OTHER} == {field.name for field in fields(Config)}
    assert OTHER.keys() == OWN


@pytest.mark.parametrize("name", SHAPE)
def test_networks_of_different_shapes_are_refused(name):
    base = tiny(**SHAPE_NEEDS.get(name, {}))
    with pytest.raises(InputError, match=f"differ in {name.replace('_', '-')}:") as refusal:
        Trainer([base, base.but(seed=1), base.but(**{name: SHAPE[name]})])
    assert "\n" not in str(refusal.value)


def test_every_difference_is_named():
    with pytest.raises(InputError, match="differ in batch-size, latent: train them apart"):
        Trainer([tiny(), tiny(latent=8), tiny(latent=8, batch_size=3)])


def test_gumbel_softmax_is_refused():
    """Its noise is drawn for all networks together."""
    with pytest.raises(InputError, match="train them apart"):
        Trainer(seeds(processor="gat", sharpening="gumbel"))
