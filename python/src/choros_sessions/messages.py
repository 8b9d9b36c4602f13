"""Participants and messages: what the parameters of session types range over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class Participant:
    """A party of a protocol. Subclasses are names for types; no one makes objects of them.

    The keyword `name` gives the name in the model where that is no Python identifier:
    `class GetBalance(Participant, name="get-balance")`.
    """

    choros_name: ClassVar[str] = ""

    def __init_subclass__(cls, *, name: str | None = None) -> None:
        super().__init_subclass__()
        cls.choros_name = name or cls.__name__


class Message:
    """A message. Subclasses are data classes whose fields are the payload.

    The annotations of the fields say which payloads tests draw; see `constraints`.
    """

    choros_name: ClassVar[str] = ""

    def __init_subclass__(cls, *, name: str | None = None) -> None:
        super().__init_subclass__()
        cls.choros_name = name or cls.__name__

    def check(self, history: Sequence[Exchange]) -> None:
        """Called by the tests on each message that the part under test sent.

        Override it to say what is right: raise `AssertionError` for a payload that is not.
        `history` holds the messages of this run before this one, in the order in which the
        machines sent them or got them from the part under test.
        """


@dataclass(frozen=True)
class Exchange:
    """A message with the parties between which it went."""

    sender: type[Participant]
    receiver: type[Participant]
    message: Message

    def __str__(self) -> str:
        return f"{self.sender.choros_name} -> {self.receiver.choros_name} : {self.message!r}"
