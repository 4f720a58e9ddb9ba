from neuralexec import collate, find_task
from neuralexec.batches import begin
from tests.models.small_graphs import three_problems


def test_a_batch_knows_its_start():
    batch = collate(three_problems(), find_task("prim"))
    assert batch.start.task is batch.task
    assert batch.start.edges is batch.edges
    for name, values in batch.start.signals.items():
        assert values.tolist() == batch.states[name][0].tolist()


def test_the_scalars_that_begin_infinite_are_known():
    """A batch's infinity is the paper's, and finite."""
    task = find_task("dijkstra")
    assert begin(three_problems(), task).endless == ("distance",)
    assert collate(three_problems(), task).start.endless == ()
