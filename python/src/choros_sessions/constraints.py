"""What a payload may be, beyond its type.

Put them on the fields of a message with `Annotated`; they steer what the tests draw:

    @dataclass(frozen=True)
    class Withdraw(Message):
        amount: Annotated[int, Between(1, 500)]
        note: Annotated[str, Length(0, 20)]

A condition that relates several fields is a method `valid` of the message: the tests draw
until it holds, so it should hold often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Constraint:
    """A condition on one field."""


@dataclass(frozen=True)
class Between(Constraint):
    """A number from `low` to `high`, both included; `None` leaves a side open."""

    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Length(Constraint):
    """A text, list or table with this many elements."""

    low: int = 0
    high: int | None = None


@dataclass(frozen=True)
class Matches(Constraint):
    """A text that matches a regular expression as a whole."""

    pattern: str


@dataclass(frozen=True, init=False)
class OneOf(Constraint):
    """One of these values."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", values)


@dataclass(frozen=True)
class Where(Constraint):
    """A value for which the function is true; drawn values for which it is not are thrown away."""

    holds: Callable[[Any], bool]
