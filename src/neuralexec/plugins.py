"""Plugins are files: whatever a module of a package offers under one agreed name is registered."""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from types import ModuleType
from typing import Protocol, TypeVar

from neuralexec.errors import InputError


class Named(Protocol):
    @property
    def name(self) -> str: ...


Plugin = TypeVar("Plugin", bound=Named)
Choice = TypeVar("Choice")


def discover(package: ModuleType, attribute: str, kind: type[Plugin]) -> dict[str, Plugin]:
    """Every `attribute` of type `kind` in the modules of `package`, by its name, sorted by name."""
    found: dict[str, Plugin] = {}
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        plugin = getattr(importlib.import_module(module.name), attribute, None)
        if isinstance(plugin, kind):
            if plugin.name in found:
                raise ValueError(f"two files of {package.__name__} are both named {plugin.name!r}")
            found[plugin.name] = plugin
    return dict(sorted(found.items()))


def choose(registry: Mapping[str, Choice], name: str, what: str) -> Choice:
    """`registry[name]`, or an error that lists the choices."""
    if name in registry:
        return registry[name]
    close = get_close_matches(name, registry, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise InputError(f"unknown {what} {name!r}{hint}; choose one of {', '.join(registry)}")
