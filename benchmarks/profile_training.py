"""Where the time of an update of the paper preset goes; writes results/profile-paper.md.

python -m benchmarks.profile_training
"""

from pathlib import Path

from torch.profiler import ProfilerActivity, profile

from benchmarks.training import WITH_OWN_OUTPUTS
from neuralexec.models.device import one_thread
from neuralexec.training.loop import Trainer

PATH = Path(__file__).parents[1] / "results" / "profile-paper.md"
COMPILED = {
    "_Unrolled": "all steps forward, one compiled call",
    "_UnrolledBackward": "all steps back, one compiled call, and the gradients of their matrices",
    "_Score": "scores of edges, compiled",
    "_ScoreBackward": "their gradients, compiled",
    "_LogSoftmax": "softmax over the edges of a node, compiled",
    "_LogSoftmaxBackward": "its gradient, compiled",
    "_SegmentSum": "sums over graphs, compiled",
}
SHOWN = 20


def main() -> None:
    with one_thread():
        trainer = Trainer(WITH_OWN_OUTPUTS)
        trainer.run_epoch()
        group = trainer._group
        assert group is not None
        with profile(activities=[ProfilerActivity.CPU]) as found:
            group._train(lambda: None)
    number = trainer.trainings[0].num_updates
    events = sorted(found.key_averages(), key=lambda event: -event.self_cpu_time_total)
    total = sum(event.self_cpu_time_total for event in events) / number
    compiled = sum(e.self_cpu_time_total for e in events if e.key in COMPILED) / number
    calls = sum(event.count for event in events if event.key.startswith("aten::")) / number
    lines = [
        "# An update of the paper preset, one thread",
        "",
        f"{total:.0f} us as the profiler sees it (it slows small operations down), of which "
        f"{compiled:.0f} us in our own operations; {calls:.0f} calls of torch operations, nested "
        "ones counted.",
        "",
        "| operation | us | calls | |",
        "| --- | --- | --- | --- |",
    ]
    for event in events[:SHOWN]:
        what = COMPILED.get(event.key, "")
        own = event.self_cpu_time_total / number
        lines.append(f"| `{event.key}` | {own:.0f} | {event.count / number:.1f} | {what} |")
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
