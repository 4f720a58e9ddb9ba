"""A sweep to interrupt: `python -m tests.sweeps.interrupted BACKEND FOLDER SHOWN`.

A quick job, and one that runs for ever and shows its process in the file SHOWN. BACKEND is
in-process, local-pool, or the address of a Ray cluster.
"""

import sys
from pathlib import Path

from neuralexec.sweeps import InProcess, Job, LocalPool, RayCluster, sweep
from neuralexec.sweeps.backend import Backend
from tests.sweeps.performing import run_for_ever

INTERRUPTED = 42


def main(kind: str, folder: str, shown: str) -> int:
    backend: Backend
    match kind:
        case "in-process":
            backend = InProcess()
        case "local-pool":
            backend = LocalPool(2)
        case address:
            backend = RayCluster(address)
    jobs = [Job("quick", "result", 2), Job("slow", shown)]
    try:
        sweep(jobs, run_for_ever, Path(folder), backend)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
