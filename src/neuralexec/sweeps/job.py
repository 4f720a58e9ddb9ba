"""What a sweep performs, and the three ways an attempt at it ends."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from neuralexec.errors import InputError

Perform: TypeAlias = Callable[[Any, Path], None]
"""Does a job's work and leaves its files in the folder it is given, which exists. A function at the
top of a module, so that another process finds it; where it finds its own unfinished files, it may
go on from there."""


@dataclass(frozen=True)
class Job:
    name: str
    """Unique; also the job's folder below that of the sweep, so it may contain slashes."""
    work: Any
    """What the performing function is given; it must survive pickling."""
    cost: float = 1.0
    """Relative: the dearest jobs start first, and the time left is estimated by it."""


@dataclass(frozen=True)
class Done:
    seconds: float


@dataclass(frozen=True)
class Raised:
    """It would do so again."""

    message: str
    traceback: str | None = None
    """None where the message says it all."""


@dataclass(frozen=True)
class Died:
    """The process that performed it is gone, through no fault of the job that we know of."""

    why: str


Ending: TypeAlias = Done | Raised | Died


def attempt(perform: Perform, work: Any, folder: Path) -> Done | Raised:
    """Perform it here, whatever it raises; but an interruption is the driver's business."""
    begun = time.monotonic()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        perform(work, folder)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit included: one job must not end the others
        return raised(error)
    return Done(time.monotonic() - begun)


def raised(error: BaseException) -> Raised:
    if isinstance(error, InputError):
        return Raised(str(error))
    lines = str(error).strip().splitlines()
    message = ": ".join([type(error).__name__, *lines[:1]])
    return Raised(message, "".join(traceback.format_exception(error)))
