"""Bc, the service `b`: withdraws an amount from a card."""

import argparse

from service import Data, serve


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    given = options.parse_args()
    withdrawn: list[Data] = []
    serve(given.port, {"Withdraw": withdrawn.append})


main()
