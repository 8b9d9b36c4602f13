"""What is drawn for a message, and that it survives the way over a wire."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Literal, final

from hypothesis import given
from hypothesis import strategies as st

from choros_sessions import Between, Length, Matches, Message, OneOf, Where
from choros_sessions.codec import Codec
from choros_sessions.testing import strategy_of


@dataclass(frozen=True)
class Nested:
    weight: float
    note: str | None


@final
@dataclass(frozen=True)
class Order(Message):
    count: int
    name: str
    parts: tuple[Nested, ...]
    table: dict[str, list[int]]
    status: Literal["OK", "KO"]


@final
@dataclass(frozen=True)
class Constrained(Message):
    amount: Annotated[int, Between(1, 500), Between(high=200)]
    rate: Annotated[float, Between(0, 1)]
    code: Annotated[str, Matches("[A-Z]{3}")]
    note: Annotated[str, Length(1, 5)]
    colour: Annotated[str, OneOf("red", "green")]
    even: Annotated[int, Where(lambda n: n % 2 == 0)]

    def valid(self) -> bool:
        return self.amount != 13


@given(message=strategy_of(Order))
def test_what_is_drawn_survives_json(message: Order) -> None:
    codec = Codec([Order])
    assert codec.message("Order", json.loads(json.dumps(codec.data(message)))) == message


@given(message=strategy_of(Constrained))
def test_constraints_hold(message: Constrained) -> None:
    assert 1 <= message.amount <= 200 and message.amount != 13
    assert 0 <= message.rate <= 1
    assert len(message.code) == 3 and message.code.isupper()
    assert 1 <= len(message.note) <= 5
    assert message.colour in ("red", "green")
    assert message.even % 2 == 0


@final
@dataclass(frozen=True)
class Own(Message):
    n: int

    @classmethod
    def strategy(cls) -> st.SearchStrategy[Own]:
        return st.just(cls(42))


@given(message=strategy_of(Own))
def test_a_message_can_say_itself_how_it_is_drawn(message: Own) -> None:
    assert message.n == 42
