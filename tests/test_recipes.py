"""What each row of the paper trains."""

from dataclasses import fields

import pytest

from neuralexec import recipes
from neuralexec.training.config import Config


def changed(config: Config, base: Config | None = None) -> dict[str, object]:
    """Where it differs from what the paper states."""
    base = base or Config()
    return {
        field.name: getattr(config, field.name)
        for field in fields(Config)
        if getattr(config, field.name) != getattr(base, field.name)
    }


def test_the_papers_settings():
    config = recipes.mpnn_max()
    assert (config.latent, config.num_nodes, config.num_train, config.num_validation) == (
        32,
        20,
        100,
        5,
    )
    assert (config.learning_rate, config.patience, config.processor) == (5e-4, 10, "mpnn-max")
    assert changed(config) == {}


@pytest.mark.parametrize(
    ("config", "differences"),
    [
        (recipes.mpnn_mean(), {"processor": "mpnn-mean"}),
        (recipes.mpnn_sum(), {"processor": "mpnn-sum"}),
        (recipes.lstm(), {"processor": "lstm"}),
        (recipes.curriculum(), {"variant": "curriculum"}),
        (recipes.no_reach(), {"variant": "no-reach"}),
        (recipes.no_algo(), {"variant": "no-algo"}),
        (recipes.one_family("tree"), {"families": ("tree",)}),
        (recipes.on_100_nodes(recipes.lstm()), {"processor": "lstm", "num_nodes": 100}),
        (recipes.bfs_alone(), {"tasks": ("bfs",)}),
        (recipes.one_processor(), {"tasks": ("bfs+bellman-ford", "prim")}),
        (recipes.mpnn_max("prim"), {"tasks": ("prim",)}),
        (recipes.no_algo("prim"), {"tasks": ("prim",), "variant": "no-algo"}),
        (recipes.lstm("prim"), {"tasks": ("prim",), "processor": "lstm"}),
    ],
)
def test_a_row_differs_from_the_papers_settings_only_where_it_says(config, differences):
    assert changed(config) == differences


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim"])
def test_attention_is_tried_in_two_ways_each_sharpened_in_three(task):
    pairs = [(one.processor, one.sharpening) for one in recipes.gat(task)]
    assert sorted(pairs) == [
        (processor, sharpening)
        for processor in ("gat", "gat-transformer")
        for sharpening in ("entropy", "gumbel", "none")
    ]
    full = [(one.processor, one.sharpening) for one in recipes.gat_full(task)]
    assert full == [(processor.replace("gat", "gat-full"), sharp) for processor, sharp in pairs]
    for one in (*recipes.gat(task), *recipes.gat_full(task)):
        assert set(changed(one, Config(tasks=(task,)))) <= {"processor", "sharpening"}


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim"])
def test_ours_keeps_the_size_the_data_and_the_processor(task):
    assert not set(changed(recipes.best(task), Config(tasks=(task,)))) & {
        *("latent", "num_nodes", "num_train", "families", "processor", "seed", "variant"),
    }
    assert changed(recipes.best(task))


def test_a_choice_differs_from_the_papers_settings_in_what_they_leave_open():
    stated = {"latent", "num_nodes", "num_train", "processor", "learning_rate", "patience"}
    decided = [*recipes.choices().values(), *recipes.choices_of_prim().values()]
    differences = [changed(one, recipes.mpnn_max(one.tasks[0])) for one in decided]
    assert all(one and not stated & set(one) for one in differences)
    assert len({tuple(sorted(one)) for one in differences}) == len(differences)
