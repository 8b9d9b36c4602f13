"""An ATM, its client, and banks: one decides by what it is asked, one never refuses anything."""

import os

from choros_sessions import Case, Left, Right, branch, select
from choros_sessions.testing import Options

from atm_session_types import ASession, BSession, CSession
from atm_types import *

OPTIONS = Options()


async def play_A(session: ASession) -> None:
    s1, _ = await session.recv()
    match await branch(await s1.send(authReq())):
        case Case(denied(), s3):
            (await s3.send(authFail())).close()
        case Case(granted(), s4):
            match await branch(await s4.send(granted())):
                case Case(checkBalance(), s5):
                    s6, _ = await (await s5.send(getBalance())).recv()
                    (await s6.send(balance())).close()
                case Case(quit(), s5):
                    if os.environ.get("ATM") == "forgets to tell the bank":
                        return
                    (await s5.send(quit())).close()
                case Case(withdraw(amount), s5):
                    match await branch(await s5.send(authWithdrawal(amount))):
                        case Case(allow(), s6):
                            (await s6.send(money())).close()
                        case Case(deny(), s6):
                            (await s6.send(bye())).close()


async def obliging_bank(session: BSession) -> None:
    """The bank of the thesis, listing 8: it never says no."""
    s1, _ = await session.recv()
    s3 = await s1.skip().send(granted())
    match await s3.offer():
        case Left(s4, _):
            (await s4.pick(allow())).close()
        case Right(rest):
            match await rest.offer():
                case Left(s5, _):
                    (await s5.send(balance())).close()
                case Right(s5):
                    end, _ = await s5.recv()
                    end.close()


async def careful_bank(session: BSession) -> None:
    s1, request = await session.recv()
    if request.pin % 2 == 0:
        (await select(s1, denied())).close()
        return
    match await branch(await select(s1, granted())):
        case Case(authWithdrawal(amount), s4):
            end = await select(s4, allow()) if amount < 100 else await select(s4, deny())
            end.close()
        case Case(getBalance(), s5):
            (await s5.send(balance())).close()
        case Case(quit(), end):
            end.close()


play_B = obliging_bank if os.environ.get("BANK") == "obliging" else careful_bank


async def play_C(session: CSession) -> None:
    match await branch(await session.send(auth())):
        case Case(authFail(), end):
            end.close()
        case Case(granted(), s3):
            match await branch(await select(s3, withdraw(10))):
                case Case(bye(), end) | Case(money(), end):
                    end.close()
