import sys

import pytest

from neuralexec import InputError
from neuralexec.models.processors import find_processor
from tests.models.processors.building import built
from tests.models.small_graphs import features, kite


def test_without_torch_geometric_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_geometric.nn", None)
    with pytest.raises(InputError, match=r"pip install 'neuralexec\[pyg\]'"):
        find_processor("pyg:GATv2Conv")


@pytest.mark.parametrize("layer", ["GatConv", "MessagePassing2", "__name__"])
def test_a_layer_that_is_not_there_is_refused(layer):
    with pytest.raises(InputError, match=rf"no layer '{layer}'; choose one of .*GATConv"):
        built(f"pyg:{layer}")


def test_a_layer_that_needs_more_than_a_number_of_features_is_refused():
    with pytest.raises(InputError, match="pyg:RGCNConv cannot be built"):
        built("pyg:RGCNConv")


@pytest.mark.parametrize("layer", ["EdgeConv", "GINConv", "GCN2Conv", "CGConv"])
def test_a_layer_that_cannot_be_run_on_features_and_edges_is_refused(layer):
    with pytest.raises(InputError, match=layer):
        built(f"pyg:{layer}")(features(kite()), kite())


def test_a_name_that_is_no_processor_is_refused():
    with pytest.raises(InputError, match="unknown processor 'mpnn-min'"):
        find_processor("mpnn-min")
