"""A command to interrupt: `python -m tests.reproduction.interrupted OUT`, with SHOWN set."""

import sys

import pytest

from neuralexec.cli.main import run
from neuralexec.reproduction import reproduce
from tests.reproduction.performing import never_end_the_second_seed
from tests.reproduction.tiny import EXPLAINED, put

if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        put(patch, table2=(EXPLAINED,))
        patch.setattr(reproduce, "perform", never_end_the_second_seed)
        patch.setattr(sys, "argv", ["neuralexec", "reproduce", "table2", "--out", sys.argv[1]])
        run()
