import pytest

from neuralexec import InputError
from neuralexec.graphs import memory


def test_half_of_the_memory_is_the_limit(monkeypatch):
    monkeypatch.setattr(memory, "physical_memory", lambda: 8e9)
    memory.refuse_if_too_large(4e9, "this")
    with pytest.raises(InputError, match=r"this needs about 4.1 GB, .* with 8.0 GB of memory"):
        memory.refuse_if_too_large(4.1e9, "this")


@pytest.mark.parametrize(("written", "expected"), [("1000", 1000), ("max", None), (None, None)])
def test_a_container_may_have_less_than_the_machine(tmp_path, monkeypatch, written, expected):
    limit = tmp_path / "memory.max"
    if written is not None:
        limit.write_text(written)
    monkeypatch.setattr(memory, "CONTAINER_LIMIT", limit)
    measured = memory.physical_memory.__wrapped__()
    assert measured == expected if expected else measured > 10**8
