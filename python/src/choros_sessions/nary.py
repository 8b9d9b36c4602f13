"""Choices and offers of several alternatives at once, on top of the nested binary ones.

`Choose[R, A, …, Choose[R, B, …, Send[R, C, …]]]` says that one of three messages is sent.
With the binary operations one writes `session.skip().skip().send(c)`; with these functions

    after = await select(session, c)

where the type of the message says which alternative is meant, and

    match await branch(session):
        case Case(A() as a, after): ...
        case Case(B() as b, after): ...

where each case has the continuation of its own message. A checker follows both for up to
eight alternatives, provided that the message classes are `@final`; when the program runs,
there may be any number.
"""

# Signatures for up to eight alternatives are written out: Python's types have no way to walk
# along nested parameters.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast, overload

from choros_sessions.errors import WrongMessage, WrongOrder
from choros_sessions.messages import Message
from choros_sessions.protocol import Choose, LocalProtocol, Offer, Recv, Send, _awaited, session

M = TypeVar("M", bound=Message)
P = TypeVar("P", bound=LocalProtocol)

M1 = TypeVar("M1", bound=Message)
P1 = TypeVar("P1", bound=LocalProtocol)
M2 = TypeVar("M2", bound=Message)
P2 = TypeVar("P2", bound=LocalProtocol)
M3 = TypeVar("M3", bound=Message)
P3 = TypeVar("P3", bound=LocalProtocol)
M4 = TypeVar("M4", bound=Message)
P4 = TypeVar("P4", bound=LocalProtocol)
M5 = TypeVar("M5", bound=Message)
P5 = TypeVar("P5", bound=LocalProtocol)
M6 = TypeVar("M6", bound=Message)
P6 = TypeVar("P6", bound=LocalProtocol)
M7 = TypeVar("M7", bound=Message)
P7 = TypeVar("P7", bound=LocalProtocol)
M8 = TypeVar("M8", bound=Message)
P8 = TypeVar("P8", bound=LocalProtocol)


@dataclass(frozen=True)
class Case(Generic[M, P]):
    """The message that came, and how the session continues after it."""

    message: M
    session: P



@overload
async def select(
    state: Choose[Any, M, P, Any],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, M, P, Any]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Send[Any, M, P]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, M, P, Any]]]]]]]],
    message: M,
) -> P: ...

@overload
async def select(
    state: Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Choose[Any, Any, Any, Send[Any, M, P]]]]]]]],
    message: M,
) -> P: ...

async def select(state: Choose[Any, Any, Any, Any], message: Message) -> Any:
    """Sends the message, which takes the first alternative for its type."""
    for alternative in state._shape.alternatives():
        if isinstance(message, alternative.message):
            transport = state._use()
            await transport.send(alternative.partner, message)
            return session(alternative.continuation, transport)
    raise WrongMessage(f"cannot send {message!r}: this session {state._shape.wants()}")



@overload
async def branch(
    state: Offer[Any, M1, P1, Recv[Any, M2, P2]],
) -> Case[M1, P1] | Case[M2, P2]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Recv[Any, M3, P3]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Offer[Any, M3, P3, Recv[Any, M4, P4]]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3] | Case[M4, P4]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Offer[Any, M3, P3, Offer[Any, M4, P4, Recv[Any, M5, P5]]]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3] | Case[M4, P4] | Case[M5, P5]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Offer[Any, M3, P3, Offer[Any, M4, P4, Offer[Any, M5, P5, Recv[Any, M6, P6]]]]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3] | Case[M4, P4] | Case[M5, P5] | Case[M6, P6]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Offer[Any, M3, P3, Offer[Any, M4, P4, Offer[Any, M5, P5, Offer[Any, M6, P6, Recv[Any, M7, P7]]]]]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3] | Case[M4, P4] | Case[M5, P5] | Case[M6, P6] | Case[M7, P7]: ...

@overload
async def branch(
    state: Offer[Any, M1, P1, Offer[Any, M2, P2, Offer[Any, M3, P3, Offer[Any, M4, P4, Offer[Any, M5, P5, Offer[Any, M6, P6, Offer[Any, M7, P7, Recv[Any, M8, P8]]]]]]]],
) -> Case[M1, P1] | Case[M2, P2] | Case[M3, P3] | Case[M4, P4] | Case[M5, P5] | Case[M6, P6] | Case[M7, P7] | Case[M8, P8]: ...

async def branch(state: Offer[Any, Any, Any, Any]) -> Any:
    """Waits for a message of one of the alternatives and takes it."""
    if not isinstance(cast("object", state), Offer):
        raise WrongOrder("only a session that offers several messages can branch")
    transport = state._use()
    taken, sender = await _awaited(transport, state._shape.alternatives())
    message = await transport.recv(sender)
    return Case(message, session(taken.continuation, transport))
