"""How messages travel."""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from threading import Condition
from time import monotonic
from typing import Protocol, TypeVar

from .messages import Message, Role

Service = TypeVar("Service")
Known = TypeVar("Known")


class Network(Protocol):
    """What a service sends with and receives from.

    Messages between two roles arrive in the order in which they were sent.
    """

    def send(self, message: Message) -> None:
        """Sends a message."""

    def receive(self, senders: Sequence[Role]) -> Message | None:
        """The next message from one of these roles; None when none will come any more."""


class TimedNetwork(Network, Protocol):
    """What a service with timers needs."""

    def receive_within(self, senders: Sequence[Role], seconds: float) -> Message | None:
        """The next message from one of these roles; None when the time is over before."""


class Failure(Exception):
    """Why a service could not continue."""


class Unexpected(Failure):
    """A message came that the role does not expect now."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"unexpected: {message}")
        self.message = message


class Stuck(Failure):
    """No condition of what could happen in this state holds."""

    def __init__(self, role: Role, state: str) -> None:
        super().__init__(f"{role.value} cannot continue in state {state}")


class Silence(Failure):
    """The role waits in this state, and no message will come."""

    def __init__(self, role: Role, state: str) -> None:
        super().__init__(f"{role.value} waits in vain in state {state}")


class Memory:
    """A network within one process, which carries at most this many messages."""

    def __init__(self, roles: Sequence[Role], most: int) -> None:
        self.sent: list[Message] = []
        self._left = most
        self._queues: defaultdict[tuple[Role, Role], deque[Message]] = defaultdict(deque)
        # Who has not ended, and for whom each of them waits.
        self._running: dict[Role, list[Role]] = {role: [] for role in roles}
        # Everyone waits, and nothing is on its way.
        self._quiet = False
        self._changed = Condition()

    def play(self, run: Callable[[Service, Network], Known], service: Service, role: Role) -> Known:
        """Plays a role until it ends."""
        try:
            return run(service, Endpoint(self, role))
        finally:
            with self._changed:
                self._running.pop(role, None)
                self._look_around()
                self._changed.notify_all()

    def send(self, message: Message) -> None:
        with self._changed:
            if self._left == 0:
                raise Failure("network: it has carried enough messages")
            self._left -= 1
            self.sent.append(message)
            self._queues[message.sender, message.receiver].append(message)
            self._changed.notify_all()

    def receive(self, senders: Sequence[Role], receiver: Role) -> Message | None:
        with self._changed:
            while True:
                for sender in senders:
                    if self._queues[sender, receiver]:
                        self._running[receiver] = []
                        return self._queues[sender, receiver].popleft()
                if not self._quiet:
                    self._running[receiver] = list(senders)
                    self._look_around()
                if self._quiet:
                    self._changed.notify_all()
                    return None
                self._changed.wait()

    def receive_within(
        self, senders: Sequence[Role], receiver: Role, seconds: float
    ) -> Message | None:
        over = monotonic() + seconds
        with self._changed:
            # Who has a timer waits for time, which comes.
            self._running[receiver] = []
            while True:
                for sender in senders:
                    if self._queues[sender, receiver]:
                        return self._queues[sender, receiver].popleft()
                left = over - monotonic()
                if left <= 0:
                    return None
                self._changed.wait(left)

    def _look_around(self) -> None:
        """Notices when everyone waits for messages that are not there."""
        self._quiet = self._quiet or all(
            senders and not any(self._queues[sender, receiver] for sender in senders)
            for receiver, senders in self._running.items()
        )


class Endpoint:
    """A role's connection to a network within one process."""

    def __init__(self, memory: Memory, role: Role) -> None:
        self._memory = memory
        self._role = role

    def send(self, message: Message) -> None:
        self._memory.send(message)

    def receive(self, senders: Sequence[Role]) -> Message | None:
        return self._memory.receive(senders, self._role)

    def receive_within(self, senders: Sequence[Role], seconds: float) -> Message | None:
        return self._memory.receive_within(senders, self._role, seconds)
