"""Many jobs, one interface: in this process, in a pool of local ones, or on a Ray cluster."""

from neuralexec.sweeps.backend import Backend, Crew
from neuralexec.sweeps.driver import FAILURE, Outcome, sweep
from neuralexec.sweeps.in_process import InProcess
from neuralexec.sweeps.job import Job, Perform
from neuralexec.sweeps.local_pool import LocalPool
from neuralexec.sweeps.progress import Progress
from neuralexec.sweeps.ray_cluster import RayCluster
from neuralexec.sweeps.watcher import Watcher

__all__ = [
    "FAILURE",
    "Backend",
    "Crew",
    "InProcess",
    "Job",
    "LocalPool",
    "Outcome",
    "Perform",
    "Progress",
    "RayCluster",
    "Watcher",
    "sweep",
]
