#!/usr/bin/env python3
"""Two services of checkout.chor, with nothing but the standard library.

    python checkout.py payment --order http://127.0.0.1:9000
    python checkout.py order --client http://127.0.0.1:9001 --payment http://127.0.0.1:9002 \
        --inventory http://127.0.0.1:9003 --shipping http://127.0.0.1:9004

Each listens on a free port and says where. Every message is a request of its own, which is taken with 202 and
answered, if at all, by another message: who gives up waiting can still get a late one. Which message it is
says the path, and its field id to which order it belongs. Amounts above 100000 are declined.
"""

import argparse
import json
import queue
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MESSAGES = {
    f"/{name.lower()}": name
    for name in ["PlaceOrder", "Cancel", "Reserved", "OutOfStock", "Charge", "Charged", "Declined", "Void", "Refund", "Shipped"]
}

FAULTS = {
    "order": {
        "no-void": "does not say that it has given up",
        "amount": "charges a cent more",
        "no-release": "does not release what cannot be paid",
        "release-twice": "releases twice what cannot be paid",
        "no-retry": "does not ask a second time",
        "impatient": "gives up after the first attempt",
        "keeps-late": "keeps a charge that comes too late",
        "other-id": "cancels another order",
        "waits": "waits for an answer however long it takes",
        "three-times": "asks a third time",
        "keeps-stock": "releases nothing after it has given up",
        "late-paid": "takes a charge that comes too late for one in time",
        "early-ship": "ships before the client's time to cancel is over",
        "never-ships": "waits for a cancellation for ever",
    },
    "payment": {
        "other-id": "charges another order",
        "twice": "charges every copy",
        "refuses-copies": "answers a copy as well, by a refusal",
    },
}


class Session:
    """One conversation: what has come, and how to say something."""

    def __init__(self, options):
        self.options, self.come, self.is_over = options, queue.Queue(), False

    def take(self, *wanted, until=None):
        """The next of these messages, and None when the time is over; others do not matter any more."""
        while True:
            left = None if until is None else until - time.monotonic()
            try:
                message = self.come.get(timeout=left if left is None else max(left, 0))
            except queue.Empty:
                return None
            if message["op"] in wanted:
                return message

    def send(self, to, op, **fields):
        headers = {"content-type": "application/json"}
        place = f"{getattr(self.options, to)}/{op.lower()}"
        request = urllib.request.Request(place, json.dumps(fields).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as response:
            response.read()


def order(session, fault, second):
    """Places an order."""
    placed = session.take("PlaceOrder")
    number, amount = placed["id"], placed["amount"]
    if placed["qty"] <= 0 or amount <= 0:
        return session.send("client", "Rejected", id=number)
    session.send("inventory", "Reserve", id=number, sku=placed["sku"], qty=placed["qty"])
    if session.take("Reserved", "OutOfStock")["op"] == "OutOfStock":
        return session.send("client", "Rejected", id=number)

    def undo():
        if fault != "no-release":
            session.send("inventory", "Release", id=number)
        if fault == "release-twice":
            session.send("inventory", "Release", id=number)

    until, answer = time.monotonic(), None
    for attempt in range(3 if fault == "three-times" else 2):
        if attempt == 0 or fault != "no-retry":
            session.send("payment", "Charge", id=number, amount=amount + (fault == "amount"))
        until += second
        answer = session.take("Charged", "Declined", until=None if fault == "waits" else until)
        if answer or fault == "impatient":
            break
    if answer is None:
        if fault != "no-void":
            session.send("payment", "Void", id=number)
        session.send("client", "Cancelled", id=number + (fault == "other-id"))
        if fault != "keeps-stock":
            undo()
        if session.take("Charged", "Declined")["op"] == "Charged" and fault != "keeps-late":
            session.send(*("client", "Paid") if fault == "late-paid" else ("payment", "Refund"), id=number)
        return None
    if answer["op"] == "Declined":
        session.send("client", "Cancelled", id=number + (fault == "other-id"))
        return undo()
    session.send("client", "Paid", id=number)
    patience = {"early-ship": 0.5, "never-ships": 1000}.get(fault, 2)
    if session.take("Cancel", until=time.monotonic() + patience * second):
        session.send("client", "Cancelled", id=number + (fault == "other-id"))
        session.send("payment", "Refund", id=number)
        return undo()
    session.send("shipping", "Ship", id=number, sku=placed["sku"], qty=placed["qty"])
    session.take("Shipped")
    return session.send("client", "Confirmed", id=number)


def payment(session, fault, second):
    """Charges once, however often it is asked within three seconds."""
    until, copies = time.monotonic() + 3 * second, 0
    asked = session.take("Charge")
    while asked:
        number = asked["id"]
        if asked["amount"] > 100000 or fault == "refuses-copies" and copies:
            session.send("order", "Declined", id=number)
        else:
            session.send("order", "Charged", id=number + 1 if fault == "other-id" else number)
        # What comes now is a copy, unless every copy is answered.
        answers = fault in ("twice", "refuses-copies")
        asked, copies = session.take("Charge" if answers else "nothing", until=until), copies + 1
    session.is_over = True


def handler(options, play):
    """How messages are taken."""
    sessions, lock = {}, threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            with lock:
                session = sessions.get(body["id"])
                if session is None or session.is_over or self.path == "/placeorder":
                    session = sessions[body["id"]] = Session(options)
                    arguments = (session, options.fault, options.second)
                    threading.Thread(target=play, args=arguments, daemon=True).start()
            self.send_response(202)
            self.send_header("content-length", "0")
            self.end_headers()
            session.come.put({**body, "op": MESSAGES.get(self.path, self.path)})

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("role", choices=list(FAULTS))
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--second", type=float, default=1.0, help="how long a second of the model is")
    for partner in ["client", "order", "payment", "inventory", "shipping"]:
        parser.add_argument(f"--{partner}", help="where it is found")
    parser.add_argument("--fault", help="; ".join(f"{role}: {', '.join(faults)}" for role, faults in FAULTS.items()))
    options = parser.parse_args()
    if options.fault and options.fault not in FAULTS[options.role]:
        parser.error(f"{options.role} has the faults {', '.join(FAULTS[options.role])}")
    play = order if options.role == "order" else payment
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(options, play))
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
