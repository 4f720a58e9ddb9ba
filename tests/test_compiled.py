import numba
import numpy as np

from neuralexec.compiled import compiled


def add_up(values):
    total = 0.0
    for value in values:
        total += value
    return total


def test_compiled_code_gives_what_python_gives():
    values = np.arange(10.0)
    assert compiled(add_up)(values) == add_up(values) == 45


def test_without_a_folder_for_the_cache_it_compiles_all_the_same(monkeypatch):
    njit = numba.njit

    def no_cache(**options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", no_cache)
    assert compiled(add_up)(np.ones(3)) == 3
