"""The same conversation over every transport, and what comes in that is not a message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from protocols import Client, ClientSession, No, Number, Perhaps, Reply, Request, Server, ServerSession, Yes

from choros_sessions import MemoryNetwork, Message, Network, UndecodableMessage, session
from choros_sessions.codec import Codec
from choros_sessions.http import HttpNetwork
from choros_sessions.tcp import TcpNetwork
from choros_sessions.wire import Frame, Wire

MESSAGES: list[type[Message]] = [Request, Reply, Number, No, Yes, Perhaps]

NETWORKS = {
    "memory": lambda: MemoryNetwork(),
    "tcp": lambda: TcpNetwork([Client, Server], MESSAGES),
    "http": lambda: HttpNetwork([Client, Server], MESSAGES),
}


@pytest.mark.parametrize("kind", NETWORKS)
def test_the_same_conversation(kind: str) -> None:
    async def client(network: Network) -> str:
        s1 = await session(ClientSession, network.transport(Client)).send(Request("grüße"))
        s2, reply = await s1.recv()
        s2.close()
        return reply.text

    async def server(network: Network) -> None:
        s1, request = await session(ServerSession, network.transport(Server)).recv()
        (await s1.send(Reply(request.text.upper()))).close()

    async def run() -> None:
        network: Network = NETWORKS[kind]()
        await network.start([Client, Server])
        answer, _ = await asyncio.wait_for(asyncio.gather(client(network), server(network)), 5)
        assert answer == "GRÜSSE"
        await network.settle()
        assert network.is_stable()
        await network.stop()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense", "not JSON"),
        (b"[1]", "not an object"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"from":"Nobody","to":"Server","message":"Yes"}', "not a participant"),
        (b'{"from":"Client","to":7,"message":"Yes"}', "not a participant"),
        (b'{"from":"Client","to":"Server","message":"Maybe"}', "there is no message 'Maybe'"),
        (b'{"from":"Client","to":"Server","message":"Number","data":{"n":"7"}}', "Number.n must be of type int"),
        (b'{"from":"Client","to":"Server","message":"Number","data":{"n":true}}', "Number.n must be of type int"),
        (b'{"from":"Client","to":"Server","message":"Number","data":{"m":7}}', "has no field m"),
        (b'{"from":"Client","to":"Server","message":"Number","data":[7]}', "must be an object"),
    ],
)
def test_what_is_no_message_is_refused(line: bytes, reason: str) -> None:
    with pytest.raises(UndecodableMessage, match=reason):
        Wire([Client, Server], MESSAGES).decode(line)


def test_a_frame_reads_back() -> None:
    wire = Wire([Client, Server], MESSAGES)
    frame = Frame("7", "Client", "Server", Request("a\nb"))
    assert b"\n" not in wire.encode(frame)
    assert wire.decode(wire.encode(frame)) == frame


@pytest.mark.parametrize("kind", ["tcp", "http"])
def test_rubbish_from_the_network_ends_the_wait(kind: str) -> None:
    async def run() -> None:
        network: Any = NETWORKS[kind]()
        await network.start([Client, Server])
        address = network.addresses[Server]
        _, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await writer.drain()
        with pytest.raises(UndecodableMessage):
            await asyncio.wait_for(network.transport(Server).recv(Client), 5)
        writer.close()
        await network.stop()

    asyncio.run(run())


def test_what_is_left_from_another_session_is_dropped() -> None:
    async def run() -> None:
        network = TcpNetwork([Client, Server], MESSAGES)
        await network.start([Client, Server])
        address = network.addresses[Server]
        _, writer = await asyncio.open_connection(address.host, address.port)
        for name, text in (("old", "late"), (network.session, "now")):
            frame = {"session": name, "from": "Client", "to": "Server", "message": "Request", "data": {"text": text}}
            writer.write(json.dumps(frame).encode() + b"\n")
        await writer.drain()
        assert await asyncio.wait_for(network.transport(Server).recv(Client), 5) == Request("now")
        writer.close()
        await network.stop()

    asyncio.run(run())


def test_nested_data_reads_back() -> None:
    from test_strategies import Nested, Order

    order = Order(1, "x", (Nested(0.5, None), Nested(2.0, "n")), {"k": [1, 2]}, "OK")
    codec = Codec([Order])
    assert codec.message("Order", json.loads(json.dumps(codec.data(order)))) == order
