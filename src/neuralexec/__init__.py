"""Graph networks that are taught graph algorithms step by step and execute them at any size.

The names below are the public interface; each is imported when first used, so that
`import neuralexec` costs nothing and only what needs torch loads it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from neuralexec.algorithms import (
        Algorithm,
        Kind,
        Signal,
        Task,
        Trace,
        Traces,
        find_algorithm,
        find_task,
        iterate,
        run_to_end,
        trace,
        trace_all,
    )
    from neuralexec.batches import Batch, collate
    from neuralexec.errors import InputError, InputWarning
    from neuralexec.evaluation.certificate import Certificate, certify
    from neuralexec.evaluation.evaluate import evaluate
    from neuralexec.evaluation.explain import explain
    from neuralexec.evaluation.explanations import (
        Explanations,
        load_explanations,
        save_explanations,
    )
    from neuralexec.evaluation.scores import Scores, load_scores, save_scores
    from neuralexec.execution import Execution, Model, load
    from neuralexec.graphs.convert.networkx import from_networkx, to_networkx
    from neuralexec.graphs.convert.pyg import from_pyg, to_pyg
    from neuralexec.graphs.convert.scipy import from_scipy, to_scipy
    from neuralexec.graphs.families import draw_graph, families
    from neuralexec.graphs.formats import read_graph, write_graph
    from neuralexec.graphs.graph import Graph
    from neuralexec.graphs.problem import Problem
    from neuralexec.graphs.problems import Problems, with_paper_infinity
    from neuralexec.graphs.splits import Split, checksum, paper_splits
    from neuralexec.training.config import Config
    from neuralexec.training.presets import preset
    from neuralexec.training.run import train, train_together

_HOMES = {
    "algorithms": (
        "Algorithm Kind Signal Task Trace Traces "
        "find_algorithm find_task iterate run_to_end trace trace_all"
    ),
    "batches": "Batch collate",
    "errors": "InputError InputWarning",
    "evaluation.certificate": "Certificate certify",
    "evaluation.evaluate": "evaluate",
    "evaluation.explain": "explain",
    "evaluation.explanations": "Explanations load_explanations save_explanations",
    "evaluation.scores": "Scores load_scores save_scores",
    "execution": "Execution Model load",
    "graphs.convert.networkx": "from_networkx to_networkx",
    "graphs.convert.pyg": "from_pyg to_pyg",
    "graphs.convert.scipy": "from_scipy to_scipy",
    "graphs.families": "draw_graph families",
    "graphs.formats": "read_graph write_graph",
    "graphs.graph": "Graph",
    "graphs.problem": "Problem",
    "graphs.problems": "Problems with_paper_infinity",
    "graphs.splits": "Split checksum paper_splits",
    "training.config": "Config",
    "training.presets": "preset",
    "training.run": "train train_together",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Algorithm",
    "Batch",
    "Certificate",
    "Config",
    "Execution",
    "Explanations",
    "Graph",
    "InputError",
    "InputWarning",
    "Kind",
    "Model",
    "Problem",
    "Problems",
    "Scores",
    "Signal",
    "Split",
    "Task",
    "Trace",
    "Traces",
    "certify",
    "checksum",
    "collate",
    "draw_graph",
    "evaluate",
    "explain",
    "families",
    "find_algorithm",
    "find_task",
    "from_networkx",
    "from_pyg",
    "from_scipy",
    "iterate",
    "load",
    "load_explanations",
    "load_scores",
    "paper_splits",
    "preset",
    "read_graph",
    "run_to_end",
    "save_explanations",
    "save_scores",
    "to_networkx",
    "to_pyg",
    "to_scipy",
    "trace",
    "trace_all",
    "train",
    "train_together",
    "with_paper_infinity",
    "write_graph",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'neuralexec' has no attribute {name!r}")
    value = getattr(import_module(f"neuralexec.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
