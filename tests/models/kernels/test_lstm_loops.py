"""The parts of the compiled LSTM against NumPy in double precision."""

import numpy as np
import pytest

pytest.importorskip("numba")

from neuralexec.models.kernels.lstm_loops import activate, add_product, exp_less_one

TINY, WIDE = np.logspace(-30, 0, 3001), np.linspace(-86, 86, 40_001)
NUMBERS = np.concatenate((WIDE, TINY, -TINY, [0.0])).astype(np.float32)
PRECISE = {"rtol": 5e-7, "atol": 0}
"""A few of the last bits."""


def test_the_exponential_is_as_exact_as_its_numbers():
    found = NUMBERS.copy()
    exp_less_one(found, np.empty_like(found))
    np.testing.assert_allclose(found, np.expm1(NUMBERS.astype(np.float64)), **PRECISE)


def test_gates_are_as_exact_as_their_numbers():
    """Three are σ, the third of four is tanh."""
    found = np.concatenate([NUMBERS] * 4)
    activate(found, np.empty_like(found))
    exact = NUMBERS.astype(np.float64)
    sigmoid, tanh = 1 / (1 + np.exp(-exact)), np.tanh(exact)
    for gate, expected in zip(found.reshape(4, -1), (sigmoid, sigmoid, tanh, sigmoid), strict=True):
        np.testing.assert_allclose(gate, expected, **PRECISE)


def test_gates_are_open_or_shut_far_out_and_unknown_of_the_unknown():
    x = np.array([[np.inf, -np.inf, 1e5, -1e5, np.nan]] * 4, np.float32)
    found = x.flatten()
    activate(found, np.empty_like(found))
    sigmoid, tanh = [1, 0, 1, 0, np.nan], [1, -1, 1, -1, np.nan]
    expected = np.array([sigmoid, sigmoid, tanh, sigmoid])
    np.testing.assert_allclose(found.reshape(4, -1), expected, rtol=0, atol=1e-37)


@pytest.mark.parametrize("inputs", [1, 3, 4, 7, 8, 32])
@pytest.mark.parametrize("outputs", [1, 5, 128])
def test_a_product_is_added(inputs, outputs):
    """Of small whole numbers, so that it is exact."""
    generator = np.random.default_rng(0)
    row, matrix, before = (
        generator.integers(-9, 10, shape).astype(np.float32)
        for shape in (inputs, (inputs, outputs), outputs)
    )
    found = before.copy()
    add_product(row, matrix, found)
    np.testing.assert_array_equal(found, before + row @ matrix)
