"""Everything that decides the shape of a network, and nothing about how it is trained."""

from dataclasses import dataclass
from typing import Literal

Variant = Literal["full", "no-reach", "no-algo"]
Sharpening = Literal["none", "entropy", "gumbel"]
Scorer = Literal["linear", "mlp", "both"]
Readout = Literal["mean", "min", "max"]


@dataclass(frozen=True)
class Architecture:
    """The settings of the same names in `training.config` say what each is."""

    processor: str = "mpnn-max"
    variant: Variant = "full"
    latent: int = 32
    sharpening: Sharpening = "none"
    encoder_relu: bool = False
    message_relu: bool = False
    update_relu: bool = True
    scorer: Scorer = "mlp"
    readout: Readout = "min"
    sharp: bool = False
    relative: bool = False
    recurrent: bool = True
