"""The executors that ship with the package: weights, and a card that says what they are."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError

_FOLDER = Path(str(files(__name__)))


def names() -> list[str]:
    """Every pretrained executor."""
    return sorted(path.stem for path in _FOLDER.glob("*.safetensors"))


def path_of(name: str) -> Path | None:
    """Its weights; None where no pretrained executor has this name."""
    return _FOLDER / f"{name}.safetensors" if name in names() else None


def card_of(name: str) -> dict[str, Any]:
    """What it is: task, data, seed, command, number of parameters, scores."""
    if name not in names():
        raise InputError(f"unknown model {name!r}; choose one of {', '.join(names())}")
    card: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text())
    return card
