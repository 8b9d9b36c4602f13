"""The shop of orders.chor: python3 shop.py [PORT]. A stub, to be replaced by your service."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["content-length"])))
        accepted = 1 <= order["pieces"] <= 100
        body = json.dumps({"id": order["id"]}).encode()
        self.send_response(201 if accepted else 422)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
    server = ThreadingHTTPServer(("127.0.0.1", port), Shop)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
