"""Machine code for loops that NumPy cannot express, compiled by numba at the first call.

Importing numba takes longer than most commands run, so it waits until a compiled function is
called. The machine code is cached on disk: a machine compiles once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Run `function` as machine code. It must stand alone: calling another one is not possible."""
    machine_code: Any = None

    @wraps(function)
    def call(*arguments: Parameters.args, **_: Parameters.kwargs) -> Result:
        nonlocal machine_code
        if machine_code is None:
            import numba

            machine_code = numba.njit(cache=True, nogil=True)(function)
        result: Result = machine_code(*arguments)
        return result

    return call
