"""Machine code for loops that NumPy cannot express, compiled by numba at the first call.

Importing numba takes longer than most commands run, so it waits until a compiled function is
called. The machine code is cached on disk: a machine compiles once.
"""

import warnings
from collections.abc import Callable
from functools import cache, update_wrapper
from inspect import unwrap
from types import FunctionType
from typing import Any

from neuralexec.errors import InputWarning

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}  # no check before each division


class compiled:
    """Run a function as machine code. It may call other compiled functions of its file: the cache
    notices when that changes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = unwrap(function)  # under test, from what checks its arguments
        self.machine_code: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self.machine_code is None:
            self.machine_code = _compile(self.function)
        return self.machine_code(*arguments)


def _compile(function: Any) -> Any:
    try:
        import numba
    except ImportError:
        _warn()
        return function
    function = _calling_machine_code(function)
    try:
        return numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return numba.njit(**OPTIONS)(function)


@cache
def _warn() -> None:
    """Once."""
    warnings.warn(
        "numba is not installed: compiled loops run as Python, many times slower; "
        "pip install numba",
        InputWarning,
        stacklevel=4,
    )


def _calling_machine_code(function: Any) -> Any:
    """The same function, with what it calls compiled into it."""
    called = {
        name: _compile(function.__globals__[name].function)
        for name in function.__code__.co_names
        if isinstance(called_function := function.__globals__.get(name), compiled)
        and called_function.function is not function
    }
    if not called:
        return function
    code, names = function.__code__, {**function.__globals__, **called}
    same = FunctionType(code, names, function.__name__, function.__defaults__)
    return update_wrapper(same, function)
