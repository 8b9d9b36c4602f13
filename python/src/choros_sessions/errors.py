"""What can go wrong in a session."""

from __future__ import annotations


class ProtocolError(Exception):
    """A party did not follow its session type."""


class WrongOrder(ProtocolError, AttributeError):
    """An operation was tried that the session does not offer at this point.

    It is an `AttributeError` too, because that is what Python promises for a method that is
    not there: `hasattr(session, "recv")` says whether one may receive.
    """


class WrongMessage(ProtocolError, TypeError):
    """A message of another type was to be sent than the session wants at this point."""


class UnexpectedMessage(ProtocolError):
    """A message arrived that the session does not expect at this point."""


class UsedTwice(ProtocolError):
    """A session was used again after it had moved on.

    Every operation returns the continuation, and the object it was called on is spent.
    Python's types cannot say so, hence it is checked when it happens.
    """


class TransportClosed(ProtocolError):
    """The transport was closed while, or before, it was used."""


class UndecodableMessage(ProtocolError, ValueError):
    """Bytes arrived that are no message of this protocol."""
