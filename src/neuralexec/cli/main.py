"""The command and its way out: a user's mistake is one line on stderr and exit status 2."""

import io
import sys
import warnings
from typing import Annotated, NoReturn

import typer

from neuralexec import __version__
from neuralexec.cli import (
    algorithms,
    demo,
    evaluate,
    families,
    generate,
    info,
    models,
    report,
    reproduce,
    trace,
    train,
)
from neuralexec.errors import InputError, InputWarning

USER_ERROR, INTERRUPTED = 2, 130
MEMORY = "this needs more memory than the machine has; use smaller graphs or fewer features"

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Teach graph networks graph algorithms, step by step, and execute them at any size.",
)
for verb in (
    demo,
    reproduce,
    report,
    train,
    evaluate,
    models,
    trace,
    info,
    generate,
    algorithms,
    families,
):
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
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Say which version this is.",
        ),
    ] = False,
) -> None:
    pass


def run() -> NoReturn:
    """Run the command line and leave with its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names that a terminal cannot show are escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            status = app(standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _fail(str(error))
    except MemoryError:
        _fail(MEMORY)
    except BrokenPipeError:
        _leave_quietly()
    except SystemExit as leaving:
        if leaving.code == 1:  # how Typer leaves, when it meets the broken pipe first
            _leave_quietly()
        raise
    except OSError as error:
        _fail(f"the output cannot be written: {error.strerror}")
    except (KeyboardInterrupt, typer.Abort):
        _interrupted()
    except Exception as error:
        if isinstance(error, RuntimeError) and "allocate memory" in str(error):  # torch's way
            _fail(MEMORY)
        # Typer's own usage errors (an unknown option, a missing argument) know how to say so.
        if not hasattr(error, "format_message"):
            raise
        _fail(error.format_message())
    if status == INTERRUPTED:  # what some versions of Typer make of Ctrl-C
        _interrupted()
    for warning in caught:  # last, so that what fails says only why
        print(f"warning: {warning.message}", file=sys.stderr)
    sys.exit(status)


def _leave_quietly() -> NoReturn:
    """The reader of a pipe (head, less) has left: so do we, and Python need not complain."""
    sys.stdout = None
    sys.exit(0)


def _interrupted() -> NoReturn:
    print("neuralexec: interrupted", file=sys.stderr)
    sys.exit(INTERRUPTED)


def _fail(message: str) -> NoReturn:
    if message:  # there is none where the help was shown instead
        print(f"neuralexec: {' '.join(message.splitlines())}", file=sys.stderr)
    sys.exit(USER_ERROR)
