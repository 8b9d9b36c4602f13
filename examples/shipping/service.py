"""What the services of the shipping example share: a tiny HTTP server and client.

Only the standard library is used.
A message is a POST to `/<operation>` with a JSON object; an answer that is itself a message comes back as the body of
the response, and a plain acknowledgement has status 204 and no body.
Numbers are decimals, as money should be.
"""

import http.client
import json
from collections.abc import Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Data = dict[str, Any]
Operation = Callable[[Data], Data | None]


def serve(port: int, operations: dict[str, Operation]) -> None:
    """Serves the operations until the process is ended; port 0 picks a free one, and the first line printed names it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            operation = operations.get(self.path.strip("/"))
            data = read(self.rfile.read(int(self.headers["Content-Length"])))
            if operation is None:
                self.answer(404, {"error": f"no operation {self.path}"})
                return
            self.answer(200, operation(data))

        def answer(self, status: int, data: Data | None) -> None:
            body = b"" if data is None else write(data)
            self.send_response(204 if data is None else status)
            if data is not None:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


def send(url: str, operation: str, data: Data) -> Data | None:
    """Sends a message and returns the message that answers it, if there is one."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    try:
        connection.request("POST", f"/{operation}", write(data), {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = response.read()
        if response.status >= 400:
            raise RuntimeError(f"{operation}: {response.status} {answer.decode()}")
        return read(answer) if answer else None
    finally:
        connection.close()


def read(text: bytes) -> Data:
    return json.loads(text, parse_float=Decimal)


def write(data: Data) -> bytes:
    return json.dumps(data, default=float).encode()
