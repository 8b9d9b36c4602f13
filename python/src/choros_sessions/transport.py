"""The medium between participants, behind one interface."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from choros_sessions.errors import TransportClosed
from choros_sessions.messages import Message, Participant


class Transport(ABC):
    """One participant's access to the medium.

    Between two participants messages arrive in the order in which they were sent; between
    different pairs there is no order.
    """

    @abstractmethod
    async def send(self, receiver: type[Participant], message: Message) -> None:
        """Hands a message over; does not wait until it is received."""

    @abstractmethod
    async def recv(self, sender: type[Participant]) -> Message:
        """Takes the next message from `sender`, waiting for it if need be."""

    @abstractmethod
    async def peek(self, sender: type[Participant]) -> Message:
        """Waits for the next message from `sender` and leaves it where it is.

        An offer needs this: the message may belong to an alternative deep inside the type.
        """

    @abstractmethod
    def poll(self, sender: type[Participant]) -> Message | None:
        """The next message from `sender`, left where it is, if there is one already."""

    @abstractmethod
    async def changed(self) -> None:
        """Waits until something arrives, is taken, or ends."""

    @abstractmethod
    def close(self) -> None:
        """Ends this participant's part; later operations fail."""


class Network(ABC):
    """The medium as a whole, as a test sees it: the ends of all participants."""

    @abstractmethod
    def transport(self, me: type[Participant]) -> Transport:
        """The transport of this participant; always the same one."""

    async def start(self, participants: Iterable[type[Participant]]) -> None:
        """Opens what has to be open before anyone sends."""

    async def stop(self) -> None:
        """Closes what `start` opened."""

    @abstractmethod
    def in_flight(self) -> list[Flight]:
        """What was sent and not yet received, as far as can be seen from here."""

    @abstractmethod
    async def settle(self) -> None:
        """Lets everyone run for as long as that leads on by itself, and no longer."""

    def is_stable(self) -> bool:
        """Whether every message that was sent has been received."""
        return not self.in_flight()


class Flight(NamedTuple):
    """A message in transit."""

    sender: type[Participant]
    receiver: type[Participant]
    message: Message

    def __str__(self) -> str:
        return f"{self.sender.choros_name} -> {self.receiver.choros_name} : {self.message!r}"


class Inbox:
    """The messages that have arrived at one participant, in order per sender."""

    def __init__(self, owner: type[Participant]) -> None:
        self.owner: type[Participant] = owner
        self.closed: bool = False
        self.failure: Exception | None = None
        self.activity: int = 0
        self._queues: dict[type[Participant], deque[Message]] = {}
        self._waiting: list[asyncio.Future[None]] = []

    def put(self, sender: type[Participant], message: Message) -> None:
        self._queues.setdefault(sender, deque()).append(message)
        self.wake()

    def first(self, sender: type[Participant]) -> Message | None:
        queue = self._queues.get(sender)
        return queue[0] if queue else None

    def take(self, sender: type[Participant]) -> Message:
        message = self._queues[sender].popleft()
        self.wake()
        return message

    def fail(self, failure: Exception) -> None:
        """Something arrived that is not a message; the waiting test is informed."""
        self.failure = self.failure or failure
        self.wake()

    def left(self) -> Iterable[tuple[type[Participant], Message]]:
        """Everything that no one took yet."""
        for sender, queue in self._queues.items():
            for message in queue:
                yield sender, message

    def is_awaited(self) -> bool:
        """Whether someone waits for something to arrive."""
        return bool(self._waiting)

    async def changed(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        finally:
            if future in self._waiting:
                self._waiting.remove(future)

    def wake(self) -> None:
        self.activity += 1
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


class InboxTransport(Transport):
    """What all transports share: messages are put into an inbox by someone else."""

    def __init__(self, me: type[Participant]) -> None:
        self.me: type[Participant] = me
        self.inbox: Inbox = Inbox(me)

    async def recv(self, sender: type[Participant]) -> Message:
        await self.peek(sender)
        return self.inbox.take(sender)

    async def peek(self, sender: type[Participant]) -> Message:
        while (message := self.inbox.first(sender)) is None:
            self.must_be_open()
            await self.inbox.changed()
        self.must_be_open()
        return message

    def poll(self, sender: type[Participant]) -> Message | None:
        return self.inbox.first(sender)

    async def changed(self) -> None:
        await self.inbox.changed()

    def close(self) -> None:
        self.inbox.closed = True
        self.inbox.wake()

    def must_be_open(self) -> None:
        if self.inbox.failure is not None:
            raise self.inbox.failure
        if self.inbox.closed:
            raise TransportClosed(f"the transport of {self.me.choros_name} is closed")
