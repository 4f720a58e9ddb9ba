import numpy as np
import pytest

from neuralexec import InputError
from neuralexec.graphs.names import NumberNames, WordNames, make_names


def test_without_names_nodes_are_numbered_from_zero():
    assert list(make_names(None, 3)) == ["0", "1", "2"]


def test_consecutive_numbers_cost_nothing():
    assert make_names(["5", "6", "7"], 3).numbers == range(5, 8)


def test_other_numbers_stay_numbers():
    names = make_names([10, 7, 300], 3)
    assert isinstance(names, NumberNames)
    assert list(names) == ["10", "7", "300"]
    assert names.index("300") == 2
    assert names[1:] == ["7", "300"]


@pytest.mark.parametrize("word", ["a", "07", "+7", "1.0", "", "٣", "-0", "9" * 30])
def test_what_does_not_print_as_a_number_stays_a_word(word):
    names = make_names([word, "1"], 2)
    assert isinstance(names, WordNames)
    assert names.index(word) == 0


@pytest.mark.parametrize("names", [[3, 1], range(4, 6), ["x", "y"]])
def test_an_absent_name_is_not_found(names):
    with pytest.raises(ValueError, match="nowhere"):
        make_names(names, 2).index("nowhere")


@pytest.mark.parametrize("names", [["a", "b", "a"], [1, 2, 1], ["1", 1, 2]])
def test_two_nodes_of_one_name_are_refused(names):
    with pytest.raises(InputError, match=r"two nodes are both named '[a1]'"):
        make_names(names, 3)


def test_too_few_names_are_refused():
    with pytest.raises(InputError, match="3 nodes need 3 names; got 2"):
        make_names(["a", "b"], 3)


def test_names_compare_by_what_they_print():
    assert NumberNames(range(2)) == NumberNames(np.array([0, 1]))
    assert NumberNames(range(2)) == ("0", "1")
    assert NumberNames(range(2)) != WordNames(("0", "b"))
