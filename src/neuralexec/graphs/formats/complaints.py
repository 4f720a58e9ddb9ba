"""What is wrong with a file, in one line that begins with its path, whatever a parser raised."""

import gzip
import zlib
from pathlib import Path

from neuralexec.errors import InputError

LONGEST_MESSAGE, LONGEST_VALUE = 400, 60


class BadLine(InputError):
    """Something wrong in one line of a text file."""

    def __init__(self, line: int, reason: object) -> None:
        super().__init__(f"line {line}: {reason}")


def quoted(value: object) -> str:
    """A value from a file as a message shows it: quoted, escaped, cut when long."""
    text = str(value)
    if len(text) > LONGEST_VALUE:
        text = text[: LONGEST_VALUE - 3] + "..."
    return repr(text)


def complaint_about(path: Path, error: Exception, doing: str) -> InputError:
    """The error as the user meets it; `doing` says what failed, as in "cannot be read"."""
    if isinstance(error, BadLine):
        return InputError(_one_line(f"{path}, {error}"))
    return InputError(_one_line(f"{path}: {_reason(error, doing)}"))


def _reason(error: Exception, doing: str) -> str:
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, FileNotFoundError):
        return f"{doing}: no such file or folder"
    if isinstance(error, EOFError | gzip.BadGzipFile | zlib.error):
        return "is compressed but ends early or is damaged; copy or download it again"
    if isinstance(error, MemoryError):
        return f"{doing}: it needs more memory than this machine has"
    if isinstance(error, RecursionError):
        return f"{doing}: it is nested too deeply"
    if isinstance(error, UnicodeEncodeError):
        return f"{doing}: the name {quoted(error.object)} is not valid text; use .json or .npz"
    if isinstance(error, OSError) and error.strerror:
        return f"{doing}: {error.strerror}"
    lines = str(error).strip().splitlines()
    return f"{doing}: {lines[0] if lines else type(error).__name__}"


def _one_line(message: str) -> str:
    shown = "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in message
    )
    return shown if len(shown) <= LONGEST_MESSAGE else shown[: LONGEST_MESSAGE - 3] + "..."
