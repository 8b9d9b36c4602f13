"""What transports over a real network share: frames, addresses, and a network of both.

A frame is one JSON object:

    {"session": "7", "from": "Client", "to": "Server", "message": "Request", "data": {"text": "hi"}}

A session identifies one run, so that what is left over from an earlier one is recognised and
dropped; a party that gets no session from its caller answers with the one it was asked with.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from choros_sessions.codec import Codec
from choros_sessions.errors import UndecodableMessage
from choros_sessions.messages import Message, Participant
from choros_sessions.transport import Flight, InboxTransport, Network

MAX_FRAME = 1 << 20
"""Frames of more bytes than this are refused."""


class Address(NamedTuple):
    """Where a participant listens."""

    host: str
    port: int


class Frame(NamedTuple):
    """A message with its envelope."""

    session: str
    sender: str
    receiver: str
    message: Message


class Wire:
    """The participants and messages of a protocol, by the names they have outside."""

    def __init__(self, participants: Iterable[type[Participant]], messages: Iterable[type[Message]]) -> None:
        self.participants: dict[str, type[Participant]] = {it.choros_name: it for it in participants}
        self.codec: Codec = Codec(messages)

    def encode(self, frame: Frame) -> bytes:
        return json.dumps(
            {
                "session": frame.session,
                "from": frame.sender,
                "to": frame.receiver,
                "message": frame.message.choros_name,
                "data": self.codec.data(frame.message),
            },
            separators=(",", ":"),
        ).encode()

    def decode(self, line: bytes) -> Frame:
        try:
            frame: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UndecodableMessage(f"not JSON: {line[:80]!r}") from error
        if not isinstance(frame, dict):
            raise UndecodableMessage(f"not an object: {line[:80]!r}")
        fields = cast("dict[str, Any]", frame)
        for name in ("from", "to"):
            if not isinstance(fields.get(name), str) or fields[name] not in self.participants:
                raise UndecodableMessage(f"{name!r} is not a participant: {fields.get(name)!r}")
        message = self.codec.message(fields.get("message"), fields.get("data", {}))
        return Frame(str(fields.get("session", "")), fields["from"], fields["to"], message)


class WireTransport(InboxTransport):
    """One participant's end of a `WireNetwork`."""

    def __init__(self, me: type[Participant], network: WireNetwork) -> None:
        super().__init__(me)
        self.network: WireNetwork = network

    async def start(self) -> Address:
        """Begins to listen, and says where."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Ends listening, and all connections."""
        raise NotImplementedError

    @abstractmethod
    async def deliver(self, address: Address, frame: Frame) -> None:
        """Brings a frame to an address."""

    async def send(self, receiver: type[Participant], message: Message) -> None:
        self.must_be_open()
        frame = Frame(self.network.session, self.me.choros_name, receiver.choros_name, message)
        self.network.sent(Flight(self.me, receiver, message))
        await self.deliver(self.network.addresses[receiver], frame)

    async def recv(self, sender: type[Participant]) -> Message:
        message = await super().recv(sender)
        self.network.received(sender, self.me)
        return message

    def arrived(self, frame: Frame) -> None:
        """A frame has come in."""
        if frame.session not in ("", self.network.session):
            return
        if frame.receiver != self.me.choros_name:
            self.inbox.fail(UndecodableMessage(f"{frame.message!r} is for {frame.receiver}, not for {self.me.choros_name}"))
            return
        self.network.landed()
        self.inbox.put(self.network.wire.participants[frame.sender], frame.message)


class WireNetwork(Network):
    """Participants that talk over a real network.

    Those in `remote` run elsewhere, at the given addresses; all others are played here and
    listen on ports of this machine, those in `local` where that says.
    """

    def __init__(
        self,
        participants: Iterable[type[Participant]],
        messages: Iterable[type[Message]],
        remote: Mapping[type[Participant], Address] | None = None,
        local: Mapping[type[Participant], Address] | None = None,
        quiet: float = 0.005,
    ) -> None:
        everybody = list(participants)
        self.wire: Wire = Wire(everybody, messages)
        self.remote: dict[type[Participant], Address] = dict(remote or {})
        self.local: dict[type[Participant], Address] = dict(local or {})
        self.quiet: float = quiet
        self.session: str = next_session()
        self.addresses: dict[type[Participant], Address] = dict(self.remote)
        self._ends: dict[type[Participant], WireTransport] = {
            it: self.make(it) for it in everybody if it not in self.remote
        }
        self._absent: dict[type[Participant], WireTransport] = {it: self.make(it) for it in self.remote}
        self._flights: list[Flight] = []
        self._flying: int = 0

    @abstractmethod
    def make(self, me: type[Participant]) -> WireTransport:
        """An end for this participant."""

    def transport(self, me: type[Participant]) -> WireTransport:
        return self._ends.get(me) or self._absent[me]

    async def start(self, participants: Iterable[type[Participant]]) -> None:
        for participant, end in self._ends.items():
            self.addresses[participant] = await end.start()

    async def stop(self) -> None:
        for end in self._ends.values():
            await end.stop()

    def in_flight(self) -> list[Flight]:
        """What was sent from here and not received here, and what came here and was not taken."""
        waiting = [
            Flight(sender, end.me, message)
            for end in self._ends.values()
            for sender, message in end.inbox.left()
            if sender in self.remote
        ]
        return self._flights + waiting

    async def settle(self) -> None:
        """Waits until what was sent has landed, and no one here moves any more.

        If somebody is remote, silence for `quiet` seconds is taken for the end of movement.
        """
        deadline = time.monotonic() + LOST
        while True:
            before = self._activity()
            for _ in range(10):
                await asyncio.sleep(0)
            if self._flying > 0 and time.monotonic() < deadline:
                await asyncio.sleep(0.0002)
                continue
            if self.remote:
                await asyncio.sleep(self.quiet)
            if self._activity() == before:
                return

    def sent(self, flight: Flight) -> None:
        if flight.receiver not in self.remote:
            self._flights.append(flight)
            self._flying += 1

    def landed(self) -> None:
        self._flying = max(0, self._flying - 1)

    def received(self, sender: type[Participant], receiver: type[Participant]) -> None:
        for index, flight in enumerate(self._flights):
            if flight.sender is sender and flight.receiver is receiver:
                del self._flights[index]
                return

    def _activity(self) -> int:
        return sum(end.inbox.activity for end in self._ends.values()) + self._flying


LOST = 1.0
"""A message between two ends of this machine that takes longer than this is lost."""

_COUNTER = itertools.count(1)


def next_session() -> str:
    """A name that no other run has, on this machine and until it is restarted."""
    return f"{os.getpid()}-{next(_COUNTER)}-{time.time_ns()}"
