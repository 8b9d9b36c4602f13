"""Ad, the service `a`: computes the amount of a committed order and has it withdrawn from the card.

With `--rounding` it has the fault of the example: it chooses the price by the *rounded* weight.
"""

import argparse
from decimal import Decimal

from service import Data, send, serve


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--bank", required=True, help="URL of Bc")
    options.add_argument("--limit", type=Decimal, default=Decimal(5), help="from this weight on the price is 2, else 3")
    options.add_argument("--rounding", action="store_true", help="choose the price by the rounded weight")
    given = options.parse_args()

    def commit(data: Data) -> None:
        weight = data["weight"]
        price = 2 if (round(weight) if given.rounding else weight) >= given.limit else 3
        send(given.bank, "Withdraw", {"card": data["card"], "amount": weight * price})

    serve(given.port, {"Commit": commit})


main()
