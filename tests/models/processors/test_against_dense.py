"""Every processor against the same equations written for an N x N matrix."""

import pytest
from hypothesis import given, settings
from torch.testing import assert_close

from neuralexec.models.processors import processors
from tests.models import dense
from tests.models.processors.building import built
from tests.models.small_graphs import arcs_of, features, kite, one_graph


def as_dense(name, processor, encoded, edges, **options):
    matrices = dense.matrices(edges.num_nodes, arcs_of(edges))
    return dense.PROCESSORS[name](dict(processor.named_parameters()), encoded, *matrices, **options)


@pytest.mark.parametrize("name", processors())
@given(edges=one_graph)
@settings(deadline=None, max_examples=20)
def test_every_processor_is_its_equations(name, edges):
    encoded, processor = features(edges), built(name)
    assert_close(processor(encoded, edges).latent, as_dense(name, processor, encoded, edges))


@pytest.mark.parametrize("name", ["mpnn-max", "mpnn-mean", "mpnn-sum"])
@pytest.mark.parametrize("message_relu", [False, True], ids=["", "message-relu"])
@pytest.mark.parametrize("update_relu", [False, True], ids=["", "update-relu"])
def test_either_relu_can_be_left_out(name, message_relu, update_relu):
    options = {"message_relu": message_relu, "update_relu": update_relu}
    encoded, processor = features(kite()), built(name, **options)
    expected = as_dense(name, processor, encoded, kite(), **options)
    assert_close(processor(encoded, kite()).latent, expected)
