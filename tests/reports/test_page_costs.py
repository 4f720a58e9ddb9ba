"""What trainings cost."""

from dataclasses import replace

from neuralexec.reports.page_costs import core_hours, costs
from tests.reports.fake_results import fake_trainings


def test_hours_are_summed():
    trainings = fake_trainings()
    assert core_hours(trainings) == sum(one.seconds for one in trainings) / 3600
    assert "36 trainings took 0.91 core-hours together, on: CPU, 1 thread." in costs(trainings)


def test_a_line_per_model_preset_and_task():
    first, second, third = (replace(one, seconds=3600.0) for one in fake_trainings()[:3])
    other = replace(third, task="prim", parameters=7)
    text = costs([other, second, first])
    assert (
        '<th scope="row">LSTM</th><td>paper</td><td>bfs+bellman-ford</td><td>2</td>'
        "<td>11000</td><td>2.00</td>"
    ) in text
    assert "<td>paper</td><td>prim</td><td>1</td><td>7</td><td>1.00</td>" in text


def test_every_training_with_its_settings():
    [training] = fake_trainings()[:1]
    training = replace(training, config={"rate": 5e-4, "name": "<a>"}, best_epoch=None)
    text = costs([training])
    assert "All 1 trainings, with their settings" in text
    assert (
        '<th scope="row">lstm-paper-0</th><td>0</td><td>200</td><td>–</td><td>0.9375</td>'
        "<td>90.0</td><td>CPU, 1 thread</td>"
    ) in text
    assert "<code>rate=0.0005, name=&quot;&lt;a&gt;&quot;</code>" in text
    assert text.count("<details>") == 2
    assert "–" in costs([replace(training, validation=None, best_epoch=3)])
