"""The order service of order.yaml, with the standard library only.

    python order.py --payment http://127.0.0.1:8081 [--port 8080] [--fault NAME]

It charges a card at the payment service (payment.yaml) before it confirms an order.
Faults: `limit` takes 101 pieces, `unpaid` confirms what was not paid, `price` charges one piece too few, `refund`
forgets to give the money back.
"""

import argparse
import json
import re
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PRICE = 1250  # cents per piece
SKU = re.compile(r"[A-Z]{2}-[0-9]{4}")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def is_valid(order, most):
    texts = ("sku", "email", "card")
    return (
        isinstance(order, dict)
        and all(isinstance(order.get(name), str) for name in texts)
        and isinstance(order.get("quantity"), int)
        and 1 <= order["quantity"] <= most
        and 12 <= len(order["card"]) <= 19
        and SKU.fullmatch(order["sku"]) is not None
        and EMAIL.fullmatch(order["email"]) is not None
    )


class Orders(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    payment = ""
    fault = None
    orders = {}

    def log_message(self, *_):
        pass

    def answer(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def pay(self, method, path, body=None):
        """Calls the payment service; the status and what it answers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.payment + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                text = response.read()
                return response.status, json.loads(text) if text else {}
        except urllib.error.HTTPError as error:
            return error.code, {}

    def known(self):
        """The order that the path names."""
        match = re.fullmatch(r"/v1/orders/([0-9a-f-]+)", self.path)
        return self.orders.get(match.group(1)) if match else None

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        text = self.rfile.read(length)
        if not self.headers.get("Authorization", "").startswith("Bearer "):
            return self.answer(401, {"title": "who are you?"})
        if self.path != "/v1/orders":
            return self.answer(404)
        try:
            wanted = json.loads(text)
        except ValueError:
            wanted = None
        if not is_valid(wanted, 101 if self.fault == "limit" else 100):
            return self.answer(400, {"title": "the order is not valid"})
        order = {"id": str(uuid.uuid4()), "quantity": wanted["quantity"], "status": "paid"}
        pieces = wanted["quantity"] - (1 if self.fault == "price" else 0)
        charge = {"order": order["id"], "card": wanted["card"], "cents": PRICE * pieces}
        status, answer = self.pay("POST", "/charges", charge)
        if status != 201 and self.fault != "unpaid":
            return self.answer(402, {"title": "the card was declined"})
        self.orders[order["id"]] = (order, answer.get("charge"))
        return self.answer(201, order)

    def do_GET(self):
        found = self.known()
        return self.answer(404) if found is None else self.answer(200, found[0])

    def do_DELETE(self):
        found = self.known()
        if found is None:
            return self.answer(404)
        order, charge = found
        if self.fault != "refund":
            self.pay("DELETE", f"/charges/{charge}")
        order["status"] = "cancelled"
        return self.answer(204)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--payment", required=True, help="where the payment service is")
    parser.add_argument("--port", type=int, default=8080, help="0 for any port that is free")
    parser.add_argument("--fault", choices=["limit", "unpaid", "price", "refund"])
    given = parser.parse_args()
    Orders.payment = given.payment.rstrip("/")
    Orders.fault = given.fault
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Orders)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
