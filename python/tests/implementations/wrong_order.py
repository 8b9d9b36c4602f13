"""Uses that a checker refuses: every line that ends with `# wrong`, and no other."""

from choros_sessions import Case, Left, MemoryNetwork, branch, select, session

from is_even_session_types import ClientSession, ServerSession
from is_even_types import Client, No, Server, Yes, number

NETWORK = MemoryNetwork()


async def client() -> None:
    s0 = session(ClientSession, NETWORK.transport(Client))
    await s0.recv()  # wrong
    await s0.send(Yes())  # wrong
    s0.close()  # wrong
    s1 = await s0.send(number())
    await s1.send(number())  # wrong
    match await s1.offer():
        case Left(after, _):
            await after.recv()  # wrong
            after.close()
        case _:
            pass


async def n_ary_client() -> None:
    s1 = await session(ClientSession, NETWORK.transport(Client)).send(number())
    match await branch(s1):
        case Case(No(), end):
            end.close()
        case Case(Yes(), end):
            await end.offer()  # wrong


async def server() -> None:
    s1, asked = await session(ServerSession, NETWORK.transport(Server)).recv()
    asked.nothing  # wrong
    await s1.pick(Yes())  # wrong
    (await select(s1, Yes())).close()
    await select(s1, number())  # wrong
    await s1.skip().send(No())  # wrong
    end = await s1.skip().send(Yes())
    await end.send(Yes())  # wrong
