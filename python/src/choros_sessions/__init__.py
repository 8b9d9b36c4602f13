"""Session-typed message passing.

`session(Type, transport)` begins a session; `protocol` explains the types, `transport` the
media, `constraints` what may be said about payloads, `testing` the driver of tests.
"""

from choros_sessions.constraints import Between, Constraint, Length, Matches, OneOf, Where
from choros_sessions.errors import (
    ProtocolError,
    TransportClosed,
    UndecodableMessage,
    UnexpectedMessage,
    UsedTwice,
    WrongMessage,
    WrongOrder,
)
from choros_sessions.memory import MemoryNetwork, MemoryTransport
from choros_sessions.messages import Exchange, Message, Participant
from choros_sessions.nary import Case, branch, select
from choros_sessions.protocol import (
    Choice,
    Choose,
    Eps,
    Left,
    LocalProtocol,
    Offer,
    Recv,
    Right,
    Send,
    session,
    transport_of,
)
from choros_sessions.transport import Network, Transport

__all__ = [
    "Between",
    "Case",
    "Choice",
    "Choose",
    "Constraint",
    "Eps",
    "Exchange",
    "Left",
    "Length",
    "LocalProtocol",
    "Matches",
    "MemoryNetwork",
    "MemoryTransport",
    "Message",
    "Network",
    "Offer",
    "OneOf",
    "Participant",
    "ProtocolError",
    "Recv",
    "Right",
    "Send",
    "Transport",
    "TransportClosed",
    "UndecodableMessage",
    "UnexpectedMessage",
    "UsedTwice",
    "Where",
    "WrongMessage",
    "WrongOrder",
    "branch",
    "select",
    "session",
    "transport_of",
]
