"""Local session types as generic classes.

A value of type `Send[Server, Request, P]` is a session that must send a `Request` to `Server`
and then goes on as `P`. Every operation returns the continuation, whose type tells a static
checker what is possible next; the same is checked when the program runs.

| type                   | operations                                            | goes on as   |
|------------------------|-------------------------------------------------------|--------------|
| `Eps`                  | `close()`                                             | –            |
| `Send[R, M, P]`        | `await send(message)`                                 | `P`          |
| `Recv[S, M, P]`        | `await recv()` gives the continuation and the message | `P`          |
| `Choose[R, M, LP, RP]` | `await pick(message)`, or `skip()`                    | `LP` or `RP` |
| `Offer[S, M, LP, RP]`  | `await offer()` gives `Left` or `Right`               | `LP` or `RP` |

The types are those of Coto, "A choreographic approach to model-driven testing of
message-passing systems", figure 4.1. There one object changes its class as it goes; here
each step has an object of its own, which can be used once, so that a session kept in a
variable too long is found out.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ForwardRef, Generic, NamedTuple, TypeVar, cast, get_args, get_origin

from choros_sessions.errors import UnexpectedMessage, UsedTwice, WrongMessage, WrongOrder
from choros_sessions.messages import Message, Participant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from choros_sessions.transport import Transport


class LocalProtocol:
    """A session at some point: one of the five classes below."""

    def __init__(self, transport: Transport, shape: Shape) -> None:
        self._transport: Transport = transport
        self._shape: Shape = shape
        self._spent: bool = False

    # For the checker there is no such method, so that it complains about a wrong order; when
    # the program runs, the complaint can say what would have been right.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            if name.startswith("_"):
                raise AttributeError(name)
            raise WrongOrder(f"`{name}` is not possible here: this session {self._shape.wants()}")

    def _use(self) -> Transport:
        if self._spent:
            raise UsedTwice(
                f"this session has already gone on; it was one that {self._shape.wants()}. "
                + "Use what the last operation returned"
            )
        self._spent = True
        return self._transport


R = TypeVar("R", bound=Participant)
M = TypeVar("M", bound=Message)
P = TypeVar("P", bound=LocalProtocol)
LP = TypeVar("LP", bound=LocalProtocol)
RP = TypeVar("RP", bound=LocalProtocol)


class Eps(LocalProtocol):
    """The end."""

    def close(self) -> None:
        """Closes the transport."""
        self._use().close()


class Send(LocalProtocol, Generic[R, M, P]):
    """Sends an `M` to `R`, then continues as `P`."""

    async def send(self, message: M) -> P:
        return cast("P", await _send(self, message))


class Recv(LocalProtocol, Generic[R, M, P]):
    """Receives an `M` from `R`, then continues as `P`."""

    async def recv(self) -> tuple[P, M]:
        """The continuation and the message."""
        transport = self._use()
        _, _, continuation = self._shape.parts()
        message = await _receive(transport, self._shape.alternatives())
        return cast("P", session(continuation, transport)), cast("M", message)


class Choose(LocalProtocol, Generic[R, M, LP, RP]):
    """Sends an `M` to `R` and continues as `LP`, or sends nothing yet and continues as `RP`."""

    async def pick(self, message: M) -> LP:
        """Takes the first alternative."""
        return cast("LP", await _send(self, message))

    def skip(self) -> RP:
        """Leaves the first alternative to those after it."""
        return cast("RP", session(self._shape.rest(), self._use()))


Choice = Choose
"""The other name of `Choose`."""


class Offer(LocalProtocol, Generic[R, M, LP, RP]):
    """Receives an `M` from `R` and continues as `LP`; if another message comes, as `RP`."""

    async def offer(self) -> Left[LP, M] | Right[RP]:
        transport = self._use()
        alternatives = self._shape.alternatives()
        taken, sender = await _awaited(transport, alternatives)
        if taken is not alternatives[0]:
            return Right(cast("RP", session(self._shape.rest(), transport)))
        message = await transport.recv(sender)
        return Left(cast("LP", session(taken.continuation, transport)), cast("M", message))


@dataclass(frozen=True)
class Left(Generic[LP, M]):
    """The message of the first alternative came."""

    session: LP
    message: M


@dataclass(frozen=True)
class Right(Generic[RP]):
    """Another message came; it has not been taken yet."""

    session: RP


def session(shape: type[P], transport: Transport) -> P:
    """A session that follows the type `shape` over `transport`, at its beginning."""
    unfolded = Shape.of(shape)
    return cast("P", unfolded.class_(transport, unfolded))


def transport_of(state: LocalProtocol) -> Transport:
    """The transport under a session: for adapters to code that knows nothing of sessions.

    A test that uses it has left the types behind; tests still see what is sent.
    """
    return state._use()


class Alternative(NamedTuple):
    """One message that a session may send or receive next."""

    partner: type[Participant]
    message: type[Message]
    continuation: type[LocalProtocol]

    def words(self) -> str:
        return f"{self.message.choros_name} ({self.partner.choros_name})"


class Shape:
    """A session type, taken apart: its constructor and its arguments."""

    __slots__: tuple[str, ...] = ("arguments", "class_", "constructor")

    def __init__(
        self, class_: type[LocalProtocol], constructor: type[LocalProtocol], arguments: tuple[Any, ...]
    ) -> None:
        self.class_: type[LocalProtocol] = class_
        self.constructor: type[LocalProtocol] = constructor
        self.arguments: tuple[Any, ...] = arguments

    @staticmethod
    def of(shape: Any) -> Shape:
        """Takes a type apart; a recursive type is a class that names itself in its base."""
        if shape is Eps:
            return Shape(Eps, Eps, ())
        if (origin := get_origin(shape)) in CONSTRUCTORS:
            return Shape(origin, origin, get_args(shape))
        if isinstance(shape, type) and issubclass(shape, LocalProtocol):
            names = vars(sys.modules[shape.__module__])
            for base in getattr(shape, "__orig_bases__", ()):
                if (origin := get_origin(base)) in CONSTRUCTORS:
                    return Shape(shape, origin, tuple(resolved(it, names) for it in get_args(base)))
            if issubclass(shape, Eps):
                return Shape(shape, Eps, ())
        raise TypeError(f"{shape!r} is not a session type")

    def parts(self) -> tuple[type[Participant], type[Message], type[LocalProtocol]]:
        partner, message, continuation = self.arguments[:3]
        return partner, message, continuation

    def rest(self) -> type[LocalProtocol]:
        return self.arguments[3]

    def alternatives(self) -> list[Alternative]:
        """All messages that are possible next, in order: those of the nested types too."""
        found: list[Alternative] = []
        shape = self
        while shape.constructor is self.constructor or shape.constructor is LAST[self.constructor]:
            if shape.constructor is Eps:
                break
            found.append(Alternative(*shape.parts()))
            if shape.constructor not in (Choose, Offer):
                break
            shape = Shape.of(shape.rest())
        return found

    def wants(self) -> str:
        """What a session of this type does next, in words."""
        if self.constructor is Eps:
            return "has come to its end"
        verb = "sends" if self.constructor in (Send, Choose) else "receives"
        return f"{verb} {' or '.join(it.words() for it in self.alternatives())}"


CONSTRUCTORS = (Send, Recv, Choose, Offer)

LAST: Mapping[type[LocalProtocol], type[LocalProtocol]] = {
    Eps: Eps,
    Send: Send,
    Recv: Recv,
    Choose: Send,
    Offer: Recv,
}
"""What the innermost type of nested choices of this kind is."""


def resolved(argument: Any, names: Mapping[str, Any]) -> Any:
    """The argument with names of types replaced by the types."""
    if isinstance(argument, ForwardRef):
        argument = argument.__forward_arg__
    if isinstance(argument, str):
        if argument not in names:
            raise TypeError(f"the session type {argument!r} is not known in its module")
        return names[argument]
    origin: Any = get_origin(argument)
    if origin in CONSTRUCTORS:
        return cast("Any", origin)[tuple(resolved(it, names) for it in get_args(argument))]
    return argument


async def _send(sending: LocalProtocol, message: Message) -> LocalProtocol:
    shape = sending._shape
    partner, wanted, continuation = shape.parts()
    if not isinstance(message, wanted):
        raise WrongMessage(f"cannot send {message!r}: this session {shape.wants()}")
    transport = sending._use()
    await transport.send(partner, message)
    return session(continuation, transport)


async def _receive(transport: Transport, alternatives: list[Alternative]) -> Message:
    _, sender = await _awaited(transport, alternatives)
    return await transport.recv(sender)


async def _awaited(
    transport: Transport, alternatives: list[Alternative]
) -> tuple[Alternative, type[Participant]]:
    """Waits for a message of one of the alternatives; it stays in the transport.

    A first message that fits no alternative may be meant for later as long as another sender
    can still decide; when there is nobody left to wait for, it is an error.
    """
    senders = list(dict.fromkeys(it.partner for it in alternatives))
    while True:
        heads = {sender: transport.poll(sender) for sender in senders}
        for alternative in alternatives:
            if isinstance(heads[alternative.partner], alternative.message):
                return alternative, alternative.partner
        if None not in heads.values():
            got = ", ".join(f"{message!r} from {it.choros_name}" for it, message in heads.items())
            wanted = " or ".join(it.words() for it in alternatives)
            raise UnexpectedMessage(f"expected {wanted}, got {got}")
        empty = [sender for sender, head in heads.items() if head is None]
        await _any_of(transport, empty)


async def _any_of(transport: Transport, senders: list[type[Participant]]) -> None:
    if len(senders) == 1:
        await transport.peek(senders[0])
        return
    peeks = [asyncio.ensure_future(transport.peek(sender)) for sender in senders]
    try:
        await asyncio.wait(peeks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for peek in peeks:
            if peek.done() and not peek.cancelled():
                peek.exception()
            peek.cancel()
    for peek in peeks:
        if peek.done() and not peek.cancelled():
            peek.result()
