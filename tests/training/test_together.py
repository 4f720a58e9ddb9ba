"""Several trainings at once, each a folder: nothing in it shows that it was not alone."""

import json

import pytest
import torch

from neuralexec.errors import InputError
from neuralexec.training.checkpoint import load_checkpoint
from neuralexec.training.run import (
    CONFIG,
    ENVIRONMENT,
    METRICS,
    MODEL,
    STATE,
    Quiet,
    load_config,
    train,
    train_together,
)
from neuralexec.training.training import NotFinite
from tests.training.test_run import Interrupting, assert_same_end, epochs_in
from tests.training.tiny import tiny

FILES = sorted([CONFIG, ENVIRONMENT, METRICS, MODEL, STATE])


@pytest.fixture(autouse=True)
def steady(monkeypatch):
    """Adam makes large steps of the smallest gradients, which are mostly rounding."""
    monkeypatch.setattr("neuralexec.training.adam.EPSILON", 1e-3)


def folders(tmp_path, *names, **changes):
    """Their settings; the seeds count up."""
    return {
        tmp_path / name: tiny(seed=seed, **changes)
        for seed, name in enumerate(names or ("first", "second"))
    }


def everything_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def assert_as_alone(folder, config, tmp_path):
    alone = tmp_path / "alone" / folder.name
    train(config, alone)
    ours, theirs = load_checkpoint(folder / MODEL), load_checkpoint(alone / MODEL)
    assert ours.card == theirs.card
    assert ours.config == theirs.config == config
    for name, value in theirs.weights.items():
        torch.testing.assert_close(ours.weights[name], value, rtol=0, atol=1e-4)
    lines = [(path / METRICS).read_text().splitlines() for path in (folder, alone)]
    for record, expected in zip(*(map(json.loads, of_one) for of_one in lines), strict=True):
        assert record["losses"] == pytest.approx(expected["losses"], rel=1e-4)


def test_each_folder_is_that_of_a_training_alone(tmp_path):
    configs = folders(tmp_path)
    trainings = train_together(configs)
    for (folder, config), training in zip(configs.items(), trainings, strict=True):
        assert training.config == config
        assert sorted(path.name for path in folder.iterdir()) == FILES
        assert load_config(folder) == config
        assert_as_alone(folder, config, tmp_path)


def test_a_folder_of_several_goes_on_alone(tmp_path):
    configs = folders(tmp_path, max_epochs=4)
    first, config = next(iter(configs.items()))
    with pytest.raises(KeyboardInterrupt):
        train_together(configs, watcher=Interrupting(updates=7))
    assert epochs_in(first) == [1, 2]
    train(config, first, resume=True)
    assert_as_alone(first, config, tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"max_epochs": 5, "offset": 2.0},
        {"max_epochs": 9, "patience": 2},
        {"variant": "curriculum", "curriculum_epochs": 2},
        {"fresh_graphs": True},
    ],
    ids=str,
)
def test_interrupted_anywhere_they_end_with_the_same_weights(tmp_path, changes):
    whole, broken = (folders(tmp_path / name, **changes) for name in ("whole", "broken"))
    train_together(whole)
    for run in range(4):  # each try gets less than two epochs further
        try:
            train_together(broken, resume=run > 0, watcher=Interrupting(updates=4))
        except KeyboardInterrupt:
            continue
    train_together(broken, resume=True)
    for first, second in zip(whole, broken, strict=True):
        assert_same_end(first, second)


class InterruptingAfter(Quiet):
    """Ctrl-C when this seed has ended this epoch, and those after it have not been saved."""

    def __init__(self, seed, epoch):
        self.moment = (seed, epoch)

    def epoch_done(self, training, record):
        if self.moment == (training.config.seed, record["epoch"]):
            raise KeyboardInterrupt


def test_folders_an_epoch_apart_go_on_together(tmp_path):
    configs = folders(tmp_path, "first", "second", "third")
    with pytest.raises(KeyboardInterrupt):
        train_together(configs, watcher=InterruptingAfter(seed=1, epoch=2))
    assert [len(epochs_in(folder)) for folder in configs] == [2, 2, 1]
    train_together(configs, resume=True)
    for folder, config in configs.items():
        assert epochs_in(folder) == [1, 2, 3]
        assert_as_alone(folder, config, tmp_path)


def test_one_that_has_finished_is_left_as_it_is(tmp_path):
    configs = folders(tmp_path)
    (first, config), (second, _) = configs.items()
    train(config, first)
    before = everything_in(first)
    trainings = train_together(configs, resume=True)  # the second is new
    assert [training.progress.epoch for training in trainings] == [3, 3]
    assert everything_in(first) == before
    assert_as_alone(second, configs[second], tmp_path)


def test_all_that_have_finished_resume_to_nothing_new(tmp_path):
    configs = folders(tmp_path)
    train_together(configs)
    before = [everything_in(folder) for folder in configs]
    train_together(configs, resume=True)
    assert [everything_in(folder) for folder in configs] == before


def test_one_that_fails_is_named_when_the_others_have_finished(tmp_path):
    configs = folders(tmp_path, "good", "bad", "fine")
    bad = tmp_path / "bad"
    configs[bad] = configs[bad].but(learning_rate=1e30)
    for resume in (False, True):
        with pytest.raises(NotFinite, match="not finite in epoch 1") as failure:
            train_together(configs, resume=resume)
        assert str(failure.value).startswith(f"{bad}: ")
    for folder in (tmp_path / "good", tmp_path / "fine"):
        assert_as_alone(folder, configs[folder], tmp_path)
    weights = load_checkpoint(bad / MODEL).weights
    assert all(value.isfinite().all() for value in weights.values())
    assert not (bad / STATE).exists()


class Watching(Quiet):
    def __init__(self):
        self.began, self.updates, self.done = [], 0, []

    def begins(self, trainer):
        self.began.append([training.config.seed for training in trainer.trainings])

    def updated(self):
        self.updates += 1

    def epoch_done(self, training, record):
        self.done.append((training.config.seed, record["epoch"]))


def test_a_watcher_is_told_of_every_epoch_of_each(tmp_path):
    configs = folders(tmp_path)
    configs[tmp_path / "first"] = tiny(seed=0, max_epochs=1)
    watcher = Watching()
    trainings = train_together(configs, watcher=watcher)
    assert watcher.began == [[0, 1]]
    assert watcher.done == [(0, 1), (1, 1), (1, 2), (1, 3)]
    assert watcher.updates == 3 * trainings[0].num_updates


class Intruding(Quiet):
    """Tries to train in one of the folders meanwhile."""

    def __init__(self, folder, config):
        self.again = lambda: train(config, folder, resume=True)

    def epoch_done(self, training, record):
        with pytest.raises(InputError, match="another training is running in it"):
            self.again()


@pytest.mark.parametrize("place", [0, 1])
def test_nobody_else_trains_in_any_of_the_folders(tmp_path, place):
    configs = folders(tmp_path, max_epochs=1)
    train_together(configs, watcher=Intruding(*list(configs.items())[place]))
    for folder in configs:
        assert epochs_in(folder) == [1]


def test_if_one_folder_is_refused_nothing_is_written_in_any(tmp_path):
    configs = folders(tmp_path)
    first, second = configs
    second.mkdir()
    (second / "notes.txt").write_text("mine")
    for resume in (False, True):
        with pytest.raises(InputError, match="second: is not empty"):
            train_together(configs, resume=resume)
    assert not first.exists()
    assert [path.name for path in second.iterdir()] == ["notes.txt"]


def test_if_the_shapes_differ_nothing_is_written(tmp_path):
    configs = folders(tmp_path)
    configs[tmp_path / "second"] = tiny(latent=8)
    with pytest.raises(InputError, match="differ in latent"):
        train_together(configs)
    assert not any(tmp_path.iterdir())


def test_each_is_resumed_with_the_settings_it_was_begun_with(tmp_path):
    configs = folders(tmp_path, max_epochs=1)
    train_together(configs)
    configs[tmp_path / "second"] = configs[tmp_path / "second"].but(seed=8)
    with pytest.raises(InputError, match="second: was begun with another seed"):
        train_together(configs, resume=True)
