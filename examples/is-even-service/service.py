"""A service that says whether a number is even. It uses nothing but Python's standard library.

Messages are JSON over HTTP: `POST /number` with

    {"session": "7", "from": "Client", "to": "Server", "message": "number", "data": {"n": 4}}

is answered with 202 at once, and then with a `POST` of the same form to the client, whose message
is `Yes` or `No`.
"""

import argparse
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def main() -> None:
    parser = argparse.ArgumentParser(description="Says whether a number is even.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--client", required=True, help="where answers go: http://HOST:PORT")
    parser.add_argument("--silent-on-zero", action="store_true", help="a fault, to be found by tests")
    options = parser.parse_args()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            threading.Thread(target=answer, args=(json.loads(body), options), daemon=True).start()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    print(f"listening on {options.port}", flush=True)
    server.serve_forever()


def answer(question: dict, options: argparse.Namespace) -> None:
    number = question["data"]["n"]
    if number == 0 and options.silent_on_zero:
        return
    name = "Yes" if number % 2 == 0 else "No"
    frame = {"session": question["session"], "from": "Server", "to": "Client", "message": name, "data": {}}
    request = urllib.request.Request(
        f"{options.client}/{name}", json.dumps(frame).encode(), {"Content-Type": "application/json"}
    )
    try:
        urllib.request.urlopen(request, timeout=5).close()
    except OSError:
        # The client has gone; there is nobody to tell.
        pass


if __name__ == "__main__":
    main()
