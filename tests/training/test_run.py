"""A training as a folder: what is in it, and that nothing stops it for good."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from neuralexec.errors import InputError
from neuralexec.training.checkpoint import load_checkpoint, load_tensors, save_tensors
from neuralexec.training.run import (
    CONFIG,
    ENVIRONMENT,
    METRICS,
    MODEL,
    STATE,
    Quiet,
    load_config,
    train,
)
from neuralexec.training.training import NotFinite, new_network
from tests.training.tiny import tiny

LONG = {"max_epochs": 5, "patience": 2, "offset": 2.0}


def epochs_in(folder):
    return [json.loads(line)["epoch"] for line in (folder / METRICS).read_text().splitlines()]


def assert_same_end(first, second):
    ours, theirs = load_checkpoint(first / MODEL), load_checkpoint(second / MODEL)
    for name, value in ours.weights.items():
        assert torch.equal(value, theirs.weights[name]), name
    assert ours.card == theirs.card
    assert (first / METRICS).read_text() == (second / METRICS).read_text()


def test_a_run_is_a_folder(tmp_path):
    config = tiny()
    training = train(config, tmp_path / "run")
    folder = tmp_path / "run"
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [CONFIG, ENVIRONMENT, METRICS, MODEL, STATE]
    )
    assert load_config(folder) == config
    assert epochs_in(folder) == [1, 2, 3]
    environment = json.loads((folder / ENVIRONMENT).read_text())
    assert environment["torch"] == torch.__version__
    card = load_checkpoint(folder / MODEL).card
    assert card["data"] == training.data_checksum
    assert (card["seed"], card["epochs"], card["finished"]) == (0, 3, True)
    assert card["parameters"] == new_network(config).num_parameters


def test_a_finished_run_resumes_to_nothing_new(tmp_path):
    train(tiny(), tmp_path / "run")
    before = (tmp_path / "run" / MODEL).read_bytes()
    train(tiny(), tmp_path / "run", resume=True)
    assert (tmp_path / "run" / MODEL).read_bytes() == before
    assert epochs_in(tmp_path / "run") == [1, 2, 3]


class Interrupting(Quiet):
    """Ctrl-C after so many updates."""

    def __init__(self, updates):
        self.left = updates

    def updated(self):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("changes", [LONG, {"variant": "curriculum", "curriculum_epochs": 2}])
def test_interrupted_anywhere_it_ends_with_the_same_weights(tmp_path, changes):
    config = tiny(**changes)
    train(config, tmp_path / "whole")
    for run in range(4):  # each try gets less than two epochs further
        try:
            train(config, tmp_path / "broken", resume=run > 0, watcher=Interrupting(updates=4))
        except KeyboardInterrupt:
            continue
    train(config, tmp_path / "broken", resume=True)
    assert_same_end(tmp_path / "whole", tmp_path / "broken")


def test_killed_it_ends_with_the_same_weights(tmp_path):
    """A real kill -9, in the middle of an epoch."""
    config = tiny(max_epochs=12)
    train(config, tmp_path / "whole")
    flags = [
        f"--{name.replace('_', '-')}={value}"
        for name, value in config.to_json().items()
        if name in ("num_nodes", "num_train", "num_validation", "batch_size", "learning_rate")
        or name in ("max_epochs", "patience", "number_weight")
    ]
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "neuralexec", "train", "--quiet", f"--out={killed}", *flags]
    process = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"})
    deadline = time.monotonic() + 120
    while not (killed / STATE).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert load_checkpoint(killed / MODEL)  # whole, whatever the moment
    done = epochs_in(killed) if (killed / METRICS).exists() else []
    assert len(done) < config.max_epochs
    train(load_config(killed), killed, resume=True)
    assert_same_end(tmp_path / "whole", killed)


def test_metrics_of_an_unsaved_epoch_are_dropped(tmp_path):
    config = tiny()
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        train(config, folder, watcher=Interrupting(updates=4))
    done = epochs_in(folder)
    with (folder / METRICS).open("a") as file:
        file.write(json.dumps({"epoch": done[-1] + 1}) + "\n" + '{"epoch": 9')
    train(config, folder, resume=True)
    assert epochs_in(folder) == [1, 2, 3]


def test_a_loss_that_is_not_finite_keeps_the_last_good_checkpoint(tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(NotFinite, match="not finite"):
        train(tiny(learning_rate=1e30), folder)
    weights = load_checkpoint(folder / MODEL).weights
    assert all(value.isfinite().all() for value in weights.values())
    assert not (folder / METRICS).exists()


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty; go on with the training in it with --resume"):
        train(tiny(), tmp_path)
    with pytest.raises(InputError, match="is a file"):
        train(tiny(), tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_what_a_crash_left_of_the_first_write_is_in_nobodys_way(tmp_path):
    (tmp_path / ".neuralexec-0123.part").write_text("{")
    train(tiny(max_epochs=1), tmp_path)
    assert epochs_in(tmp_path) == [1]


class Intruding(Quiet):
    """Tries to train in the same folder meanwhile."""

    def __init__(self, config, folder):
        self.again = lambda: train(config, folder, resume=True)

    def epoch_done(self, training, record):
        with pytest.raises(InputError, match="another training is running in it"):
            self.again()


def test_two_trainings_do_not_share_a_folder(tmp_path):
    config = tiny()
    train(config, tmp_path / "run", watcher=Intruding(config, tmp_path / "run"))
    assert epochs_in(tmp_path / "run") == [1, 2, 3]


def test_what_is_refused_leaves_no_folder(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise InputError("no")

    monkeypatch.setattr("neuralexec.training.run.Trainer", refuse)
    with pytest.raises(InputError, match="no"):
        train(tiny(), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda header, tensors: header.pop("progress"),
        lambda header, tensors: header.pop("config"),
        lambda header, tensors: header["progress"].update(colour=1),
        lambda header, tensors: header["progress"].update(epoch="a"),
        lambda header, tensors: header["progress"].update(phase=9),
        lambda header, tensors: header["config"].update(seed=1),
        lambda header, tensors: header.pop("updates"),
        lambda header, tensors: header.update(updates=-1),
        lambda header, tensors: header.update(updates=1.5),
        lambda header, tensors: header.update(updates=True),
        lambda header, tensors: tensors.pop("now"),
        lambda header, tensors: tensors.pop("second"),
        lambda header, tensors: tensors.update({"elsewhere": torch.zeros(1)}),
        lambda header, tensors: tensors.update({"best": torch.zeros(3)}),
        lambda header, tensors: tensors["now"][3].fill_(torch.nan),
        lambda header, tensors: tensors.update({"first": tensors["first"].double()}),
    ],
    ids=range(16),
)
def test_a_damaged_state_is_refused(tmp_path, damage):
    folder = tmp_path / "run"
    train(tiny(max_epochs=1), folder)
    tensors, header = load_tensors(folder / STATE, "training")
    damage(header, tensors)
    content = {name: header[name] for name in ("config", "progress", "updates") if name in header}
    save_tensors(folder / STATE, "training", tensors, content)
    with pytest.raises(InputError, match=r"cannot be resumed from: .*; delete it"):
        train(tiny(max_epochs=1), folder, resume=True)


def test_resume_needs_a_run_of_the_same_settings(tmp_path):
    with pytest.raises(InputError, match="no training to resume"):
        train(tiny(), tmp_path / "none", resume=True)
    assert not (tmp_path / "none").exists()
    train(tiny(), tmp_path / "run")
    with pytest.raises(InputError, match="begun with another seed, latent"):
        train(tiny(seed=1, latent=8), tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"latent": 0}', '{"colour": 1}', "7", '{"tasks": [1]}', "[" * 100_000],
    ids=range(8),
)
def test_damaged_settings_are_refused(tmp_path, text):
    (tmp_path / CONFIG).write_text(text)
    with pytest.raises(InputError):
        load_config(tmp_path)


def test_tensorboard_gets_every_score(tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    from neuralexec.training.track import tracked

    with tracked(Quiet(), "tensorboard", tmp_path / "run") as watcher:
        train(tiny(), tmp_path / "run", watcher=watcher)
    events = EventAccumulator(str(tmp_path / "run" / "tensorboard"))
    events.Reload()
    assert "validation/bfs+bellman-ford/predecessor" in events.Tags()["scalars"]
    lines = (tmp_path / "run" / METRICS).read_text().splitlines()
    losses = [json.loads(line)["loss"] for line in lines]
    logged = [event.value for event in events.Scalars("loss/total")]
    assert logged == pytest.approx(losses)


def test_an_unknown_tracker_lists_the_choices(tmp_path):
    from neuralexec.training.track import tracked

    with (
        pytest.raises(InputError, match="choose one of tensorboard"),
        tracked(Quiet(), "notebook", tmp_path),
    ):
        pass
