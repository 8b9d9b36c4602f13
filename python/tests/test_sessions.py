"""The session types at work, over queues in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from protocols import (
    AnswerSession,
    AskSession,
    Client,
    ClientSession,
    Counting,
    No,
    Number,
    Perhaps,
    Reply,
    Request,
    Server,
    ServerSession,
    ThreeCases,
    ThreeWays,
    Yes,
)

from choros_sessions import (
    Case,
    Left,
    MemoryNetwork,
    Offer,
    Participant,
    Recv,
    Right,
    TransportClosed,
    UnexpectedMessage,
    UsedTwice,
    WrongMessage,
    WrongOrder,
    branch,
    select,
    session,
)


def both(*parts: Coroutine[Any, Any, Any]) -> list[Any]:
    async def run() -> list[Any]:
        return await asyncio.wait_for(asyncio.gather(*parts), 5)

    return asyncio.run(run())


def test_request_and_reply() -> None:
    network = MemoryNetwork()

    async def client() -> str:
        s0 = session(ClientSession, network.transport(Client))
        s1 = await s0.send(Request("hello"))
        s2, reply = await s1.recv()
        s2.close()
        return reply.text

    async def server() -> None:
        s0 = session(ServerSession, network.transport(Server))
        s1, request = await s0.recv()
        s2 = await s1.send(Reply(request.text.upper()))
        s2.close()

    assert both(client(), server())[0] == "HELLO"
    assert network.is_stable()


@pytest.mark.parametrize(("number", "answer"), [(4, "even"), (7, "odd")])
def test_is_even(number: int, answer: str) -> None:
    network = MemoryNetwork()

    async def client() -> str:
        s1 = await session(AskSession, network.transport(Client)).send(Number(number))
        match await s1.offer():
            case Left(end, No()):
                end.close()
                return "odd"
            case Right(rest):
                end, _ = await rest.recv()
                end.close()
                return "even"

    async def server() -> None:
        s1, asked = await session(AnswerSession, network.transport(Server)).recv()
        end = await s1.skip().send(Yes()) if asked.n % 2 == 0 else await s1.pick(No())
        end.close()

    assert both(client(), server())[0] == answer


@pytest.mark.parametrize(("message", "expected"), [(No(), "no"), (Perhaps(), "7"), (Yes(), "yes")])
def test_three_alternatives_at_once(message: No | Perhaps | Yes, expected: str) -> None:
    network = MemoryNetwork()

    async def server() -> str:
        s0 = session(ThreeWays, network.transport(Server))
        match message:
            case Perhaps():
                s1 = await select(s0, message)
                _, number = await s1.recv()
                return str(number.n)
            case No():
                (await select(s0, message)).close()
                return "no"
            case Yes():
                (await select(s0, message)).close()
                return "yes"

    async def client() -> None:
        match await branch(session(ThreeCases, network.transport(Client))):
            case Case(Perhaps(), after):
                await after.send(Number(7))
            case Case(No(), end) | Case(Yes(), end):
                end.close()

    assert both(server(), client())[0] == expected


def test_a_loop() -> None:
    network = MemoryNetwork()

    async def server() -> None:
        state = session(Counting, network.transport(Server))
        assert isinstance(state, Counting)
        for n in range(3):
            state = await state.skip().send(Number(n))
        (await state.pick(No())).close()

    both(server())
    assert [flight.message for flight in network.in_flight()] == [Number(0), Number(1), Number(2), No()]


def test_wrong_order_says_what_would_be_right() -> None:
    s0: Any = session(ClientSession, MemoryNetwork().transport(Client))
    assert not hasattr(s0, "recv")
    with pytest.raises(WrongOrder, match=r"`recv` is not possible here: this session sends Request \(Server\)"):
        s0.recv()


def test_wrong_message_is_not_sent() -> None:
    network = MemoryNetwork()
    s0: Any = session(ClientSession, network.transport(Client))
    with pytest.raises(WrongMessage, match=r"cannot send Reply\(text=''\): this session sends Request"):
        both(s0.send(Reply()))
    assert network.is_stable()
    # Nothing has happened, so the session can still be used.
    both(s0.send(Request()))


def test_a_session_can_be_used_once() -> None:
    s0 = session(ClientSession, MemoryNetwork().transport(Client))
    both(s0.send(Request()))
    with pytest.raises(UsedTwice, match="Use what the last operation returned"):
        both(s0.send(Request()))


def test_an_unexpected_message_stays_where_it_is() -> None:
    network = MemoryNetwork()

    async def run() -> None:
        await network.transport(Client).send(Server, Number(1))
        await session(ServerSession, network.transport(Server)).recv()

    with pytest.raises(UnexpectedMessage, match=r"expected Request \(Client\), got Number\(n=1\) from Client"):
        both(run())
    assert len(network.in_flight()) == 1


def test_a_message_for_later_does_not_disturb_an_offer_of_two_senders() -> None:
    """Server has sent something for later; Client still decides."""
    network = MemoryNetwork()

    from choros_sessions import Eps

    class Third(Participant):
        pass

    shape = Offer[Client, No, Recv[Server, Number, Eps], Recv[Server, Yes, Eps]]

    async def third() -> int:
        match await session(shape, network.transport(Third)).offer():
            case Left(after, No()):
                _, number = await after.recv()
                return number.n
            case Right(_):
                return -1

    async def others() -> None:
        await network.transport(Server).send(Third, Number(5))
        await asyncio.sleep(0.01)
        await network.transport(Client).send(Third, No())

    assert both(third(), others())[0] == 5


def test_closing_wakes_who_waits() -> None:
    network = MemoryNetwork()
    transport = network.transport(Client)

    async def run() -> None:
        waiting = asyncio.ensure_future(transport.recv(Server))
        await asyncio.sleep(0)
        transport.close()
        await waiting

    with pytest.raises(TransportClosed):
        both(run())


def test_what_is_no_session_type_is_refused() -> None:
    nonsense: Any = int
    with pytest.raises(TypeError, match="is not a session type"):
        session(nonsense, MemoryNetwork().transport(Client))
