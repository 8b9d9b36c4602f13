"""A client, and several servers: one is right, each of the others has one fault."""

import asyncio
import os

from choros_sessions import transport_of
from choros_sessions.testing import Options

from request_reply_session_types import ClientSession, ServerSession
from request_reply_types import Client, Reply, Request

OPTIONS = Options(check_exceptions="CHECK_EXCEPTIONS" in os.environ)


async def play_Client(session: ClientSession) -> None:
    s1 = await session.send(Request("hello"))
    s2, _ = await s1.recv()
    s2.close()


async def correct(session: ServerSession) -> None:
    s1, request = await session.recv()
    s2 = await s1.send(Reply(request.text))
    s2.close()


async def raises_before_the_last_send(session: ServerSession) -> None:
    _, request = await session.recv()
    raise RuntimeError(f"cannot read {request}")


async def raises_after_the_last_send(session: ServerSession) -> None:
    s1, request = await session.recv()
    await s1.send(Reply(request.text))
    raise RuntimeError("could not tidy up")


async def sends_the_wrong_message(session: ServerSession) -> None:
    """As code does that knows nothing of sessions."""
    transport = transport_of(session)
    await transport.recv(Client)
    await transport.send(Client, Request("not a reply"))


async def is_silent(session: ServerSession) -> None:
    await session.recv()
    await asyncio.sleep(60)


async def sends_the_wrong_payload(session: ServerSession) -> None:
    s1, request = await session.recv()
    (await s1.send(Reply(request.text + "!"))).close()


async def sends_a_wrong_class_through_its_session(session: ServerSession) -> None:
    s1, _ = await session.recv()
    await s1.send(Request("not a reply"))  # pyright: ignore[reportArgumentType]


async def takes_its_time(session: ServerSession) -> None:
    """Slow, and right: it answers within the time that it has."""
    s1, request = await session.recv()
    await asyncio.sleep(0.002)
    (await s1.send(Reply(request.text))).close()


play_Server = globals()[os.environ.get("SERVER", "correct")]
