"""Which payloads are drawn: a Hypothesis strategy for each type of message."""

from __future__ import annotations

import dataclasses
import enum
import math
import types
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from choros_sessions.codec import payload_fields
from choros_sessions.constraints import Between, Constraint, Length, Matches, OneOf, Where
from choros_sessions.messages import Message

M = TypeVar("M", bound=Message)


def strategy_of(message: type[M]) -> SearchStrategy[M]:
    """Messages of this type.

    A class method `strategy` of the message has the first word. Otherwise each field is drawn
    by its annotation and its constraints, and what the method `valid`, if there is one, does
    not accept is thrown away.
    """
    return _strategy_of(message)


@cache
def _strategy_of(message: type[Message]) -> SearchStrategy[Any]:
    """Made once: reading annotations takes longer than drawing."""
    own: Callable[[], SearchStrategy[Any]] | None = getattr(message, "strategy", None)
    return own() if own is not None else records(message)


def records(class_: type[Any]) -> SearchStrategy[Any]:
    """Objects of a data class."""
    fields = {name: by_annotation(hint) for name, hint in payload_fields(class_).items()}
    drawn = st.builds(class_, **fields)
    valid: Callable[[Any], bool] | None = getattr(class_, "valid", None)
    return drawn if valid is None else drawn.filter(valid)


def by_annotation(annotation: Any) -> SearchStrategy[Any]:
    """Values of an annotated type."""
    constraints: list[Constraint] = []
    if get_origin(annotation) is Annotated:
        annotation, *marks = get_args(annotation)
        constraints = [it for it in marks if isinstance(it, Constraint)]
    drawn = constrained(annotation, constraints)
    for constraint in constraints:
        if isinstance(constraint, Where):
            drawn = drawn.filter(constraint.holds)
    return drawn


def constrained(annotation: Any, constraints: list[Constraint]) -> SearchStrategy[Any]:
    for constraint in constraints:
        if isinstance(constraint, OneOf):
            return st.sampled_from(constraint.values)
        if isinstance(constraint, Matches):
            return st.from_regex(constraint.pattern, fullmatch=True)
    low, high = bounds(constraints)
    length = next((it for it in constraints if isinstance(it, Length)), Length())
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return st.integers(
            None if low is None else math.ceil(low), None if high is None else math.floor(high)
        )
    if annotation is float:
        # What JSON cannot hold is not drawn.
        return st.floats(low, high, allow_nan=False, allow_infinity=False)
    if annotation is Decimal:
        return st.decimals(low, high, allow_nan=False, allow_infinity=False)
    if annotation is str:
        # Surrogates cannot be sent as UTF-8.
        letters = st.characters(exclude_categories=["Cs"])
        return st.text(letters, min_size=length.low, max_size=length.high)
    return composed(annotation, length)


def bounds(constraints: list[Constraint]) -> tuple[float | None, float | None]:
    """The tightest bounds that the constraints give."""
    ranges = [it for it in constraints if isinstance(it, Between)]
    lows = [it.low for it in ranges if it.low is not None]
    highs = [it.high for it in ranges if it.high is not None]
    return max(lows, default=None), min(highs, default=None)


def composed(annotation: Any, length: Length) -> SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    sizes: dict[str, Any] = {"min_size": length.low, "max_size": length.high}
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        # `None` shrinks best, so it comes first.
        ordered = sorted(arguments, key=lambda it: it is not type(None))
        return st.one_of(*(by_annotation(it) for it in ordered))
    if origin is list:
        return st.lists(by_annotation(arguments[0]), **sizes)
    if origin in (set, frozenset):
        make = st.sets if origin is set else st.frozensets
        return make(by_annotation(arguments[0]), **sizes)
    if origin is dict:
        return st.dictionaries(by_annotation(arguments[0]), by_annotation(arguments[1]), **sizes)
    if origin is tuple and arguments and arguments[-1] is Ellipsis:
        return st.lists(by_annotation(arguments[0]), **sizes).map(tuple)
    if origin is tuple:
        return st.tuples(*(by_annotation(it) for it in arguments))
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return st.sampled_from(list(annotation))
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return st.deferred(lambda: records(annotation))
    return st.from_type(cast("type[Any]", annotation))
