"""Jobs for the tests, at the top of a module so that other processes find them."""

import gzip
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError
from neuralexec.sweeps.threads import ONE_THREAD

RESULT = "result.txt"


def write(work: str, folder: Path) -> None:
    (folder / RESULT).write_text(work)


def write_many(work: str, folder: Path) -> None:
    """Files below folders, compressed and empty ones, and one that is gone in the end."""
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "deep" / "deeper" / "weights.bin").write_bytes(bytes(range(256)))
    (folder / "log.gz").write_bytes(gzip.compress(work.encode(), mtime=0))
    (folder / "empty").touch()
    (folder / "passing").touch()
    (folder / "passing").unlink()
    write(work, folder)


def go_on(work: str, folder: Path) -> None:
    """Replace what is left of an earlier sweep."""
    earlier = (folder / "earlier.txt").read_text()
    (folder / "earlier.txt").unlink()
    write(f"{earlier} {work}", folder)


def misbehave(work: str, folder: Path) -> None:
    """What the work says: write, be wrong, break, leave."""
    match work:
        case "wrong":
            raise InputError("the number is odd; give an even one")
        case "break":
            raise RuntimeError("first line\nsecond line")
        case "leave":
            sys.exit(3)
        case "exhaust":
            raise MemoryError
    write(work, folder)


def die_half_way(work: str, folder: Path) -> None:
    half = folder / "half.txt"
    if not half.exists():
        half.write_text(work)
        os.kill(os.getpid(), signal.SIGKILL)
    write(f"{half.read_text()} and {work}", folder)


def die_each_time(work: str, folder: Path) -> None:
    """Where the work names a file; else write."""
    if work.startswith("/"):
        with Path(work).open("a") as attempts:
            attempts.write("once more\n")
        os.kill(os.getpid(), signal.SIGKILL)
    write(work, folder)


def tell_of_itself(work: Any, folder: Path) -> None:
    threads = " ".join(os.environ.get(name, "none") for name in ONE_THREAD)
    (folder / RESULT).write_text(f"{os.getpid()} {threads}")


def meet(work: tuple[str, str, str], folder: Path) -> None:
    """Only ends where the other one runs at the same time."""
    place, own, other = work
    (Path(place) / own).touch()
    wait_for(Path(place) / other)
    write(own, folder)


def run_until_released(work: tuple[str, str], folder: Path) -> None:
    """Show our process in a file, and wait for another to appear before the result."""
    shown, release = work
    show_process(Path(shown))
    wait_for(Path(release))
    write(Path(shown).name, folder)


def run_for_ever(work: str, folder: Path) -> None:
    """Where the work names a file to show our process in; else write."""
    if not work.startswith("/"):
        write(work, folder)
        return
    (folder / "half.txt").write_text("half")
    show_process(Path(work))
    while True:
        time.sleep(0.05)


def show_process(path: Path) -> None:
    half = path.with_name(path.name + ".half")
    half.write_text(str(os.getpid()))
    half.rename(path)


def wait_for(path: Path, patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not path.exists():
        assert time.monotonic() < end, f"{path} never appeared"
        time.sleep(0.02)


def wait_for_end_of(process: int, patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while is_running(process):
        assert time.monotonic() < end, f"process {process} goes on"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"  # one that ended may wait to be noticed
