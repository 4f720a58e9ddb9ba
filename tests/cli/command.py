"""Run the command in this process, as a shell would."""

import sys
import warnings
from typing import NamedTuple

import pytest

from neuralexec.cli.main import run


class Result(NamedTuple):
    status: int
    out: str
    err: str


class Command:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Result:
        self.monkeypatch.setattr(sys, "argv", ["neuralexec", *map(str, arguments)])
        with warnings.catch_warnings(), pytest.raises(SystemExit) as left:
            run()
        out, err = self.capsys.readouterr()
        return Result(int(left.value.code or 0), out, err)

    def fails(self, *arguments: object) -> str:
        """The one line on stderr of a command that must be refused."""
        status, out, err = self(*arguments)
        assert status == 2, (status, out, err)
        assert out == ""
        assert err.startswith("neuralexec: ")
        assert err.count("\n") == 1, err
        return err.removeprefix("neuralexec: ").strip()
