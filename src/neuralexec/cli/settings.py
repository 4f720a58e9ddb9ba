"""Flags made from a settings dataclass: one per field, its text the help."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import MISSING, fields
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from neuralexec.cli.arguments import names


def field_texts(settings: type) -> dict[str, str]:
    """The string under each field of a dataclass."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(settings)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    texts = {}
    for statement, following in pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            match following:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    texts[statement.target.id] = " ".join(text.split())
    return texts


def with_settings(settings: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a flag for every field; those that are used arrive as `**changes`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def wrapper(**arguments: Any) -> None:
            own = {name: arguments[name] for name in own_names}
            changes = {
                name: _parsed(kinds[name], arguments[name])
                for name in kinds
                if arguments[name] is not None
            }
            command(**own, **changes)

        kinds = get_type_hints(settings)
        texts = field_texts(settings)
        own_parameters = [
            parameter
            for parameter in inspect.signature(command, eval_str=True).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        own_names = [parameter.name for parameter in own_parameters]
        flags = [
            _flag(field.name, kinds[field.name], field.default, texts[field.name])
            for field in fields(settings)
        ]
        wrapper.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own_parameters), *flags]
        )
        wrapper.__doc__ = command.__doc__
        wrapper.__annotations__ = {
            p.name: p.annotation
            for p in wrapper.__signature__.parameters.values()  # type: ignore[attr-defined]
        }
        return wrapper

    return decorate


def _flag(name: str, kind: Any, default: Any, text: str) -> inspect.Parameter:
    option = "--" + name.replace("_", "-")
    if kind is bool:
        option += "/--no-" + name.replace("_", "-")
    choices = f" One of {', '.join(get_args(kind))}." if get_origin(kind) is Literal else ""
    shown = "" if default in (MISSING, ()) else f" [dim]\\[preset paper: {_shown(default)}][/dim]"
    flag = typer.Option(
        option, help=text + choices + shown, show_default=False, rich_help_panel="Settings"
    )
    accepted = kind if kind in (bool, int, float) else str
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[accepted | None, flag],
    )


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ",".join(default) if isinstance(default, tuple) else str(default)


def _parsed(kind: Any, value: Any) -> Any:
    if get_origin(kind) is tuple:
        return tuple(names(value))
    return value
