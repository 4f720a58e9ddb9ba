"""Machine code for loops that NumPy cannot express, compiled by numba at the first call.

Importing numba takes longer than most commands run, so it waits until a compiled function is
called. The machine code is cached on disk: a machine compiles once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _compile(function: Callable[..., Any]) -> Any:
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return numba.njit(nogil=True)(function)


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Run `function` as machine code. It must stand alone: calling another one is not possible."""
    machine_code: Any = None

    @wraps(function)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        nonlocal machine_code
        if machine_code is None:
            machine_code = _compile(function)
        result: Result = machine_code(*arguments, **named)
        return result

    return call
