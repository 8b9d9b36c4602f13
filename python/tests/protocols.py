"""Protocols for the tests of this package: Request-Reply, Is-Even, and a loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from choros_sessions import Choose, Eps, Message, Offer, Participant, Recv, Send


@final
class Client(Participant):
    pass


@final
class Server(Participant):
    pass


@final
@dataclass(frozen=True)
class Request(Message):
    text: str = ""


@final
@dataclass(frozen=True)
class Reply(Message):
    text: str = ""


@final
@dataclass(frozen=True)
class Number(Message):
    n: int = 0


@final
@dataclass(frozen=True)
class No(Message):
    pass


@final
@dataclass(frozen=True)
class Yes(Message):
    pass


@final
@dataclass(frozen=True)
class Perhaps(Message):
    pass


ClientSession = Send[Server, Request, Recv[Server, Reply, Eps]]
ServerSession = Recv[Client, Request, Send[Client, Reply, Eps]]

AskSession = Send[Server, Number, Offer[Server, No, Eps, Recv[Server, Yes, Eps]]]
AnswerSession = Recv[Client, Number, Choose[Client, No, Eps, Send[Client, Yes, Eps]]]

ThreeWays = Choose[Client, No, Eps, Choose[Client, Perhaps, Recv[Client, Number, Eps], Send[Client, Yes, Eps]]]
ThreeCases = Offer[Server, No, Eps, Offer[Server, Perhaps, Send[Server, Number, Eps], Recv[Server, Yes, Eps]]]


class Counting(Choose[Client, No, Eps, Send[Client, Number, "Counting"]]):
    """Sends numbers until it says no."""
