import json


def test_the_list_says_what_each_executes(neuralexec):
    out = neuralexec("models").out
    assert "best-bfs-bellman-ford" in out
    assert "paper-prim" in out


def test_a_whole_card(neuralexec):
    card = json.loads(neuralexec("models", "best-prim").out)
    assert card["command"] == "neuralexec train --preset best --tasks prim --out best-prim"
    everything = json.loads(neuralexec("models", "--json").out)
    assert card in everything


def test_an_unknown_one_lists_the_choices(neuralexec):
    assert "choose one of best-bfs-bellman-ford" in neuralexec.fails("models", "worst")
