import sys

import numba
import numpy as np
import pytest

from neuralexec import compiled as compiled_module
from neuralexec.compiled import compiled
from neuralexec.errors import InputWarning


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


@compiled
def doubled(value):
    return 2 * value


@compiled
def doubled_twice(value):
    return doubled(doubled(value))


@compiled
def add_up_doubled(values, times=1):
    total = 0.0
    for value in values:
        total += doubled_twice(value)
    return times * total


def test_compiled_code_calls_compiled_code():
    """Through any number of others."""
    assert doubled_twice(1.5) == 6
    assert add_up_doubled(np.arange(4.0)) == 24
    assert add_up_doubled(np.arange(4.0), 2) == 48
    assert doubled(1.5) == 3  # and by itself as before


def test_what_calls_compiled_code_needs_no_cache_either(monkeypatch):
    njit = numba.njit

    def no_cache(**options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", no_cache)
    assert compiled(add_up_doubled.function)(np.ones(3)) == 12


def test_a_compiled_function_is_still_known_by_its_name_and_text():
    assert doubled.__name__ == "doubled"
    assert compiled(trapped).__doc__ == "Not compiled before it is called."
    assert compiled(trapped).machine_code is None


def trapped():
    """Not compiled before it is called."""


def test_without_numba_it_runs_as_python_with_one_warning(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    compiled_module._warn.cache_clear()
    with pytest.warns(InputWarning, match="numba is not installed"):
        assert compiled(add_up)(np.arange(4.0)) == 6
    assert compiled(add_up)(np.ones(2)) == 2
