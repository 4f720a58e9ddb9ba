"""Train the executors that ship with the package, score them, and write their cards.

    python tools/make_pretrained.py [FOLDER OF TRAININGS]

Trainings that are finished there are not repeated; unfinished ones go on.
"""

import json
import shutil
import sys
from pathlib import Path

from neuralexec import pretrained
from neuralexec.evaluation.evaluate import evaluate
from neuralexec.graphs.splits import PAPER_TEST_SIZES, checksum, paper_splits
from neuralexec.models.device import one_thread
from neuralexec.reports.rows import rows_of
from neuralexec.training.checkpoint import load_checkpoint
from neuralexec.training.presets import PRESETS, preset
from neuralexec.training.run import CONFIG, ENVIRONMENT, MODEL, train

TASKS = {"bfs-bellman-ford": "bfs+bellman-ford", "prim": "prim"}
HOME = Path(pretrained.__file__).parent


def main(folder: Path) -> None:
    for settings in PRESETS:
        for short, task in TASKS.items():
            name = f"{settings}-{short}"
            run = folder / name
            train(preset(settings, (task,)), run, resume=(run / CONFIG).exists())
            shutil.copyfile(run / MODEL, HOME / f"{name}.safetensors")
            card = make_card(name, settings, task, run)
            (HOME / f"{name}.json").write_text(json.dumps(card, indent=2) + "\n")
            print(name, card["scores"]["100 nodes"])


def make_card(name: str, settings: str, task: str, run: Path) -> dict[str, object]:
    checkpoint = load_checkpoint(run / MODEL)
    config, card = checkpoint.config, checkpoint.card
    splits = paper_splits()
    test = {size: splits[f"test-{size}"].draw() for size in PAPER_TEST_SIZES}
    return {
        "name": name,
        "tasks": list(config.tasks),
        "processor": config.processor,
        "parameters": card["parameters"],
        "command": f"neuralexec train --preset {settings} --tasks {task} --out {name}",
        "seed": config.seed,
        "epochs": card["epochs"],
        "kept_epoch": card["best_epoch"],
        "trained_on": (
            f"{config.num_train} graphs of {config.num_nodes} nodes from each of seven families, "
            "weights between 0.2 and 1"
        ),
        "data": card["data"],
        "environment": json.loads((run / ENVIRONMENT).read_text()),
        "tested_on": "5 graphs of each size and family, for the true number of steps",
        "test_data": {f"{size} nodes": checksum(problems) for size, problems in test.items()},
        "scores": {
            f"{size} nodes": scores(checkpoint, task, problems) for size, problems in test.items()
        },
    }


def scores(checkpoint, task, problems) -> dict[str, float | None]:
    executor = checkpoint.executor()
    with one_thread():
        [found] = evaluate(executor, problems, executor.tasks[0])
    return {row.label: row.value(found) for row in rows_of(found)}


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pretrained-runs"))
