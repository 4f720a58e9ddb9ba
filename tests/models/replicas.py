"""Several networks of one shape as one, their parameters stacked along a new first axis."""

from copy import deepcopy

import torch
from torch import nn


def stacked(modules: list[nn.Module]) -> nn.Module:
    together = deepcopy(modules[0])
    for name, _ in list(together.named_parameters()):
        home, _, own_name = name.rpartition(".")
        values = torch.stack([module.get_parameter(name).detach() for module in modules])
        setattr(together.get_submodule(home), own_name, nn.Parameter(values))
    return together
