import json

import pytest

from neuralexec.training.run import Quiet, load_config
from tests.training.tiny import TINY

FLAGS = [f"--{name.replace('_', '-')}={value}" for name, value in TINY.items()]


def test_a_training_from_the_command_line(neuralexec, tmp_path):
    result = neuralexec("train", "--out", tmp_path / "run", *FLAGS)
    assert result.status == 0
    assert "model.safetensors: 3 epochs, the weights of epoch 3 kept" in result.out.replace(
        "\n", ""
    )
    assert load_config(tmp_path / "run").num_nodes == 8


def test_flags_override_the_preset(neuralexec, tmp_path):
    flags = ["--preset=best", "--tasks=prim,bfs", "--max-epochs=0", "--recurrent", "--clip=2"]
    assert neuralexec("train", "--out", tmp_path / "run", *FLAGS[:3], *flags).status == 0
    config = load_config(tmp_path / "run")
    assert config.tasks == ("prim", "bfs")
    assert (config.recurrent, config.clip, config.schedule) == (True, 2.0, "cosine")


def test_any_processor_has_the_best_settings_but_for_relative_distances(neuralexec, tmp_path):
    flags = ["--preset=best", "--processor=gat", "--no-relative", "--max-epochs=0"]
    assert neuralexec("train", "--out", tmp_path / "run", *FLAGS[:3], *flags).status == 0
    config = load_config(tmp_path / "run")
    assert (config.processor, config.relative, config.sharp) == ("gat", False, True)


def test_resume_goes_on_and_takes_its_settings_from_the_folder(neuralexec, tmp_path):
    run = tmp_path / "run"
    neuralexec("train", "--out", run, *FLAGS)
    assert "3 epochs" in neuralexec("train", "--resume", "--out", run).out.replace("\n", " ")
    refused = neuralexec.fails("train", "--resume", "--out", run, "--seed=5")
    assert "begun with another seed" in refused


def test_lines_where_no_bar_can_move(neuralexec, tmp_path):
    result = neuralexec("train", "--out", tmp_path / "run", *FLAGS, "--max-epochs=10")
    assert "epoch 10: loss" in result.err
    quiet = neuralexec("train", "--out", tmp_path / "quiet", *FLAGS, "--quiet")
    assert quiet.err == ""


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--processor=mpnn"], "choose one of gat, gat-full"),
        (["--processor=pyg:Nothing"], "PyTorch Geometric"),
        (["--preset=worst"], "unknown preset 'worst'; choose one of paper, best"),
        (["--variant=half"], "choose one of full, no-reach, no-algo, curriculum"),
        (["--tasks=bfs+prim,dfs"], "dfs"),
        (["--tasks="], "no task"),
        (["--preset=best", "--processor=gat"], "need processor mpnn-max or mpnn-mean"),
        (["--preset=best", "--recurrent"], "need no-recurrent; change that, or use no-relative"),
        (["--relative"], "need no-recurrent, scorer linear or both"),
        (["--num-train=0"], "num-train must be at least 1"),
        (["--num-nodes=0"], "num-nodes must be at least 1"),
        (["--num-nodes=many"], "num-nodes"),
        (["--device=cuda"], "use --device cpu"),
        (["--device=tpu"], "choose one of cpu, cuda"),
        (["--learning-rate=nan"], "learning-rate"),
        (["--track=paper"], "choose one of tensorboard"),
        (["--resume"], "no training to resume"),
        (["--resume", "--preset=best"], "leave out --preset"),
        (["--processor=pyg:PNAConv"], "PNAConv cannot be built"),
        (["--latent=100000000"], "latent must be at most 10,000"),
        (["--seed=99999999999999999999999"], "seed must be at most"),
        (["--batch-size=99999999999999999999"], "batch-size must be at most"),
        (["--extra-steps=999999999999999999999"], "extra-steps must be at most"),
        (["--num-train=999999999"], "memory"),
        (["--colour=red"], "colour"),
        (["--replicas=0"], "replicas"),
        (["--replicas=some"], "replicas"),
        (["--replicas=2", "--track=tensorboard"], "leave out --track or --replicas"),
        (["--replicas=2", "--resume"], "no training to resume"),
        (["--replicas=2", f"--seed={2**63 - 1}"], "seed must be at most"),
        (["--replicas=2", "--processor=mpnn"], "choose one of gat, gat-full"),
    ],
)
def test_what_cannot_be_trained_is_refused_and_nothing_is_written(
    neuralexec, tmp_path, monkeypatch, flags, words
):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert words in neuralexec.fails("train", "--out", tmp_path / "run", *flags)
    assert not (tmp_path / "run").exists()


def test_help_explains_every_setting(neuralexec):
    text = " ".join(neuralexec("train", "--help").out.replace("│", " ").split())
    assert "--learning-rate" in text
    assert "Of Adam, at the start." in text
    assert "[preset paper: 0.0005]" in text


def test_a_loss_that_is_not_finite_is_one_line(neuralexec, tmp_path):
    message = neuralexec.fails("train", "--out", tmp_path / "run", *FLAGS, "--learning-rate=1e30")
    assert "lower the learning rate" in message
    assert (tmp_path / "run" / "model.safetensors").exists()


def test_metrics_are_json_lines(neuralexec, tmp_path):
    neuralexec("train", "--out", tmp_path / "run", *FLAGS)
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3]


def epochs_in(folder):
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [json.loads(line)["epoch"] for line in lines]


def test_replicas_have_a_seed_and_a_folder_each(neuralexec, tmp_path):
    result = neuralexec("train", "--out", tmp_path, *FLAGS, "--replicas=3", "--seed=4")
    assert result.status == 0
    names = ["seed-4", "seed-5", "seed-6"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert [load_config(tmp_path / name).seed for name in names] == [4, 5, 6]
    said = result.out.replace("\n", "")
    for name in names:
        assert epochs_in(tmp_path / name) == [1, 2, 3]
        assert f"{name}/model.safetensors: 3 epochs, the weights of epoch 3 kept" in said


def test_one_replica_is_a_training_as_any(neuralexec, tmp_path):
    assert neuralexec("train", "--out", tmp_path, *FLAGS, "--replicas=1").status == 0
    assert epochs_in(tmp_path) == [1, 2, 3]


@pytest.mark.parametrize(("seed", "replicas"), [(0, 2), (9, 2), (0, 12)])
def test_replicas_are_resumed(neuralexec, tmp_path, monkeypatch, seed, replicas):
    """Also where seeds have different numbers of digits."""
    left = iter(range(4))

    def interrupt(watcher):
        if next(left, None) is None:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Quiet, "updated", interrupt)
        flags = [*FLAGS, f"--replicas={replicas}", f"--seed={seed}", "--quiet"]
        result = neuralexec("train", "--out", tmp_path, *flags)
    assert result.status == 130
    hint = f"train --resume --seed {seed} --replicas {replicas} --out {tmp_path}"
    assert f"go on with: neuralexec {hint}" in result.err.replace("\n", " ")
    resume = ["train", "--resume", "--replicas", str(replicas), "--out", str(tmp_path)]
    numbers = range(seed, seed + replicas)
    assert all(epochs_in(tmp_path / f"seed-{number}") == [1] for number in numbers)
    assert neuralexec(*resume, "--quiet").status == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"seed-{number}" for number in numbers}
    assert all(epochs_in(tmp_path / f"seed-{number}") == [1, 2, 3] for number in numbers)


def test_other_seeds_in_the_same_folder_are_resumed_by_name(neuralexec, tmp_path):
    flags = ["--replicas=2", "--max-epochs=1", "--quiet"]
    for seed in (0, 20):
        begun = ["train", "--out", tmp_path, *FLAGS, f"--seed={seed}", *flags]
        assert neuralexec(*begun).status == 0
    (tmp_path / "seed-21" / "state.safetensors").unlink()
    resume = ["train", "--resume", "--seed=20", "--replicas=2", "--quiet", "--out", tmp_path]
    assert neuralexec(*resume).status == 0
    assert (tmp_path / "seed-21" / "state.safetensors").exists()


def test_a_replica_that_fails_is_named(neuralexec, tmp_path):
    flags = [*FLAGS, "--replicas=2", "--learning-rate=1e30"]
    message = neuralexec.fails("train", "--out", tmp_path, *flags)
    assert "seed-0: the loss is not finite" in message
    assert (tmp_path / "seed-1" / "model.safetensors").exists()


def test_lines_say_which_replica_is_shown(neuralexec, tmp_path):
    flags = [*FLAGS, "--max-epochs=20", "--replicas=2"]
    err = neuralexec("train", "--out", tmp_path, *flags).err
    said = " ".join(err.split())
    assert "epoch 10: seed 0: loss" in said
    assert "; 0 of 2 finished" in said
    assert "epoch 10: seed 1" not in said
