from dataclasses import fields

import pytest

from neuralexec.cli.settings import field_texts
from neuralexec.errors import InputError
from neuralexec.training.config import Config
from neuralexec.training.presets import PRESETS, preset


def test_the_default_is_what_the_paper_states():
    config = Config()
    assert (config.learning_rate, config.patience, config.latent) == (5e-4, 10, 32)
    assert (config.num_nodes, config.num_train, config.num_validation) == (20, 100, 5)
    assert (config.schedule, config.clip, config.offset, config.infinity_spread) == (
        "constant",
        0,
        0,
        0,
    )
    assert config.recurrent
    assert preset("paper") == config


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("tasks", [("bfs+bellman-ford",), ("prim",), ("bfs+bellman-ford", "prim")])
def test_presets_keep_the_papers_frame(name, tasks):
    config = preset(name, tasks)
    assert (config.latent, config.num_nodes, config.families) == (32, 20, ())
    assert config.tasks == tasks


def test_a_config_survives_json():
    config = Config(tasks=("prim",), families=("tree", "ladder"), clip=1.0)
    assert Config.from_json(config.to_json()) == config
    as_lists = {**config.to_json(), "tasks": ["prim"], "families": ["tree", "ladder"]}
    assert Config.from_json(as_lists) == config


def test_every_setting_has_a_text():
    texts = field_texts(Config)
    assert set(texts) == {field.name for field in fields(Config)}
    assert all(len(text) > 10 for text in texts.values())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"processor": "mpnn-maxx"}, "did you mean 'mpnn-max'"),
        ({"tasks": ("dfs",)}, "unknown algorithm 'dfs'"),
        ({"tasks": ()}, "no task"),
        ({"tasks": ("bfs", "bfs")}, "named twice"),
        ({"variant": "no-reech"}, "choose one of full, no-reach, no-algo, curriculum"),
        ({"tasks": ("prim",), "variant": "no-reach"}, "no-reach"),
        ({"tasks": ("bfs",), "variant": "no-algo"}, "no-algo"),
        ({"tasks": ("bellman-ford",), "variant": "curriculum"}, "curriculum"),
        ({"variant": "no-algo", "recurrent": False}, "recurrent"),
        ({"sharpening": "entropy"}, "no attention"),
        ({"sharpening": "blunt"}, "choose one of none, entropy, gumbel"),
        ({"num_nodes": 0}, "num-nodes must be at least 1"),
        ({"num_nodes": 4}, "nodes"),  # too small for some family
        ({"num_train": 0}, "num-train must be at least 1"),
        ({"num_validation": 0}, "num-validation"),
        ({"latent": 0}, "latent"),
        ({"learning_rate": 0.0}, "learning-rate"),
        ({"learning_rate": float("nan")}, "learning-rate"),
        ({"clip": float("inf")}, "finite"),
        ({"own_outputs": 1.5}, "between 0 and 1"),
        ({"batch_size": 2.5}, "type int"),
        ({"batch_size": "many"}, "type int"),
        ({"recurrent": 1}, "type bool"),
        ({"families": ("forest",)}, "forest"),
        ({"seed": -1}, "seed"),
    ],
)
def test_impossible_settings_say_what_to_change(changes, words):
    with pytest.raises(InputError, match=words):
        Config(**changes)


def test_unknown_settings_are_named():
    with pytest.raises(InputError, match="unknown setting colour"):
        Config.from_json({"colour": "red"})
    with pytest.raises(InputError, match="unknown preset"):
        preset("worst")
