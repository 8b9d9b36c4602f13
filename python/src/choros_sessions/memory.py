"""Queues in memory: one per ordered pair of participants, all in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from choros_sessions.messages import Message, Participant
from choros_sessions.transport import Flight, InboxTransport, Network

Direction = str
"""`"send"` or `"recv"`."""

Listener = Callable[[Direction, type[Participant], type[Participant], Message], None]
"""Told of each event: its direction, sender, receiver and message."""


class MemoryNetwork(Network):
    """All the queues of one run.

    Everything happens in one thread and one event loop, so a run can be repeated exactly.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._transports: dict[type[Participant], MemoryTransport] = {}
        self._listener: Listener | None = listener

    def transport(self, me: type[Participant]) -> MemoryTransport:
        if me not in self._transports:
            self._transports[me] = MemoryTransport(me, self)
        return self._transports[me]

    def in_flight(self) -> list[Flight]:
        return [
            Flight(sender, me, message)
            for me, transport in self._transports.items()
            for sender, message in transport.inbox.left()
        ]

    async def settle(self) -> None:
        """Lets everyone run until no one moves any more.

        A task that only waits for messages needs a few turns of the event loop at most to get
        from one operation to the next, so some turns without any activity mean that it waits;
        fewer are enough when it can be seen to wait for a message.
        A task that waits for something else, such as a clock, is not waited for.
        """
        quiet = 0
        while quiet < (AWAITED_TURNS if self._is_awaited() else QUIET_TURNS):
            before = self._activity()
            await asyncio.sleep(0)
            quiet = quiet + 1 if self._activity() == before else 0

    def tell(
        self,
        direction: Direction,
        sender: type[Participant],
        receiver: type[Participant],
        message: Message,
    ) -> None:
        if self._listener is not None:
            self._listener(direction, sender, receiver, message)

    def _is_awaited(self) -> bool:
        return any(transport.inbox.is_awaited() for transport in self._transports.values())

    def _activity(self) -> int:
        return sum(transport.inbox.activity for transport in self._transports.values())


QUIET_TURNS = 10
AWAITED_TURNS = 4


class MemoryTransport(InboxTransport):
    """A participant's end of a `MemoryNetwork`."""

    def __init__(self, me: type[Participant], network: MemoryNetwork) -> None:
        super().__init__(me)
        self.network: MemoryNetwork = network

    async def send(self, receiver: type[Participant], message: Message) -> None:
        self.must_be_open()
        self.network.tell("send", self.me, receiver, message)
        self.network.transport(receiver).inbox.put(self.me, message)

    async def recv(self, sender: type[Participant]) -> Message:
        message = await super().recv(sender)
        self.network.tell("recv", sender, self.me, message)
        return message
