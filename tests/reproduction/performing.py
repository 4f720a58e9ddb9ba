"""Jobs for the tests, at the top of a module so that other processes find them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from neuralexec.reproduction import work as module
from neuralexec.reproduction.work import Work
from neuralexec.training.run import STATE, Quiet
from tests.sweeps.performing import show_process

DIED = "died-in-training"


def die_in_the_second_seed(work: Work, folder: Path) -> None:
    """Once, by a signal, after an epoch and before the next."""
    died = folder / DIED

    def epoch_done(self: Quiet, training: Any, record: Any) -> None:
        if not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    if work.seeds == (1,) and work.recipe is not None and not (folder / module.SECONDS).exists():
        assert died.exists() == (folder / STATE).exists(), "the retry goes on where it was"
        before, Quiet.epoch_done = Quiet.epoch_done, epoch_done  # type: ignore[method-assign]
        try:
            module.perform(work, folder)
        finally:
            Quiet.epoch_done = before  # type: ignore[method-assign]
        died.unlink()
    else:
        module.perform(work, folder)


def never_end_the_second_seed(work: Work, folder: Path) -> None:
    """Its process is shown in the file that the environment names."""
    if work.seeds == (1,):
        show_process(Path(os.environ["SHOWN"]))
        while True:
            time.sleep(0.05)
    module.perform(work, folder)
