"""Runs one participant's implementation against the machines of all the others.

The loop of Coto's thesis, sections 4.2.2 and 4.2.5:

1. The implementation is started, and a machine is made for every other participant.
2. A machine's action is enabled if it sends, or if it receives and its message is there.
3. If none is enabled, the implementation is given time; if still none is, the run is over.
4. One enabled action is drawn and taken; what it sends is drawn too.
5. As soon as all machines have reached success states and no message is on its way, the
   run has succeeded.
6. A run that is over without that has failed: somebody waits in vain.

What is drawn is recorded by Hypothesis, so a failing run is shrunk in its payloads and in
its schedule, and is tried first the next time.

An implementation that has sent its last message can do what it likes, unless
`Options.check_exceptions` is set: the tests see messages and nothing else.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import hypothesis
from hypothesis import strategies as st

from choros_sessions.errors import ProtocolError
from choros_sessions.memory import MemoryNetwork
from choros_sessions.messages import Message, Participant
from choros_sessions.protocol import LocalProtocol, session
from choros_sessions.testing.coverage import COLLECTED, Follower, ModelCoverage
from choros_sessions.testing.machine import Case, Draw, Machine, Model, Stage, Transition

if TYPE_CHECKING:
    from choros_sessions.transport import Network, Transport

P = TypeVar("P", bound=LocalProtocol)


def _default_timeout() -> float:
    return float(os.environ.get("CHOROS_TIMEOUT", "0.01"))


def _default_examples() -> int:
    return int(os.environ.get("CHOROS_EXAMPLES", "100"))


@dataclass(frozen=True)
class Options:
    """How tests are run."""

    timeout: float = field(default_factory=_default_timeout)
    """How many seconds the implementation may think when all machines wait for it.

    The environment variable `CHOROS_TIMEOUT` sets another default.
    """

    max_examples: int = field(default_factory=_default_examples)
    """How many runs each test makes; `CHOROS_EXAMPLES` sets another default than 100."""

    max_steps: int = 200
    """How many steps a run may have."""

    check_exceptions: bool = False
    """Whether an exception in the implementation fails the test even when no one notices it."""

    network: Callable[[], Network] | None = None
    """The medium; queues in memory where none is given."""

    def settings(self, fraction: int = 1) -> hypothesis.settings:
        """The settings for Hypothesis; `fraction` divides the number of runs."""
        return hypothesis.settings(
            max_examples=max(1, self.max_examples // fraction),
            # A run that fails waits for its timeout, which is no sign of slow tests.
            deadline=None,
            # Hypothesis' own explanation knows nothing of schedules, and takes long.
            phases=[it for it in hypothesis.Phase if it is not hypothesis.Phase.explain],
            suppress_health_check=[hypothesis.HealthCheck.too_slow],
        )


class Failure(AssertionError):
    """The implementation does not comply with the model."""


def conform(
    data: st.DataObject,
    model: Model,
    under_test: type[Participant],
    shape: type[P],
    implementation: Callable[[P], Awaitable[None]],
    options: Options | None = None,
    case: Case | None = None,
) -> None:
    """One run of `implementation`, which plays `under_test`, against the rest of `model`.

    The machines make their choices as they are drawn, unless `case` has made them already.
    """
    run = Run(data.draw, model, under_test, options or Options(), case)
    asyncio.run(run.drive(lambda transport: implementation(session(shape, transport))))


class Run:
    """One run."""

    def __init__(
        self,
        draw: Draw,
        model: Model,
        under_test: type[Participant],
        options: Options,
        case: Case | None,
    ) -> None:
        self.model: Model = model
        self.under_test: type[Participant] = under_test
        self.options: Options = options
        self.stage: Stage = Stage(draw, under_test, taken=self._taken)
        coverage = COLLECTED.of(model, under_test)
        coverage.runs += 1
        self.coverage: ModelCoverage = coverage
        self.follower: Follower = Follower(coverage, model.machine(under_test))
        self.network: Network = options.network() if options.network else MemoryNetwork(self._event)
        self.machines: list[Machine] = [
            it(self.network.transport(it.participant), self.stage, case) for it in model.others(under_test)
        ]

    async def drive(self, implementation: Callable[[Any], Awaitable[None]]) -> None:
        """Drives the run to its end; raises `Failure` if that is a bad one."""
        await self.network.start([it.participant for it in self.model.machines])
        transport = self.network.transport(self.under_test)
        task = asyncio.ensure_future(_played(implementation, transport))
        try:
            await self._loop(task)
            if self.options.check_exceptions:
                await self._finish(task)
            for machine in self.machines:
                await machine.end()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self.network.stop()

    async def _loop(self, task: asyncio.Future[None]) -> None:
        for _ in range(self.options.max_steps):
            waiting = True
            while True:
                await self.network.settle()
                if self._succeeded():
                    return
                enabled = self._enabled()
                # On a busy machine both times may be over at once, the implementation's and
                # ours; so there is a last look after ours.
                if enabled or not waiting:
                    break
                waiting = await self._something_happens(task)
            if not enabled:
                raise self._failure("no one can continue", task)
            machine, transition = enabled[0] if len(enabled) == 1 else self._drawn(enabled)
            try:
                await machine.take(transition)
            except (AssertionError, ProtocolError) as error:
                raise self._failure(str(error) or type(error).__name__, task) from error
        if all(machine.can_succeed for machine in self.machines):
            # A longer run might have ended; this one says nothing.
            hypothesis.reject()

    def _enabled(self) -> list[tuple[Machine, Transition]]:
        return [(machine, it) for machine in self.machines for it in machine.enabled()]

    def _drawn(self, enabled: list[tuple[Machine, Transition]]) -> tuple[Machine, Transition]:
        names = [f"{it.participant.choros_name}{transition.method}" for it, transition in enabled]
        return enabled[names.index(self.stage.draw(st.sampled_from(names), label="next"))]

    def _succeeded(self) -> bool:
        return all(machine.succeeded for machine in self.machines) and self.network.is_stable()

    async def _something_happens(self, task: asyncio.Future[None]) -> bool:
        """Whether the implementation does something before its time is over."""
        if task.done():
            return False
        changes = [
            asyncio.ensure_future(self.network.transport(it.participant).changed())
            for it in self.model.machines
        ]
        done, _ = await asyncio.wait(
            [task, *changes], timeout=self.options.timeout, return_when=asyncio.FIRST_COMPLETED
        )
        for change in changes:
            change.cancel()
        return bool(done)

    async def _finish(self, task: asyncio.Future[None]) -> None:
        """Lets the implementation come to its end, and looks at how it ended."""
        await asyncio.wait([task], timeout=self.options.timeout)
        if task.done() and not task.cancelled() and (error := task.exception()) is not None:
            raise self._failure(f"the implementation raised {error!r}", task) from error

    def _event(
        self, direction: str, sender: type[Participant], receiver: type[Participant], message: Message
    ) -> None:
        if direction == "send" and sender is self.under_test:
            self.follower.saw("send", receiver, type(message))
        if direction == "recv" and receiver is self.under_test:
            self.follower.saw("recv", sender, type(message))

    def _taken(self, machine: Machine, transition: Transition) -> None:
        self.coverage.cover(machine.participant, transition)
        if isinstance(self.network, MemoryNetwork) or transition.partner is not self.under_test:
            return
        # Elsewhere no one sees the other end, so it is inferred from this one.
        mirrored = "recv" if transition.action == "send" else "send"
        self.follower.saw(mirrored, machine.participant, transition.message)

    def _failure(self, reason: str, task: asyncio.Future[None]) -> Failure:
        lines = [f"{self.under_test.choros_name} does not comply with {self.model.name}: {reason}"]
        lines += [f"  {number}. {step}" for number, step in enumerate(self.stage.steps, 1)]
        lines += [
            f"  {machine.participant.choros_name} in state {machine.state} {machine.waits()}"
            for machine in self.machines
        ]
        lines += [f"  not received: {flight}" for flight in self.network.in_flight()]
        error: BaseException | None = None
        if not task.done():
            lines.append("  the implementation is still waiting")
        elif not task.cancelled() and (error := task.exception()) is not None:
            lines.append(f"  the implementation raised {type(error).__name__}: {error}")
        else:
            lines.append("  the implementation has ended")
        failure = Failure("\n".join(lines))
        failure.__cause__ = error
        return failure


async def elsewhere(_session: LocalProtocol) -> None:
    """Stands for an implementation that runs in another process and is reached over the network."""
    await asyncio.Event().wait()


async def _played(implementation: Callable[[Any], Awaitable[None]], transport: Transport) -> None:
    await implementation(transport)
