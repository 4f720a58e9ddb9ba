import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy
from torch.testing import assert_close

from neuralexec.models.processors import processors
from neuralexec.models.processors.attention import attend
from tests.models.processors.building import built
from tests.models.small_graphs import edges_from, edges_of, features, kite, many_problems

ATTENDING = [name for name, kind in processors().items() if kind.attends]


def random_scores(edges, seed: int = 0, scale: float = 1.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(edges.num_edges, generator=generator)


def per_node(edges, values):
    """The values of the edges into each node."""
    return values.split(edges.offsets.diff().tolist())


def many_pairs(num: int):
    """As many nodes, each with an edge from 0 and one from 1."""
    return edges_from([num], [(sender, node, 1.0) for node in range(num) for sender in (0, 1)])


@pytest.mark.parametrize("sharpening", ["none", "entropy", "gumbel"])
@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
@given(several=many_problems, scale=st.sampled_from([1e-3, 1.0, 1e3]))
@settings(deadline=None, max_examples=15)
def test_the_coefficients_of_a_node_add_up_to_1(sharpening, training, several, scale):
    edges = edges_of(several)
    scores = random_scores(edges, scale=scale)
    found, _ = attend(scores, edges, sharpening=sharpening, training=training)
    assert (found >= 0).all()
    for own in per_node(edges, found):
        assert own.sum() == pytest.approx(1, abs=1e-5)


@given(several=many_problems)
@settings(deadline=None, max_examples=15)
def test_the_penalty_is_the_entropy_of_the_coefficients(several):
    edges = edges_of(several)
    found, penalty = attend(random_scores(edges), edges, sharpening="entropy", training=True)
    expected = [entropy(own.numpy()) for own in per_node(edges, found)]  # in nats
    assert_close(penalty, torch.tensor(expected, dtype=torch.float32))


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([0.0, 0.0], math.log(2)), ([1000.0, 0.0], 0.0), ([0.0, -math.inf], 0.0)],
    ids=["undecided", "certain", "all-but-one-impossible"],
)
def test_entropy_is_highest_undecided_and_0_of_one_hot(scores, expected):
    edges = edges_from([2], [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)])
    scores = torch.tensor([*scores, 5.0], requires_grad=True)
    _, penalty = attend(scores, edges, sharpening="entropy", training=True)
    assert penalty.tolist() == pytest.approx([expected, 0.0])
    if torch.isfinite(scores).all():
        penalty.sum().backward()
        assert torch.isfinite(scores.grad).all()


@pytest.mark.parametrize("sharpening", ["none", "entropy", "gumbel"])
def test_a_shut_gate_takes_an_edge_away_however_high_it_scores(sharpening):
    """Into 0: from 0, gated away, and from 1; into 1: from 1."""
    edges = edges_from([2], [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)])
    scores, gate = torch.tensor([200.0, 0.0, 1.0]), torch.tensor([0.0, 1.0, 1.0])
    found, _ = attend(scores, edges, sharpening=sharpening, training=False, gate=gate)
    assert found.tolist() == [0, 1, 1]


def test_gumbel_takes_the_edge_of_the_highest_score_when_not_training():
    """Edges into 0: from 0, 1, 2; into 1: 0, 1, 2; into 2: 0, 1, 2, 3; into 3: 2, 3."""
    scores = torch.tensor([0.0, 2.0, 1.0, 3.0, 3.0, 3.0, -5.0, -4.0, -3.0, -4.0, 7.0, 8.0])
    found, penalty = attend(scores, kite(), sharpening="gumbel", training=False)
    assert penalty is None
    assert found.round().tolist() == [0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1]
    assert_close(found, found.round())


@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
def test_one_hot_is_exact(training):
    found, _ = attend(
        random_scores(many_pairs(50)), many_pairs(50), sharpening="gumbel", training=training
    )
    assert set(found.tolist()) == {0.0, 1.0}


def test_gumbel_draws_by_the_coefficients_when_training():
    edges = many_pairs(4_000)
    scores = torch.tensor([math.log(0.8), math.log(0.2)]).repeat(4_000)
    torch.manual_seed(0)
    drawn, penalty = attend(scores, edges, sharpening="gumbel", training=True)
    assert penalty is None
    assert set(drawn.round().tolist()) == {0, 1}
    assert_close(drawn, drawn.round())
    share = drawn[0::2].mean().item()
    assert share == pytest.approx(0.8, abs=5 * math.sqrt(0.8 * 0.2 / 4_000))


def test_gumbel_is_drawn_by_the_seed():
    def draw(seed: int) -> list[float]:
        torch.manual_seed(seed)
        return attend(torch.zeros(100), many_pairs(50), sharpening="gumbel", training=True)[
            0
        ].tolist()

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)


@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
def test_gradients_flow_through_one_hot_as_through_softmax(training):
    scores = random_scores(kite()).requires_grad_()
    weights = random_scores(kite(), seed=1)

    def gradient(sharpening: str, scores: torch.Tensor) -> torch.Tensor:
        torch.manual_seed(0)
        found, _ = attend(scores, kite(), sharpening=sharpening, training=training)
        return torch.autograd.grad((weights * found).sum(), scores)[0]

    found = gradient("gumbel", scores)
    if training:  # the softmax of the scores as drawn
        torch.manual_seed(0)
        noise = -torch.empty_like(scores).exponential_().log()
        expected = gradient("none", (scores + noise).detach().requires_grad_())
    else:
        expected = gradient("none", scores)
    assert (found != 0).any()
    assert_close(found, expected)


@pytest.mark.parametrize("name", ATTENDING)
def test_processors_attend_as_they_are_told(name):
    encoded = features(kite())
    plain, penalised, drawn = (
        built(name, sharpening=sharpening)(encoded, kite())
        for sharpening in ("none", "entropy", "gumbel")
    )
    assert_close(penalised.latent, plain.latent)
    assert penalised.penalty.shape == (4,)
    assert (penalised.penalty > 0).all()
    assert plain.penalty is None
    assert drawn.penalty is None
    assert_close(drawn.attention, drawn.attention.round())


@pytest.mark.parametrize("name", ATTENDING)
def test_gumbel_is_random_in_training_only(name):
    processor, encoded = built(name, sharpening="gumbel"), features(kite())
    torch.manual_seed(0)
    processor.train()
    assert len({str(processor(encoded, kite()).attention.round().tolist()) for _ in range(9)}) > 1
    processor.eval()
    assert len({str(processor(encoded, kite()).attention.tolist()) for _ in range(9)}) == 1
    chosen = built(name)(encoded, kite()).attention
    for one_hot, own in zip(
        per_node(kite(), processor(encoded, kite()).attention),
        per_node(kite(), chosen),
        strict=True,
    ):
        assert one_hot.argmax() == own.argmax()
