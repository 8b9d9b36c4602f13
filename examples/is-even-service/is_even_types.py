"""The participants and messages of the protocol, with the number that is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from choros_sessions import Exchange, Message, Participant


@final
class Client(Participant):
    pass


@final
class Server(Participant):
    pass


def asked(history: Sequence[Exchange]) -> int:
    """The number of the question."""
    (question,) = [it.message for it in history if isinstance(it.message, number)]
    return question.n


@final
@dataclass(frozen=True)
class No(Message):
    def check(self, history: Sequence[Exchange]) -> None:
        assert asked(history) % 2 == 1, "an even number was called odd"


@final
@dataclass(frozen=True)
class Yes(Message):
    def check(self, history: Sequence[Exchange]) -> None:
        assert asked(history) % 2 == 0, "an odd number was called even"


@final
@dataclass(frozen=True)
class number(Message):
    n: int
