"""What a process of the local pool does: perform what comes through its pipe until that closes."""

import multiprocessing
import os
import pickle
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from neuralexec.sweeps.job import Done, Raised, attempt, raised


def serve(orders: Connection) -> None:
    """Answer each order, a pickled (perform, work, folder), with how its attempt ended."""
    # Ctrl-C reaches every process of a terminal; here only the driver decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_end_with_the_driver, daemon=True).start()
    while True:
        try:
            order = orders.recv_bytes()
        except EOFError:
            return
        answer = _follow(order)
        try:
            orders.send(answer)
        except BrokenPipeError:
            return


def _follow(order: bytes) -> Done | Raised:
    try:
        perform, work, folder = pickle.loads(order)
    except Exception as error:  # the function or its work cannot be found from this process
        return raised(error)
    try:
        return attempt(perform, work, Path(folder))
    except KeyboardInterrupt as error:  # raised by the job itself: no signal brings it here
        return raised(error)


def _end_with_the_driver() -> None:
    """In the middle of a job the pipe is not read; without this a killed driver leaves orphans."""
    driver = multiprocessing.parent_process()
    assert driver is not None
    driver.join()
    os._exit(1)
