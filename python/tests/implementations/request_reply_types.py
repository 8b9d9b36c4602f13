"""Request-Reply, with a text in each message."""

from dataclasses import dataclass
from typing import final

from choros_sessions import Message, Participant


@final
class Client(Participant):
    pass


@final
class Server(Participant):
    pass


@final
@dataclass(frozen=True)
class Request(Message):
    text: str


@final
@dataclass(frozen=True)
class Reply(Message):
    text: str
