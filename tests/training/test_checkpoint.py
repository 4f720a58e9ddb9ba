import json
import pickle

import pytest
import safetensors.torch
import torch

from neuralexec.errors import InputError
from neuralexec.training.checkpoint import (
    FORMAT,
    load_checkpoint,
    load_tensors,
    read_header,
    save_checkpoint,
    save_tensors,
)
from neuralexec.training.training import Training
from tests.training.tiny import tiny


@pytest.fixture(scope="module")
def training():
    return Training(tiny())


@pytest.fixture
def path(tmp_path, training):
    path = tmp_path / "model.safetensors"
    save_checkpoint(path, training.config, training.best_weights, {"seed": 0})
    return path


def test_a_checkpoint_comes_back_as_it_was(path, training):
    checkpoint = load_checkpoint(path)
    assert checkpoint.config == training.config
    assert checkpoint.card == {"seed": 0}
    executor = checkpoint.executor()
    assert not executor.training
    for name, value in training.layout.weights(training.now).items():
        assert torch.equal(executor.state_dict()[name], value)


def test_the_header_says_what_it_is(path):
    header = read_header(path)
    assert header["format"] == FORMAT
    assert header["version"]
    assert header["config"]["processor"] == "mpnn-max"


def refuse(path, words):
    with pytest.raises(InputError, match=words) as refusal:
        load_checkpoint(path)
    message = str(refusal.value)
    assert str(path) in message
    assert "\n" not in message


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.999])
def test_a_truncated_file_is_refused(path, share):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    refuse(path, "cut short")


def test_a_foreign_safetensors_file_is_refused(path):
    safetensors.torch.save_file({"weight": torch.zeros(3)}, path)
    refuse(path, "not written by neuralexec")


def test_a_pickle_is_refused_and_not_run(path, tmp_path):
    class Malicious:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    path.write_bytes(pickle.dumps(Malicious()))
    refuse(path, "pickled ones could run code")
    torch.save({"weight": Malicious()}, path)
    refuse(path, "pickled ones could run code")
    assert not (tmp_path / "ran").exists()


def rewritten(path, **changes):
    header = read_header(path)
    tensors, _ = load_tensors(path, "executor")
    safetensors.torch.save_file(tensors, path, {"neuralexec": json.dumps({**header, **changes})})


def test_another_format_is_refused(path):
    rewritten(path, format=FORMAT + 1, version="9.9")
    refuse(path, "format 2, written by neuralexec 9.9")


def test_other_content_is_refused(path):
    rewritten(path, kind="training")
    refuse(path, "holds 'training', where 'executor' was expected")


def test_changed_weights_are_noticed(path):
    header = read_header(path)
    tensors, _ = load_tensors(path, "executor")
    tensors["processor.update.bias"][0] += 1
    safetensors.torch.save_file(tensors, path, {"neuralexec": json.dumps(header)})
    refuse(path, "changed or damaged")


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64])
def test_weights_of_another_type_are_refused(path, training, dtype):
    header = {"config": training.config.to_json(), "card": {}}
    other = {name: value.to(dtype) for name, value in training.best_weights.items()}
    save_tensors(path, "executor", other, header)
    refuse(path, "do not fit its settings")


def test_weights_that_are_not_finite_are_refused(path, training):
    header = {"config": training.config.to_json(), "card": {}}
    broken = {name: value.clone() for name, value in training.best_weights.items()}
    broken["processor.update.bias"][0] = torch.nan
    save_tensors(path, "executor", broken, header)
    refuse(path, "processor.update.bias holds numbers that are not finite")


def test_weights_that_do_not_fit_are_refused(path, training):
    header = {"config": training.config.to_json(), "card": {}}
    less = {name: value for name, value in training.best_weights.items() if "update" not in name}
    save_tensors(path, "executor", less, header)
    refuse(path, "do not fit its settings: processor.update")


@pytest.mark.parametrize(
    "config",
    [
        {"processor": "mpnn-min"},
        {"colour": 1},
        {"latent": "wide"},
        {"latent": 10**7},
        {"tasks": [1]},
        {"tasks": [None]},
        [1],
        [],
        None,
        "no",
    ],
    ids=str,
)
def test_unusable_settings_are_refused(path, config):
    rewritten(path, config=config)
    refuse(path, "not a usable checkpoint|cannot be read")


def test_a_header_that_is_no_json_is_refused(path):
    tensors, _ = load_tensors(path, "executor")
    safetensors.torch.save_file(tensors, path, {"neuralexec": "{"})
    refuse(path, "header cannot be read")
    safetensors.torch.save_file(tensors, path, {"neuralexec": "[]"})
    refuse(path, "header cannot be read")


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    refuse(tmp_path / "nothing.safetensors", "no such file")
    refuse(tmp_path, "no such file")
