"""A trained executor as one safetensors file: weights, and a JSON header that says all of them.

Loading one reads numbers and text; it never runs code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from safetensors import safe_open
from torch import Tensor

from neuralexec import __version__
from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import replacing
from neuralexec.models.executor import NeuralExecutor
from neuralexec.training.config import Config

FORMAT = 1
HEADER = "neuralexec"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    config: Config
    weights: dict[str, Tensor]
    card: dict[str, Any]
    """Where it comes from: versions, data checksum, epoch, validation score, and more."""

    def executor(self) -> NeuralExecutor:
        """The network, ready to run."""
        executor = NeuralExecutor(self.config.architecture, self.config.parsed_tasks)
        require_alike(self.weights, executor.state_dict())
        executor.load_state_dict(self.weights)
        return executor.eval()


def require_alike(found: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> None:
    """Refuse tensors of other names, shapes or types, and what is not finite."""
    shapes = [
        {name: (value.shape, value.dtype) for name, value in tensors.items()}
        for tensors in (found, expected)
    ]
    wrong = [
        name for name in sorted({*found, *expected}) if shapes[0].get(name) != shapes[1].get(name)
    ]
    if wrong:
        raise InputError(f"its weights do not fit its settings: {', '.join(wrong[:3])}")
    for name, value in found.items():
        if not value.isfinite().all():
            raise InputError(f"{name} holds numbers that are not finite")


def save_checkpoint(
    path: Path, config: Config, weights: Mapping[str, Tensor], card: Mapping[str, Any]
) -> None:
    save_tensors(path, "executor", weights, {"config": config.to_json(), "card": dict(card)})


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint, or say in one line why it cannot be one."""
    weights, header = load_tensors(path, "executor")
    try:
        checkpoint = Checkpoint(Config.from_json(header["config"]), weights, header["card"])
        checkpoint.executor()
    except (InputError, KeyError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise InputError(f"{path}: not a usable checkpoint: {error}") from None
    return checkpoint


def save_tensors(
    path: Path, kind: str, tensors: Mapping[str, Tensor], content: Mapping[str, Any]
) -> None:
    plain = {name: value.detach().cpu().clone() for name, value in tensors.items()}
    header = {
        "format": FORMAT,
        "kind": kind,
        "version": __version__,
        "checksum": _checksum(plain),
        **content,
    }
    data = safetensors.torch.save(plain, {HEADER: json.dumps(header)})
    with replacing(path) as file:
        file.write(data)


def load_tensors(path: Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    header = read_header(path)
    if header.get("kind") != kind:
        raise InputError(f"{path}: holds {header.get('kind')!r}, where {kind!r} was expected")
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, safetensors.SafetensorError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if _checksum(tensors) != header.get("checksum"):
        raise InputError(f"{path}: its weights were changed or damaged; their checksum differs")
    return tensors, header


def read_header(path: Path) -> dict[str, Any]:
    """What a checkpoint says about itself; its weights are not read."""
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            metadata = file.metadata() or {}
    except (OSError, safetensors.SafetensorError):
        raise InputError(
            f"{path}: not a checkpoint of neuralexec, or cut short: only whole safetensors files "
            "are read (pickled ones could run code)"
        ) from None
    if HEADER not in metadata:
        raise InputError(f"{path}: a safetensors file, but not written by neuralexec")
    try:
        header = json.loads(metadata[HEADER])
        version = header["format"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: its header cannot be read") from None
    if version != FORMAT:
        raise InputError(
            f"{path}: checkpoint format {version!r}, written by neuralexec "
            f"{header.get('version')}; this version reads format {FORMAT}"
        )
    return dict(header)


def _checksum(tensors: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name, value in sorted(tensors.items()):
        digest.update(f"{name} {value.dtype} {tuple(value.shape)}".encode())
        digest.update(value.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
