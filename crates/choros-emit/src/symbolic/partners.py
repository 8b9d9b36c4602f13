import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


# What partners are to be asked in this test, in order.
DUE = []
NEWS = threading.Condition()


def partner(role, name, status, headers, body, copies, check):
    """Lets a partner be asked for something once, and answer; gives the values it is asked with, when it is."""
    asked = {}
    with NEWS:
        DUE.append((role, name, status, headers, body, copies, check, asked))
    return asked


def answer(role, name, content):
    """What a partner answers: status, headers and body."""
    with NEWS:
        due = next((one for one in DUE if one[0] == role), None)
        if due is None or due[1] != name:
            WRONG.append(f"{role} was asked for {name}" + (f" and not for {due[1]}" if due else " unasked"))
            NEWS.notify_all()
            return 500, {}, ""
        DUE.remove(due)
    _, _, status, headers, body, copies, check, asked = due
    asked.update(leaves(content))
    try:
        check(asked)
        for place, value in copies().items():
            body = put(body, place, value)
    except (AssertionError, KeyError) as error:
        WRONG.append(f"{role} was asked for {name}: {error}")
    with NEWS:
        NEWS.notify_all()
    return status, headers, body


def settle():
    """Partners were asked for everything that was due, and for nothing else."""
    with NEWS:
        NEWS.wait_for(lambda: not DUE or WRONG, timeout=TIMEOUT)
        missing = [f"{one[0]} was not asked for {one[1]}" for one in DUE]
    said = "; ".join([*WRONG, *missing])
    assert not said, said


def handler(role):
    """How the requests to a partner are answered."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            name = title(self.command, self.path.split("?")[0], content)
            status, headers, body = answer(role, name, content)
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

        def log_message(self, *_):
            pass

    return Handler


@pytest.fixture(scope="module", autouse=True)
def partners():
    """Plays the partners."""
    servers = []
    for role, address in PARTNERS.items():
        host, _, port = address.rpartition(":")
        server = ThreadingHTTPServer((host or "127.0.0.1", int(port)), handler(role))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
    yield
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def nothing_due():
    """Each test begins again."""
    DUE.clear()
    WRONG.clear()
