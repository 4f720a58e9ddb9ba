"""The command, as `neuralexec` and as `python -m neuralexec`: ready for signals before it loads."""

import signal
import sys
from typing import Any, NoReturn


def main() -> NoReturn:
    signal.signal(signal.SIGTERM, _leave)  # so that half-written files are removed on the way out
    try:
        from neuralexec.cli.main import run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


def _leave(number: int, frame: Any) -> NoReturn:
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
