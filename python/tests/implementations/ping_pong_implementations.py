"""Two players who play as long as they like."""

from choros_sessions import Case, branch, select
from choros_sessions.testing import Options

from ping_pong_session_types import PSession, QSession
from ping_pong_types import bye, ping, pong

OPTIONS = Options()


async def play_P(session: PSession) -> None:
    state = session
    for _ in range(3):
        state, _ = await (await select(state, ping())).recv()
    (await select(state, bye())).close()


async def play_Q(session: QSession) -> None:
    state = session
    while True:
        match await branch(state):
            case Case(ping(), after):
                state = await after.send(pong())
            case Case(bye(), end):
                end.close()
                return
