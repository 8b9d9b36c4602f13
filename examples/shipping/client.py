"""The client `c`: asks for a quote and confirms it with a card."""

import argparse
from decimal import Decimal

from service import send


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quote", required=True, help="URL of Sq")
    options.add_argument("--weight", type=Decimal, required=True)
    options.add_argument("--card", default="4970-1234")
    given = options.parse_args()
    answer = send(given.quote, "Request", {"weight": given.weight})
    if answer is None:
        raise SystemExit("no quote came back")
    print(f"price {answer['price']}, fee {answer['fee']:.2f}")
    send(given.quote, "Confirm", {"card": given.card})


main()
