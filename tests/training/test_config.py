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
    assert config.infinity_low == 1
    assert config.recurrent
    assert (config.own_outputs, config.number_weight, config.settled_weight) == (0, 100, 0)
    assert not config.sharp
    assert not config.relative
    assert config.written_only
    assert preset("paper") == config


def test_the_best_is_exact_at_any_distance():
    config = preset("best")
    assert config.relative
    assert config.sharp
    assert not config.recurrent
    assert (config.scorer, config.own_outputs, config.offset) == ("both", 0, 0)
    assert config.number_weight > Config().number_weight
    assert config.settled_weight > 0


def test_where_nodes_are_chosen_one_by_one_the_others_are_not_asked():
    assert preset("best", ("prim",)).settled_weight == 0
    assert preset("best", ("prim", "dijkstra")).settled_weight == 0
    assert preset("best", ("prim", "bfs+bellman-ford")).settled_weight > 0


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
        ({"infinity_low": 1.1}, "infinity-low must be between 0 and 1"),
        ({"number_weight": -1.0}, "number-weight must be at least 0"),
        ({"settled_weight": -0.5}, "settled-weight must be at least 0"),
        ({"settled_weight": float("inf")}, "settled-weight must be a finite number"),
        ({"sharp": 1.0}, "sharp must be of type bool"),
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


RELATIVE = {"relative": True, "recurrent": False, "scorer": "both"}


@pytest.mark.parametrize("task", ["bellman-ford", "bfs+bellman-ford", "dijkstra"])
@pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-mean"])
@pytest.mark.parametrize("scorer", ["linear", "both"])
def test_distances_may_count_relatively(task, processor, scorer):
    settings = {**RELATIVE, "tasks": (task,), "processor": processor, "scorer": scorer}
    assert Config(**settings).architecture.relative
    assert Config(**settings, sharp=True, update_relu=False).architecture.sharp


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"processor": "mpnn-sum"}, "need processor mpnn-max or mpnn-mean;"),
        ({"processor": "gat"}, "need processor mpnn-max or mpnn-mean;"),
        ({"processor": "lstm"}, "need processor mpnn-max or mpnn-mean;"),
        ({"recurrent": True}, "need no-recurrent;"),
        ({"encoder_relu": True}, "need no-encoder-relu;"),
        ({"message_relu": True}, "need no-message-relu;"),
        ({"scorer": "mlp"}, "need scorer linear or both;"),
        ({"own_outputs": 0.5}, "need own-outputs 0;"),
        ({"scorer": "mlp", "recurrent": True}, "need no-recurrent, scorer linear or both;"),
        ({"processor": "gat", "tasks": ("dijkstra",)}, "need processor"),
        ({"processor": "gat", "tasks": ("connected-components",)}, "need processor"),
        ({"processor": "gat", "tasks": ("prim", "bellman-ford")}, "need processor"),
        ({"processor": "gat", "variant": "no-reach"}, "need processor"),
    ],
    ids=str,
)
def test_a_network_that_does_not_commute_with_shifts_cannot_count_relatively(changes, words):
    with pytest.raises(InputError, match=f"count relatively {words}.* no-relative") as refusal:
        Config(**{**RELATIVE, **changes})
    assert "\n" not in str(refusal.value)
    assert not Config(**{**RELATIVE, **changes, "relative": False}).relative


@pytest.mark.parametrize("tasks", [("prim",), ("bfs",), ("bfs", "prim")], ids=str)
def test_where_there_are_no_distances_any_network_may(tasks):
    assert Config(tasks=tasks, relative=True, processor="gat").relative


def test_unknown_settings_are_named():
    with pytest.raises(InputError, match="unknown setting colour"):
        Config.from_json({"colour": "red"})
    with pytest.raises(InputError, match="unknown preset"):
        preset("worst")
