"""The server under test is a process of its own, which is reached over HTTP."""

import os

from choros_sessions.http import HttpNetwork
from choros_sessions.testing import Options, elsewhere
from choros_sessions.wire import Address

from is_even_types import Client, No, Server, Yes, number


def network() -> HttpNetwork:
    here = Address("127.0.0.1", int(os.environ.get("CLIENT_PORT", "8001")))
    there = Address("127.0.0.1", int(os.environ.get("SERVER_PORT", "8002")))
    return HttpNetwork([Client, Server], [No, Yes, number], remote={Server: there}, local={Client: here})


OPTIONS = Options(timeout=0.5, network=network)

play_Server = elsewhere
