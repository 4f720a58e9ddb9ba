"""Which kernels are used where."""

import sys
import warnings

import pytest
from torch.testing import assert_close

from neuralexec.errors import InputWarning
from neuralexec.models.kernels import Kernels, ReferenceKernels, choice, kernels_for, using
from tests.models.kernels.implementations import EVERY
from tests.models.processors.building import built
from tests.models.small_graphs import features, kite


@pytest.fixture
def forgetful():
    """What was chosen before, and what is chosen meanwhile, is forgotten."""
    choice._fastest.cache_clear()
    yield
    choice._fastest.cache_clear()


@pytest.fixture
def without_numba(monkeypatch, forgetful):
    monkeypatch.setitem(sys.modules, "numba", None)  # importing it now fails
    monkeypatch.delitem(sys.modules, "neuralexec.models.kernels.cpu", raising=False)


def test_every_implementation_keeps_to_the_interface():
    for kernels, _ in EVERY:
        assert isinstance(kernels, Kernels)


def test_on_a_cpu_loops_are_compiled():
    pytest.importorskip("numba")
    assert type(kernels_for("cpu")).__name__ == "CpuKernels"
    assert kernels_for("cpu") is kernels_for("cpu")


def test_without_numba_there_is_plain_torch_and_one_warning(without_numba):
    with pytest.warns(InputWarning, match="numba is not installed: .* plain torch") as told:
        assert isinstance(kernels_for("cpu"), ReferenceKernels)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(kernels_for("cpu"), ReferenceKernels)


def test_without_numba_networks_still_run_and_learn(monkeypatch):
    def run():
        encoded = features(kite()).requires_grad_()
        latent = built("mpnn-max")(encoded, kite()).latent
        latent.sum().backward()
        return latent.detach(), encoded.grad

    expected = run()
    monkeypatch.setitem(sys.modules, "numba", None)
    with using(ReferenceKernels()):
        assert_close(run(), expected)


def test_a_device_nobody_wrote_kernels_for_gets_the_reference(forgetful):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(kernels_for("meta"), ReferenceKernels)


def test_others_can_be_used_for_a_while():
    before, mine = kernels_for("cpu"), ReferenceKernels()
    with using(mine):
        assert kernels_for("cpu") is kernels_for("cuda") is mine
    assert kernels_for("cpu") is before


def test_the_kernels_used_before_come_back_after_an_error():
    before = kernels_for("cpu")
    with pytest.raises(ZeroDivisionError), using(ReferenceKernels()):
        raise ZeroDivisionError
    assert kernels_for("cpu") is before


def test_the_innermost_are_used():
    one, other = ReferenceKernels(), ReferenceKernels()
    with using(one), using(other):
        assert kernels_for("cpu") is other
        with using(one):
            assert kernels_for("cpu") is one
        assert kernels_for("cpu") is other
