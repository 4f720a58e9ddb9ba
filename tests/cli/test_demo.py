import json

from neuralexec.evaluation.scores import load_scores


def test_the_demo_trains_tests_and_compares(neuralexec, tmp_path, monkeypatch):
    from neuralexec.training.config import Config

    def small(name, tasks):
        assert name == "best"
        return Config(tasks=tasks, num_train=2, num_validation=1, batch_size=14, patience=0)

    monkeypatch.setattr("neuralexec.training.presets.preset", small)
    folder = tmp_path / "demo"
    result = neuralexec("demo", "--out", folder, "--max-epochs", 1)
    assert result.status == 0
    [line] = [line for line in result.out.splitlines() if "predecessor, mean" in line]
    assert line.split()[3::2] == ["97.1", "94.7", "90.9"]  # the paper's
    scores = load_scores(folder / "scores.json")
    assert [one.num_nodes for one in scores] == [20, 50, 100]
    shown = line.split()[2]
    assert abs(float(shown) - 100 * scores[0].mean_step("predecessor")) < 0.11
    again = neuralexec("demo", "--out", folder, "--max-epochs", 1)  # trained already
    assert again.status == 0
    assert len((folder / "metrics.jsonl").read_text().splitlines()) == 1
    assert json.loads((folder / "config.json").read_text())["max_epochs"] == 1


def test_a_demo_with_other_settings_does_not_mix(neuralexec, tmp_path):
    (tmp_path / "config.json").write_text('{"seed": 3}')
    status, _, err = neuralexec("demo", "--out", tmp_path, "--max-epochs", 1)
    assert status == 2
    assert "begun with another" in err
