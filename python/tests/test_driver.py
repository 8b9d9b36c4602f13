"""The driver, on machines written by hand and over every transport."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from protocols import AnswerSession, Client, No, Number, Reply, Request, Server, ServerSession, Yes

from choros_sessions import Message, Network, Participant
from choros_sessions.http import HttpNetwork
from choros_sessions.tcp import TcpNetwork
from choros_sessions.testing import Case, Failure, Machine, Model, Options, conform, received, sent


class ClientMachine(Machine):
    participant = Client
    initial = "0"
    success = frozenset({"1"})

    async def _0_Number_send_2(self) -> None:
        await self.sends("0", Server, Number, "2")

    async def _2_No_recv_1(self) -> None:
        await self.receives("2", Server, No, "1")

    async def _2_Yes_recv_1(self) -> None:
        await self.receives("2", Server, Yes, "1")

    async def _1_eps(self) -> None:
        self.ends("1")

    transitions = (
        sent("0", Server, Number, "2", _0_Number_send_2),
        received("2", Server, No, "1", _2_No_recv_1),
        received("2", Server, Yes, "1", _2_Yes_recv_1),
    )
    finals = {"1": _1_eps}


class ServerMachine(Machine):
    """Only for coverage: the server is under test."""

    participant = Server
    initial = "0"
    success = frozenset({"1"})

    async def _0_Number_recv_2(self) -> None:
        await self.receives("0", Client, Number, "2")

    async def _2_No_send_1(self) -> None:
        await self.sends("2", Client, No, "1")

    async def _2_Yes_send_1(self) -> None:
        await self.sends("2", Client, Yes, "1")

    transitions = (
        received("0", Client, Number, "2", _0_Number_recv_2),
        sent("2", Client, No, "1", _2_No_send_1),
        sent("2", Client, Yes, "1", _2_Yes_send_1),
    )
    finals = {}


MODEL = Model("is even", (ClientMachine, ServerMachine))
MESSAGES: list[type[Message]] = [Number, No, Yes, Request, Reply]


async def correct(state: AnswerSession) -> None:
    s1, asked = await state.recv()
    end = await s1.skip().send(Yes()) if asked.n % 2 == 0 else await s1.pick(No())
    end.close()


def tcp() -> Network:
    return TcpNetwork([Client, Server], MESSAGES)


def http() -> Network:
    return HttpNetwork([Client, Server], MESSAGES)


PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
NETWORKS = {"memory": None, "tcp": tcp, "http": http}


@pytest.mark.parametrize("kind", NETWORKS)
@settings(max_examples=20, deadline=None, suppress_health_check=PATIENT)
@given(data=st.data())
def test_a_correct_server_passes_over_every_transport(data: st.DataObject, kind: str) -> None:
    options = Options(timeout=1.0, network=NETWORKS[kind])
    conform(data, MODEL, Server, AnswerSession, correct, options)


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_faulty_server_fails_over_every_transport(kind: str) -> None:
    options = Options(timeout=0.05, network=NETWORKS[kind])

    @settings(max_examples=1, deadline=None, database=None)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        conform(data, MODEL, Server, AnswerSession, correct_but_silent, options)

    with pytest.raises(Failure, match="Client in state 2 wants to receive No from Server or receive Yes from Server"):
        run()


async def correct_but_silent(state: AnswerSession) -> None:
    await state.recv()


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_success_states_of_a_case(data: st.DataObject) -> None:
    """A test that is content once the number was sent asks nothing of the server but to take it."""
    case = Case("sent", {}, {"Client": frozenset({"2"})})
    conform(data, MODEL, Server, AnswerSession, correct_but_silent, Options(), case)


def test_a_run_that_does_not_end_says_nothing() -> None:
    """With no step allowed, no run ends, and Hypothesis is told so."""

    @settings(max_examples=5, deadline=None, database=None, suppress_health_check=PATIENT)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        conform(data, MODEL, Server, AnswerSession, correct, Options(max_steps=0))

    with pytest.raises(Exception, match="Unable to satisfy assumptions|Unsatisfiable"):
        run()


def test_a_server_of_another_protocol_is_found_out() -> None:
    async def other(state: ServerSession) -> None:
        await state.recv()

    @settings(max_examples=1, deadline=None, database=None)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        conform(data, MODEL, Server, ServerSession, other, Options())

    with pytest.raises(Failure, match="UnexpectedMessage: expected Request"):
        run()


def test_a_participant_that_the_model_does_not_have() -> None:
    class Nobody(Participant):
        pass

    with pytest.raises(KeyError, match="Nobody is not a participant of is even"):
        MODEL.others(Nobody)
