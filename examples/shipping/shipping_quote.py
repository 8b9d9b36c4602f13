"""Sq, the service `s`: quotes a fee for a weight and, when the client confirms, commits the order to administration."""

import argparse
from decimal import Decimal

from service import Data, send, serve


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--administration", required=True, help="URL of Ad")
    options.add_argument("--limit", type=Decimal, default=Decimal(5), help="from this weight on the price is 2, else 3")
    given = options.parse_args()
    weights: list[Decimal] = []

    def request(data: Data) -> Data:
        weight = data["weight"]
        weights.append(weight)
        price = 2 if weight >= given.limit else 3
        return {"price": price, "fee": weight * price}

    def confirm(data: Data) -> None:
        send(given.administration, "Commit", {"weight": weights.pop(), "card": data["card"]})

    serve(given.port, {"Request": request, "Confirm": confirm})


main()
