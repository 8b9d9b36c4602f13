"""JSON over HTTP: a message is a POST to its receiver, answered with 202 when it has arrived.

The frame is the body. The path is the name of the message, so that a service can have a
handler per message: `POST /Request`.
"""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from choros_sessions.errors import ProtocolError, UndecodableMessage
from choros_sessions.messages import Participant
from choros_sessions.wire import MAX_FRAME, Address, Frame, WireNetwork, WireTransport


class HttpNetwork(WireNetwork):
    """Participants that talk in JSON over HTTP."""

    def make(self, me: type[Participant]) -> HttpTransport:
        return HttpTransport(me, self)


class HttpTransport(WireTransport):
    """One participant's end of an `HttpNetwork`."""

    def __init__(self, me: type[Participant], network: WireNetwork) -> None:
        super().__init__(me, network)
        self._server: asyncio.Server | None = None

    async def start(self) -> Address:
        wanted = self.network.local.get(self.me, Address("127.0.0.1", 0))
        self._server = await asyncio.start_server(self._serve, wanted.host, wanted.port)
        host, port = self._server.sockets[0].getsockname()[:2]
        return Address(host, port)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def deliver(self, address: Address, frame: Frame) -> None:
        body = self.network.wire.encode(frame)
        head = (
            f"POST /{quote(frame.message.choros_name)} HTTP/1.1\r\n"
            f"Host: {address.host}:{address.port}\r\n"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            writer.write(head.encode() + body)
            await writer.drain()
            status = await reader.readline()
            parts = status.split()
            if len(parts) < 2 or not parts[1].startswith(b"2"):
                raise ProtocolError(f"{frame.receiver} did not take {frame.message!r}: {status!r}")
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            frame = self.network.wire.decode(await self._body(reader))
        except UndecodableMessage as error:
            self.inbox.fail(error)
            writer.write(_answer("400 Bad Request"))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        else:
            self.arrived(frame)
            writer.write(_answer("202 Accepted"))
        finally:
            writer.close()

    @staticmethod
    async def _body(reader: asyncio.StreamReader) -> bytes:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.LimitOverrunError as error:
            raise UndecodableMessage("headers that do not end") from error
        request, *lines = head.split("\r\n")
        if not request.startswith("POST "):
            raise UndecodableMessage(f"not a POST: {request[:80]!r}")
        length = 0
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip().lower() == "content-length":
                if not value.strip().isdecimal() or len(value.strip()) > 9:
                    raise UndecodableMessage(f"not a length: {value.strip()[:80]!r}")
                length = int(value)
        if length > MAX_FRAME:
            raise UndecodableMessage(f"a body of more than {MAX_FRAME} bytes")
        return await reader.readexactly(length)


def _answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
