"""JSON lines over TCP: a connection per ordered pair of participants, a frame per line."""

from __future__ import annotations

import asyncio

from choros_sessions.errors import UndecodableMessage
from choros_sessions.messages import Participant
from choros_sessions.wire import MAX_FRAME, Address, Frame, WireNetwork, WireTransport


class TcpNetwork(WireNetwork):
    """Participants that talk in JSON lines over TCP."""

    def make(self, me: type[Participant]) -> TcpTransport:
        return TcpTransport(me, self)


class TcpTransport(WireTransport):
    """One participant's end of a `TcpNetwork`."""

    def __init__(self, me: type[Participant], network: WireNetwork) -> None:
        super().__init__(me, network)
        self._server: asyncio.Server | None = None
        self._outgoing: dict[Address, asyncio.StreamWriter] = {}
        self._incoming: set[asyncio.StreamWriter] = set()

    async def start(self) -> Address:
        wanted = self.network.local.get(self.me, Address("127.0.0.1", 0))
        self._server = await asyncio.start_server(self._serve, wanted.host, wanted.port, limit=MAX_FRAME)
        host, port = self._server.sockets[0].getsockname()[:2]
        return Address(host, port)

    async def stop(self) -> None:
        for writer in [*self._outgoing.values(), *self._incoming]:
            writer.close()
        self._outgoing.clear()
        if self._server is not None:
            self._server.close()
            self._server = None

    async def deliver(self, address: Address, frame: Frame) -> None:
        if address not in self._outgoing:
            _, self._outgoing[address] = await asyncio.open_connection(address.host, address.port)
        writer = self._outgoing[address]
        writer.write(self.network.wire.encode(frame) + b"\n")
        await writer.drain()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._incoming.add(writer)
        try:
            while line := await reader.readline():
                self.arrived(self.network.wire.decode(line))
        except UndecodableMessage as error:
            self.inbox.fail(error)
        except ValueError:
            # What `readline` says of a line that is longer than its limit.
            self.inbox.fail(UndecodableMessage(f"a line of more than {MAX_FRAME} bytes"))
        except ConnectionError:
            pass
        finally:
            self._incoming.discard(writer)
            writer.close()
