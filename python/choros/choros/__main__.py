"""The command `choros`, as `pip` installs it; `python -m choros` is the same."""

import signal
import sys

from choros import _native


def main() -> int:
    # Python would note an interrupt and wait for a turn of its own, which it gets at the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.run(["choros", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
