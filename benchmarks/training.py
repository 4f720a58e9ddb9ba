"""Trainings: against plain torch, many at once against one, and graph-steps per second."""

import time

import torch

from benchmarks.measure import Line, faster, no_more
from benchmarks.plain_training import PlainTraining
from neuralexec.models.device import one_thread
from neuralexec.training.config import Config
from neuralexec.training.loop import Trainer
from neuralexec.training.presets import preset
from neuralexec.training.training import Training

WITH_OWN_OUTPUTS = preset("paper").but(own_outputs=0.5)
"""The most work there is in an update: half of the graphs on the network's own outputs."""


def paper_preset(updates: int = 140, repeats: int = 3) -> Line:
    """An epoch of the paper preset, own outputs included; both take as many epochs."""
    with one_thread():
        plain = PlainTraining(Training(WITH_OWN_OUTPUTS))
        trainer = Trainer(WITH_OWN_OUTPUTS)
        ours = theirs = float("inf")
        for _ in range(repeats):  # in turn, so that a busy machine slows both
            ours = min(ours, _seconds(trainer.run_epoch))
            theirs = min(theirs, _seconds(lambda: plain.run_epoch(updates)))
    return faster("training, paper preset, an epoch", ours, theirs, 5, "plain torch, step by step")


def replicas(device: str, number: int, epochs: int = 3) -> Line:
    """An epoch of many seeds at once, against one seed."""
    with one_thread():
        times = []
        for count in (number, 1):
            trainer = Trainer([WITH_OWN_OUTPUTS.but(seed=seed) for seed in range(count)], device)
            trainer.run_epoch()
            times.append(min(_seconds(trainer.run_epoch, device) for _ in range(epochs)))
    return no_more(
        f"training {number} seeds at once, paper preset, an epoch",
        *times,
        at_most=2 if device == "cuda" else number,
        names=("s", "one seed"),
    )


def replicas_agree(device: str, number: int, updates: int = 20) -> Line:
    """The largest difference of any weight between training together and alone."""
    config = WITH_OWN_OUTPUTS
    size = updates * config.batch_size
    configs = [config.but(seed=seed, num_train=-(-size // 7)) for seed in range(number)]
    with one_thread():
        together = Trainer(configs, device)
        together.run_epoch()
        difference = 0.0
        for config, training in zip(configs, together.trainings, strict=True):
            alone = Trainer(config, device)
            alone.run_epoch()
            apart = (alone.trainings[0].now - training.now).abs().max()
            difference = max(difference, float(apart))
    return no_more(
        f"{number} seeds at once against each alone: weights after {updates} updates differ by",
        difference,
        1e-5,
        at_most=1,
        names=("at most", "allowed"),
    )


def graph_steps_per_second(config: Config, epochs: int = 3) -> float:
    """Of a training's updates: all true steps of all graphs, learnt from."""
    with one_thread():
        trainer = Trainer(config)
        trainer.run_epoch()
        group = trainer._group
        assert group is not None
        steps = sum(int(batch.num_steps.sum()) for batch in group.train)
        best = min(_seconds(lambda: group._train(lambda: None)) for _ in range(epochs))
    return steps / best


def _seconds(run, device: str = "cpu") -> float:
    start = time.perf_counter()
    run()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start
