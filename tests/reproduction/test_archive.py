"""What was left is read back: the choice on validation, other settings and damage refused."""

from dataclasses import replace

import pytest

from neuralexec import recipes
from neuralexec.errors import InputError
from neuralexec.reproduction.archive import Archive, Trained
from neuralexec.reproduction.work import SECONDS, Work, scores_file
from tests.reproduction.archived import finish, scores_of
from tests.reproduction.tiny import EXAM, EXPLAINED, GAT, GATS, MPNN_MAX, NOTHING, tiny

TASK = "bfs+bellman-ford"


def leave(folder, config, *, seeds=(0,), preset="paper", **changes):
    """Each seed as a job of its own."""
    for seed in seeds:
        work = Work(preset, config, TASK, (seed,), (EXAM,), explained=True)
        finish(work, folder / work.job, **changes)


def seeds_of(trained):
    return [one.seed for one in trained]


def test_the_finished_seeds_of_a_recipe_in_order(tmp_path):
    leave(tmp_path, MPNN_MAX, seeds=(10, 0, 2, 3))
    leave(tmp_path, GATS[0], seeds=(5,))
    home = Work("paper", MPNN_MAX, TASK, (2,), ()).home
    (tmp_path / home / "seed-2" / SECONDS).unlink()
    (tmp_path / home / "seed-old").mkdir()
    archive = Archive(tmp_path)
    assert seeds_of(archive.trained(EXPLAINED, MPNN_MAX)) == [0, 3, 10]
    assert seeds_of(archive.trained(replace(EXPLAINED, most_seeds=1), MPNN_MAX)) == [0]
    assert seeds_of(archive.trained(replace(EXPLAINED, preset="best"), tiny(recipes.best()))) == []


def test_nothing_learnt_has_scores(tmp_path):
    work = Work("none", None, TASK, (0,), (EXAM,))
    finish(work, tmp_path / work.job)
    [one] = Archive(tmp_path).trained(NOTHING, None)
    assert one.scores(EXAM, TASK) == scores_of(TASK, EXAM)
    assert Archive(tmp_path).trained(replace(NOTHING, task="prim"), None) == []


def test_scores_of_the_task_that_is_asked_for(tmp_path):
    config = recipes.one_processor()
    work = Work("paper", config, TASK, (0,), (EXAM,))
    finish(work, tmp_path, share=0.25)
    one = Trained(tmp_path)
    assert one.scores(EXAM, "prim") == scores_of("prim", EXAM, config, 0.25)
    assert one.scores(EXAM, TASK) == scores_of(TASK, EXAM, config, 0.25)
    assert one.scores(EXAM, "bfs") is None
    assert one.scores(replace(EXAM, per_family=2), TASK) is None


def test_the_choice_is_made_on_validation_whatever_the_test_says(tmp_path):
    for place, config in enumerate(GATS):
        leave(tmp_path, config, validation=[0.6, 0.7][place], share=[0.9, 0.1][place])
    assert Archive(tmp_path).chosen(GAT) == GATS[1]


def test_the_score_of_the_weights_that_were_kept_counts(tmp_path):
    leave(tmp_path, MPNN_MAX, validation=0.625)
    [one] = Archive(tmp_path).trained(EXPLAINED, MPNN_MAX)
    assert one.validation == 0.625


def test_candidates_are_compared_over_the_seeds_that_all_have(tmp_path):
    leave(tmp_path, GATS[0], seeds=(0, 1), validation={0: 0.8, 1: 0.1})
    leave(tmp_path, GATS[1], seeds=(0,), validation=0.6)
    assert Archive(tmp_path).chosen(GAT) == GATS[0]


def test_seeds_are_averaged(tmp_path):
    leave(tmp_path, GATS[0], seeds=(0, 1), validation={0: 0.8, 1: 0.1})
    leave(tmp_path, GATS[1], seeds=(0, 1), validation={0: 0.3, 1: 0.7})
    assert Archive(tmp_path).chosen(GAT) == GATS[1]


def test_a_candidate_that_was_never_trained_is_not_chosen(tmp_path):
    assert Archive(tmp_path).chosen(GAT) is None
    leave(tmp_path, GATS[1], validation=0.1)
    assert Archive(tmp_path).chosen(GAT) == GATS[1]


def test_other_settings_are_refused_in_one_line(tmp_path):
    work = Work("paper", MPNN_MAX, TASK, (0,), (EXAM,))
    finish(replace(work, recipe=MPNN_MAX.but(latent=5, clip=1.0)), tmp_path / work.job)
    with pytest.raises(InputError) as caught:
        Archive(tmp_path).require_same_settings([NOTHING, EXPLAINED])
    assert str(caught.value) == (
        f"{tmp_path / work.job}: was trained with another latent, clip; move it away, or choose "
        "another folder for the results"
    )
    with pytest.raises(InputError, match="was trained with another latent"):
        Archive(tmp_path).chosen(EXPLAINED)


DAMAGES = [
    b"",
    b"\x1f\x8b\x08\x00",
    b"[]",
    b"[1]",
    b'{"new": 1}',
    b'{"epoch": 2}\n{"epo',
    b"\xff\xfe",
]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    ("name", "read", "advice"),
    [
        ("config.json", lambda one: one.config["seed"], "remove its folder"),
        ("environment.json", lambda one: one.device, "remove its folder"),
        (SECONDS, lambda one: one.seconds, "remove its folder"),
        ("model.safetensors", lambda one: one.card["epochs"], "remove its folder"),
        ("metrics.jsonl", lambda one: one.validation, "remove its folder"),
        (scores_file(EXAM), lambda one: one.scores(EXAM, TASK), "remove it, and reproduce"),
        ("explanations.json.gz", lambda one: one.explanations, "remove it, and reproduce"),
    ],
)
def test_damage_is_told_in_one_line(tmp_path, name, read, advice, damage):
    leave(tmp_path, MPNN_MAX)
    [path] = tmp_path.rglob(name)
    assert read(Trained(path.parent)) is not None
    path.write_bytes(damage)
    with pytest.raises(InputError) as caught:
        read(Trained(path.parent))
    assert str(caught.value).startswith(f"{path}: cannot be read: ")
    assert advice in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).count(str(path)) == 1
