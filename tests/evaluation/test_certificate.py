"""True answers are certified, and each planted fault shows in the field that is about it."""

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import (
    Graph,
    InputError,
    Kind,
    Problem,
    Signal,
    Split,
    find_algorithm,
    run_to_end,
    with_paper_infinity,
)
from neuralexec.algorithms import algorithms
from neuralexec.evaluation.certificate import Certificate, certify
from neuralexec.graphs.dress import with_self_edges
from tests.algorithms.endless import counting, one_edge
from tests.evaluation import brute_force
from tests.problem_strategies import problems

every_algorithm = pytest.mark.parametrize("algorithm", algorithms().values(), ids=algorithms())
LONG = 200_000


def diamond() -> Problem:
    """0 to 3 by 1 or by 2, both at the cost of 2, or directly at 3; 4 and 5 out of reach."""
    graph = Graph.from_edges(
        6, [0, 0, 1, 2, 0, 4], [1, 2, 3, 3, 3, 5], [1.0, 1.0, 1.0, 1.0, 3.0, 1.0]
    )
    return Problem(graph, 0, priorities=np.array([0.1, 0.9, 0.3, 0.2, 0.5, 0.4]))


def true_answer(name: str, problem: Problem) -> dict[str, np.ndarray]:
    last, _ = run_to_end(find_algorithm(name), problem)
    return {signal: values.copy() for signal, values in last.items()}


def certify_changed(name: str, problem: Problem, signal: str, changes: dict) -> Certificate:
    """The certificate of the true answer with some values of one signal changed."""
    answer = true_answer(name, problem)
    assert certify(find_algorithm(name), problem, answer).exact
    for node, value in changes.items():
        answer[signal][node] = value
    return certify(find_algorithm(name), problem, answer)


@every_algorithm
@pytest.mark.parametrize("distinct", [True, False], ids=["distinct", "tied"])
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_what_the_algorithm_ends_with_is_exact(algorithm, distinct, data):
    directed = False if algorithm.undirected_only else None
    problem = data.draw(problems(directed=directed, distinct=distinct))
    if data.draw(st.booleans()):
        problem = replace(problem, graph=with_self_edges(problem.graph))
    if data.draw(st.booleans()):
        [problem] = with_paper_infinity([problem])
    last, _ = run_to_end(algorithm, problem)
    certificate = certify(algorithm, problem, last)
    assert certificate.exact, certificate
    for perfect in ("reached_accuracy", "valid_tree", "valid_paths", "label_accuracy"):
        assert getattr(certificate, perfect) in (None, True, 1)
    for perfect in ("optimal_predecessors", "mean_stretch", "worst_stretch", "tree_weight_ratio"):
        assert getattr(certificate, perfect) in (None, pytest.approx(1, abs=1e-12))
    assert certificate.distance_error in (None, 0)


@every_algorithm
def test_on_every_family_single_precision_is_exact(algorithm):
    for problem in with_paper_infinity(Split("check", 40, 2).draw()):
        last, _ = run_to_end(algorithm, problem)
        single = {
            name: values.astype(np.float32) if values.dtype == np.float64 else values
            for name, values in last.items()
        }
        assert certify(algorithm, problem, single).exact


@given(problem=problems(), data=st.data())
@settings(deadline=None, max_examples=300)
def test_shortest_paths_however_wrong(problem, data):
    answer = true_answer("bellman-ford", problem)
    nodes = st.integers(0, problem.graph.num_nodes - 1)
    for node in data.draw(st.lists(nodes, max_size=3)):
        answer["predecessor"][node] = data.draw(st.integers(-2, problem.graph.num_nodes))
    for node in data.draw(st.lists(nodes, max_size=1)):
        answer["distance"][node] = data.draw(st.sampled_from([0, 1, 2, np.inf]))
    certificate = certify(find_algorithm("bellman-ford"), problem, answer)
    expected = brute_force.shortest_paths(
        problem, answer["distance"].tolist(), answer["predecessor"].tolist()
    )
    for name, value in expected.items():
        found = getattr(certificate, name)
        assert found == value or found == pytest.approx(value), name


@given(problem=problems(directed=False), data=st.data())
@settings(deadline=None, max_examples=300)
def test_spanning_trees_however_wrong(problem, data):
    answer = true_answer("prim", problem)
    nodes = st.integers(0, problem.graph.num_nodes - 1)
    for node in data.draw(st.lists(nodes, max_size=3)):
        answer["predecessor"][node] = data.draw(st.integers(-2, problem.graph.num_nodes))
    for node in data.draw(st.lists(nodes, max_size=1)):
        answer["in_tree"][node] = data.draw(st.booleans())
    certificate = certify(find_algorithm("prim"), problem, answer)
    expected = brute_force.spanning_tree(
        problem, answer["in_tree"].tolist(), answer["predecessor"].tolist()
    )
    for name, value in expected.items():
        assert getattr(certificate, name) == value, name


@pytest.mark.parametrize(
    ("name", "signal"), [("bfs", "reachable"), ("prim", "in_tree"), ("dijkstra", "settled")]
)
@pytest.mark.parametrize(("node", "bit"), [(3, False), (4, True), (0, False)])
def test_a_flipped_bit(name, signal, node, bit):
    certificate = certify_changed(name, diamond(), signal, {node: bit})
    assert not certificate.exact
    assert certificate.reached_accuracy == 5 / 6
    assert certificate.valid_tree in (None, True)


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra", "prim"])
@pytest.mark.parametrize(
    ("changes", "valid_paths"),
    [
        ({1: 3, 3: 1}, 1 / 3),  # a cycle
        ({3: 3}, 2 / 3),  # itself
        ({2: 1}, 2 / 3),  # no neighbour
        ({3: -1}, 2 / 3),
        ({3: 77}, 2 / 3),
        ({3: -(2**31)}, 2 / 3),
        ({1: -9, 3: 1}, 1 / 3),  # the way of another breaks too
    ],
)
def test_predecessors_that_lead_nowhere(name, changes, valid_paths):
    certificate = certify_changed(name, diamond(), "predecessor", changes)
    assert not certificate.exact
    assert certificate.valid_tree is False
    assert certificate.valid_paths == pytest.approx(valid_paths)
    assert certificate.tree_weight_ratio is None


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra", "prim"])
@pytest.mark.parametrize("pointer", [1, -1])
def test_a_source_that_is_no_root(name, pointer):
    certificate = certify_changed(name, diamond(), "predecessor", {0: pointer})
    assert not certificate.exact
    assert certificate.valid_tree is False
    assert certificate.valid_paths == 1


def test_a_self_edge_is_no_way_to_be_reached():
    problem = diamond()
    problem = replace(problem, graph=with_self_edges(problem.graph, 0.0))
    certificate = certify_changed("bellman-ford", problem, "predecessor", {3: 3})
    assert certificate.valid_tree is False
    assert certificate.optimal_predecessors == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra"])
def test_a_suboptimal_predecessor(name):
    certificate = certify_changed(name, diamond(), "predecessor", {3: 0})
    assert not certificate.exact
    assert certificate.valid_tree
    assert certificate.valid_paths == 1
    assert certificate.optimal_predecessors == pytest.approx(2 / 3)
    assert certificate.worst_stretch == 1.5
    assert certificate.mean_stretch == pytest.approx(3.5 / 3)
    assert certificate.distance_error == 0


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra"])
def test_a_distance_off(name):
    certificate = certify_changed(name, diamond(), "distance", {3: 2.1})
    assert not certificate.exact
    assert certificate.distance_error == pytest.approx(0.1)
    assert certificate.optimal_predecessors == certificate.worst_stretch == 1


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1.7e308])
def test_a_distance_that_is_nonsense(value):
    certificate = certify_changed("bellman-ford", diamond(), "distance", {3: value})
    assert not certificate.exact
    assert certificate.distance_error > 1e308


@pytest.mark.parametrize("infinity", [np.inf, 4.0])
@pytest.mark.parametrize("value", [2.0, 3.9, np.nan])
def test_a_distance_where_no_path_leads(infinity, value):
    problem = replace(diamond(), infinity=infinity)
    certificate = certify_changed("bellman-ford", problem, "distance", {4: value})
    assert not certificate.exact
    assert certificate.distance_error == 0


@pytest.mark.parametrize("value", [4.0 - 1e-6, 4.5, np.inf])
def test_out_of_reach_at_a_finite_infinity(value):
    problem = replace(diamond(), infinity=4.0)
    assert certify_changed("bellman-ford", problem, "distance", {4: value}).exact


def test_out_of_reach_are_also_nodes_as_far_as_infinity():
    problem = replace(diamond(), infinity=1.5)
    answer = true_answer("dijkstra", problem)
    assert not answer["settled"][3]
    certificate = certify(find_algorithm("dijkstra"), problem, answer)
    assert certificate.exact
    assert certificate.reached_accuracy == 1


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra", "prim"])
@pytest.mark.parametrize("pointer", [-1, 4, 5, 0, 77])
def test_what_nodes_out_of_reach_point_at_does_not_matter(name, pointer):
    assert certify_changed(name, diamond(), "predecessor", {4: pointer}).exact


@pytest.mark.parametrize("name", ["bellman-ford", "dijkstra", "prim"])
@pytest.mark.parametrize("pointer", [1, 2])
def test_of_ties_each_is_right(name, pointer):
    assert certify_changed(name, diamond(), "predecessor", {3: pointer}).exact


def test_a_node_at_no_distance_need_not_be_at_exactly_none():
    problem = Problem(Graph.from_edges(3, [0, 1], [1, 2], [0.0, 1.0]), 0)
    assert certify_changed("bellman-ford", problem, "distance", {0: 1e-7, 1: -1e-7}).exact
    assert not certify_changed("bellman-ford", problem, "distance", {1: 1e-4}).exact


def test_steps_within_tolerance_can_add_up_to_a_path_that_is_not():
    """From i to i + 1 at the cost of 1 by a stop on the way, or directly for very little more."""
    first = np.arange(10)
    stop = first + 11
    graph = Graph.from_edges(
        21,
        np.r_[first, stop, first],
        np.r_[stop, first + 1, first + 1],
        np.r_[np.full(20, 0.5), 1 + 9e-6 * (first + 1)],
        directed=True,
    )
    direct = {node: node - 1 for node in range(1, 11)}
    certificate = certify_changed("bellman-ford", Problem(graph, 0), "predecessor", direct)
    assert certificate.optimal_predecessors == 1
    assert certificate.worst_stretch == pytest.approx(1 + 4.95e-5, rel=1e-9)
    assert not certificate.exact


def test_a_cycle_that_costs_nothing_is_a_cycle():
    problem = Problem(Graph.from_edges(3, [0, 0, 1], [1, 2, 2], [1.0, 1.0, 0.0]), 0)
    certificate = certify_changed("bellman-ford", problem, "predecessor", {1: 2, 2: 1})
    assert not certificate.exact
    assert certificate.optimal_predecessors == 1
    assert certificate.valid_paths == 0
    assert certificate.mean_stretch is None


def test_a_heavier_spanning_tree():
    certificate = certify_changed("prim", diamond(), "predecessor", {3: 0})
    assert not certificate.exact
    assert certificate.valid_tree
    assert certificate.tree_weight_ratio == 5 / 3
    assert certificate.optimal_predecessors == pytest.approx(2 / 3)
    assert certificate.reached_accuracy == 1


def test_edges_of_different_minimum_trees_need_not_make_one():
    problem = Problem(Graph.from_edges(3, [0, 0, 1], [1, 2, 2], [2.0, 2.0, 1.0]), 0)
    certificate = certify_changed("prim", problem, "predecessor", {1: 0, 2: 0})
    assert not certificate.exact
    assert certificate.optimal_predecessors == 1
    assert certificate.tree_weight_ratio == pytest.approx(4 / 3)


def test_a_tree_should_weigh_nothing():
    problem = Problem(Graph.from_edges(3, [0, 0, 1], [1, 2, 2], [0.0, 1.0, 0.0]), 0)
    certificate = certify_changed("prim", problem, "predecessor", {2: 0})
    assert not certificate.exact
    assert certificate.tree_weight_ratio == math.inf


def test_weights_too_close_to_tell_apart_are_tied():
    problem = Problem(Graph.from_edges(3, [0, 0, 1], [1, 2, 2], [1.0, 1 + 1e-9, 1 - 1e-9]), 0)
    assert certify_changed("prim", problem, "predecessor", {2: 0}).exact


def test_every_tree_that_weighs_nothing_is_minimum():
    one, other = np.triu_indices(40, 1)
    problem = Problem(Graph.from_edges(40, one, other, (other - one - 1) % 2), 0)
    path = {node: node - 1 for node in range(1, 40)}
    certificate = certify_changed("prim", problem, "predecessor", path)
    assert certificate.exact
    assert certificate.tree_weight_ratio == certificate.optimal_predecessors == 1


def test_a_heavy_edge_is_found_among_very_many():
    """So many that the weight of the tree changes by less than the tolerance."""
    graph = Graph.from_edges(
        LONG,
        np.r_[np.arange(LONG - 1), 0],
        np.r_[np.arange(1, LONG), 2],
        np.r_[np.linspace(0.5, 1, LONG - 1), 0.7],
    )
    problem, prim = Problem(graph, 0), find_algorithm("prim")
    answer = dict(prim.oracle(problem))
    assert certify(prim, problem, answer).exact
    answer["predecessor"] = answer["predecessor"].copy()
    answer["predecessor"][2] = 0
    certificate = certify(prim, problem, answer)
    assert certificate.tree_weight_ratio < 1 + 1e-5
    assert certificate.optimal_predecessors == (LONG - 2) / (LONG - 1)
    assert not certificate.exact


def test_a_wrong_label():
    problem = diamond()
    for value in (0.4, 0.5, 0.9001, np.nan, np.inf, 1e300):
        certificate = certify_changed("connected-components", problem, "label", {3: value})
        assert not certificate.exact
        assert certificate.label_accuracy == 5 / 6
    assert certify_changed("connected-components", problem, "label", {3: 0.900001}).exact


def test_labels_that_hardly_differ_must_not_be_mixed_up():
    problem = replace(diamond(), priorities=np.array([0.5, 0, 0, 0, 0.500001, 0]))
    certificate = certify_changed("connected-components", problem, "label", {3: 0.500001})
    assert certificate.label_accuracy == 5 / 6


def test_components_with_the_same_or_an_infinite_priority():
    for priorities in ([1.0, 0, 0, 0, 1, 0], [np.inf, 0, 0, 0, -1e300, -np.inf]):
        problem = replace(diamond(), priorities=np.array(priorities))
        answer = true_answer("connected-components", problem)
        assert certify(find_algorithm("connected-components"), problem, answer).exact


def hops():
    """An algorithm of the user's own, with a signal of every kind and no check of its own."""
    nodes = {"hops": np.array([0.0, 1, np.inf]), "far": np.array([False, False, True])}
    last = {**nodes, "via": np.array([0, 0, -1]), "next": np.array([-1]), "best": np.array([1])}
    signals = {
        "hops": Signal(Kind.SCALAR, "how far", fed_back=True),
        "far": Signal(Kind.MASK, "is it far?"),
        "via": Signal(Kind.POINTER, "where from"),
        "next": Signal(Kind.CHOICE, "what came last", grows="far"),
        "best": Signal(Kind.CHOICE, "where to live"),
    }
    algorithm = counting(name="hops", signals=signals, oracle=lambda problem: last)
    return algorithm, Problem(Graph.from_edges(3, [0], [1]), 0), last


def test_an_algorithm_without_a_check_is_compared_with_its_oracle():
    algorithm, problem, last = hops()
    assert certify(algorithm, problem, last) == Certificate("hops", exact=True)


@pytest.mark.parametrize(
    ("signal", "values", "exact"),
    [
        ("hops", [0, 1.000001, np.inf], True),
        ("hops", [0, 1.1, np.inf], False),
        ("hops", [0, 1, 7.0], False),
        ("hops", [0, np.nan, np.inf], False),
        ("far", [False, True, True], False),
        ("via", [0, 0, 2], True),
        ("via", [0, 1, -1], False),
        ("next", [2], True),
        ("best", [2], False),
    ],
)
def test_which_differences_from_the_oracle_count(signal, values, exact):
    algorithm, problem, last = hops()
    answer = {**last, signal: np.array(values)}
    assert certify(algorithm, problem, answer).exact is exact


def test_an_oracle_that_says_nothing_certifies_nothing():
    with pytest.raises(InputError, match="Counting cannot be certified"):
        certify(counting(), one_edge(), {"count": np.zeros(2)})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"distance": np.zeros(6)}, "lacks 'predecessor'; it has distance"),
        ({}, "lacks 'distance'; it has no signals"),
        ({"distance": np.zeros(5), "predecessor": np.zeros(6, dtype=int)}, r"'distance'.*\(6,\)"),
        ({"distance": np.zeros(6), "predecessor": np.zeros(6)}, "indices of nodes.*float64"),
        ({"distance": np.zeros(6, dtype=complex), "predecessor": np.zeros(6)}, "real numbers"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused(answer, message):
    with pytest.raises(InputError, match=message):
        certify(find_algorithm("bellman-ford"), diamond(), answer)


def test_a_problem_the_algorithm_is_not_defined_on_is_refused():
    with pytest.raises(InputError, match="source"):
        certify(find_algorithm("bfs"), replace(diamond(), source=None), {})


def test_signals_of_other_algorithms_are_ignored():
    answer = {**true_answer("bfs", diamond()), **true_answer("bellman-ford", diamond())}
    assert certify(find_algorithm("bfs"), diamond(), answer).exact
    assert certify(find_algorithm("bellman-ford"), diamond(), answer).exact


@every_algorithm
def test_one_node(algorithm):
    problem = Problem(Graph.from_edges(1, [], []), 0)
    certificate = certify(algorithm, problem, run_to_end(algorithm, problem)[0])
    assert certificate.exact
    assert certificate.mean_stretch is certificate.worst_stretch is None


@every_algorithm
def test_a_very_long_path(algorithm):
    nodes = np.arange(LONG - 1)
    problem = Problem(Graph.from_edges(LONG, nodes, nodes + 1), 0)
    answer = dict(algorithm.oracle(problem))  # the algorithm itself would take very many steps
    assert certify(algorithm, problem, answer).exact
    if "predecessor" in answer:
        answer["predecessor"] = answer["predecessor"].copy()
        answer["predecessor"][LONG - 2] = LONG - 1
        certificate = certify(algorithm, problem, answer)
        assert not certificate.exact
        assert certificate.valid_paths == (LONG - 3) / (LONG - 1)


def test_far_from_the_source_a_step_away_from_it_is_still_wrong():
    """A tolerance of 1 at a distance of 100,000, where edges weigh 0.25."""
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [1e5, 0.25, 0.25])
    certificate = certify_changed("bellman-ford", Problem(graph, 0), "predecessor", {1: 2, 2: 3})
    assert certificate.optimal_predecessors == pytest.approx(1 / 3)


numbers = st.one_of(st.none(), st.just(math.inf), st.floats(0, 1e9))


@given(
    st.builds(
        Certificate,
        algorithm=st.sampled_from(["prim", "inf"]),
        exact=st.booleans(),
        valid_tree=st.one_of(st.none(), st.booleans()),
        valid_paths=st.one_of(st.none(), st.floats(0, 1)),
        worst_stretch=numbers,
        tree_weight_ratio=numbers,
        distance_error=numbers,
    )
)
def test_json_round_trip(certificate):
    saved = json.dumps(certificate.to_json(), allow_nan=False)
    assert Certificate.from_json(json.loads(saved)) == certificate
    assert "\n" not in str(certificate)


@every_algorithm
def test_certificates_of_every_algorithm_are_plain_values(algorithm):
    problem = diamond()
    certificate = certify(algorithm, problem, run_to_end(algorithm, problem)[0])
    saved = json.dumps(certificate.to_json(), allow_nan=False)
    assert Certificate.from_json(json.loads(saved)) == certificate


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        ({}, "no 'algorithm' or 'exact'"),
        ({"algorithm": "bfs", "exact": "yes"}, "no 'algorithm' or 'exact'"),
        ({"algorithm": "bfs", "exact": True, "colour": 1}, "unknown 'colour'"),
    ],
)
def test_what_is_not_a_certificate_is_refused(saved, message):
    with pytest.raises(InputError, match=message):
        Certificate.from_json(saved)


def test_in_one_line():
    assert str(Certificate("bfs", exact=True, reached_accuracy=1.0)) == (
        "bfs: exact; reached accuracy 100%"
    )
    wrong = certify_changed("prim", diamond(), "predecessor", {3: 0})
    assert str(wrong) == (
        "prim: not exact; reached accuracy 100%, valid tree yes, valid paths 100%, "
        "optimal predecessors 66.6%, tree weight ratio 1.66667"
    )
    assert "99.9%" in str(Certificate("bfs", exact=False, reached_accuracy=1 - 1e-6))


def test_nothing_here_needs_torch():
    code = "import sys, neuralexec.evaluation.certificate; print('torch' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "False", printed.stderr
