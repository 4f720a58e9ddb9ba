"""The command and its way out: a user's mistake is one line on stderr and exit status 2."""

import sys
import warnings
from typing import Annotated, NoReturn, TextIO

import typer

from neuralexec import __version__
from neuralexec.cli import algorithms, demo, families, generate, info, trace
from neuralexec.errors import InputError, InputWarning

USER_ERROR, INTERRUPTED = 2, 130

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Teach graph networks graph algorithms, step by step, and execute them at any size.",
)
for verb in (generate, info, trace, algorithms, families, demo):
    app.command(name=verb.__name__.rpartition(".")[2])(verb.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"neuralexec {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Say which version this is."
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and leave with its status."""
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", InputWarning)
    try:
        status = app(standalone_mode=False)
        if status == INTERRUPTED:  # what some versions of Typer make of Ctrl-C
            _interrupted()
        sys.exit(status)
    except InputError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        # The reader of a pipe (head, less) has left: stop quietly, and keep Python from
        # complaining once more when it closes stdout.
        sys.stdout = None
        sys.exit(0)
    except Exception as error:
        # Typer's own usage errors (an unknown option, a missing argument) know how to say so.
        if not hasattr(error, "format_message"):
            if type(error).__name__ == "Abort":  # what others make of it
                _interrupted()
            raise
        _fail(error.format_message())


def _interrupted() -> NoReturn:
    print("neuralexec: interrupted", file=sys.stderr)
    sys.exit(INTERRUPTED)


def _fail(message: str) -> NoReturn:
    if message:  # there is none where the help was shown instead
        print(f"neuralexec: {' '.join(message.splitlines())}", file=sys.stderr)
    sys.exit(USER_ERROR)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"warning: {message}", file=sys.stderr)
