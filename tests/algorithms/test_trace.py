import pytest

from neuralexec import InputError, Split, find_algorithm, run_to_end, trace, trace_all
from tests.algorithms.endless import counting, one_edge


def test_a_run_without_end_is_stopped():
    with pytest.raises(RuntimeError, match="still changing after 3 steps"):
        trace(counting(), one_edge())


def test_a_trace_too_large_for_memory_is_refused(monkeypatch):
    problem = one_edge()
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 10)
    with pytest.raises(InputError, match="every state of Breadth-first search on this graph"):
        trace(find_algorithm("bfs"), problem)
    assert run_to_end(find_algorithm("bfs"), problem)[1] == 2  # the last state alone fits


def test_a_step_that_writes_into_its_input_fails():
    def write(problems, state):
        state["count"][0] += 1
        return state

    with pytest.raises(ValueError, match="read-only"):
        trace(counting(step=write), one_edge())


def test_traces_are_a_sequence():
    problems = Split("train", 20, 1).draw()
    runs = trace_all(find_algorithm("bfs"), problems)
    assert [run.problem for run in runs] == list(problems)
    assert runs[-1].problem is problems[-1]
    assert [run.problem for run in runs[1:3]] == list(problems[1:3])
    with pytest.raises(IndexError):
        runs[len(problems)]
