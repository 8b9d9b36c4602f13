#!/usr/bin/env python3
"""The three services of saga.chor, with nothing but the standard library.

    python saga.py inventory
    python saga.py payment --fault overcharge
    python saga.py order --inventory http://127.0.0.1:9001 --payment http://127.0.0.1:9002

Each listens on a free port and says where. Orders of more than 100 pieces are out of stock, and amounts above
100000 are declined. Which message it is stands in the header X-Op, and its session in X-Session, which is
passed on and sent back: that is all that a capture needs to know.
"""

import argparse
import json
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FAULTS = {
    "order": {
        "zero": "takes orders of no pieces",
        "amount": "charges a cent more",
        "no-release": "does not release what cannot be paid",
        "total": "confirms another total",
        "unpaid": "confirms without charging",
        "generous": "confirms what was declined",
    },
    "inventory": {
        "other-id": "reserves for another order",
        "no-stock": "says that it is out of stock when it is to release",
    },
    "payment": {
        "overcharge": "charges a cent more than it is told",
        "other-id": "charges another order",
        "mixed": "mixes up two orders that it is asked to charge at the same time",
    },
}

LATEST = {}  # what the fault "mixed" keeps for one order, and others overwrite


def order(body, call, fault):
    """Places an order."""
    number, amount = body["id"], body["amount"]
    few = body["qty"] < 0 if fault == "zero" else body["qty"] <= 0
    if few or amount <= 0:
        return 409, {"op": "Rejected", "id": number}
    status = call("inventory", "/reserve", {"op": "Reserve", "id": number, "sku": body["sku"], "qty": body["qty"]})
    if status == 409:
        return 409, {"op": "Rejected", "id": number}
    confirmed = 201, {"op": "Confirmed", "id": number, "total": amount + (fault == "total")}
    if fault == "unpaid":
        return confirmed
    status = call("payment", "/charge", {"op": "Charge", "id": number, "amount": amount + (fault == "amount")})
    if status == 200 or fault == "generous":
        return confirmed
    if fault != "no-release":
        call("inventory", "/release", {"op": "Release", "id": number})
    return 402, {"op": "Cancelled", "id": number}


def inventory(path, body, fault):
    """Reserves and releases."""
    number = body["id"]
    if path == "/release":
        return (409, {"op": "OutOfStock", "id": number}) if fault == "no-stock" else (200, {"op": "Released", "id": number})
    if body["qty"] > 100:
        return 409, {"op": "OutOfStock", "id": number}
    return 200, {"op": "Reserved", "id": number + "x" if fault == "other-id" else number}


def payment(body, fault):
    """Charges."""
    number, amount = body["id"], body["amount"]
    if fault == "mixed":
        LATEST["order"] = number, amount
        time.sleep(0.05)
        number, amount = LATEST["order"]
    if amount > 100000:
        return 402, {"op": "Declined", "id": number}
    charged = amount + (fault == "overcharge")
    return 200, {"op": "Charged", "id": number + "x" if fault == "other-id" else number, "charged": charged}


def handler(options):
    """How requests are answered."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def call(self, partner, path, body):
            """Asks a partner, in the same session; gives the status of its answer."""
            headers = {"content-type": "application/json", "X-Op": body.pop("op")}
            headers["X-Session"] = self.headers.get("X-Session") or ""
            place = getattr(options, partner) + path
            request = urllib.request.Request(place, json.dumps(body).encode(), headers)
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    response.read()
                    return response.status
            except urllib.error.HTTPError as refused:
                refused.read()
                return refused.code

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if options.role == "order":
                status, answer = order(body, self.call, options.fault)
            elif options.role == "inventory":
                status, answer = inventory(self.path, body, options.fault)
            else:
                status, answer = payment(body, options.fault)
            self.send_response(status)
            self.send_header("X-Op", answer.pop("op"))
            content = json.dumps(answer).encode()
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.send_header("X-Session", self.headers.get("X-Session") or "")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("role", choices=list(FAULTS))
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--inventory", help="where order finds it")
    parser.add_argument("--payment", help="where order finds it")
    parser.add_argument("--fault", help="; ".join(f"{role}: {', '.join(faults)}" for role, faults in FAULTS.items()))
    options = parser.parse_args()
    if options.fault and options.fault not in FAULTS[options.role]:
        parser.error(f"{options.role} has the faults {', '.join(FAULTS[options.role])}")
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(options))
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
