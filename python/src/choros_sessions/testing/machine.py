"""Machines: what the other participants do in a test, and the model they are parts of."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

from choros_sessions.errors import UnexpectedMessage, WrongOrder
from choros_sessions.messages import Exchange, Message, Participant
from choros_sessions.testing.strategies import strategy_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from choros_sessions.transport import Transport

T = TypeVar("T")


class Draw(Protocol):
    """How values are drawn: the method `draw` of Hypothesis' `data()`."""

    def __call__(self, strategy: SearchStrategy[T], label: Any = None) -> T: ...


@dataclass(frozen=True)
class Transition:
    """One step of a machine, and the method that takes it."""

    source: str
    action: Literal["send", "recv"]
    partner: type[Participant]
    message: type[Message]
    target: str
    method: str

    def label(self, owner: type[Participant]) -> str:
        """The action as papers write it: `AB!m` is sent by A to B, `AB?m` is received by B.

        A dot stands between names of more than one letter: `Client·Server!m`.
        """
        partner, mine = self.partner.choros_name, owner.choros_name
        dot = "" if len(partner) == 1 and len(mine) == 1 else "·"
        if self.action == "send":
            return f"{mine}{dot}{partner}!{self.message.choros_name}"
        return f"{partner}{dot}{mine}?{self.message.choros_name}"


Method = Callable[[Any], Coroutine[Any, Any, None]]
"""A method of a machine, as it stands in its class."""


def sent(
    source: str, receiver: type[Participant], message: type[Message], target: str, method: Method
) -> Transition:
    """A transition that sends."""
    return Transition(source, "send", receiver, message, target, method.__name__)


def received(
    source: str, sender: type[Participant], message: type[Message], target: str, method: Method
) -> Transition:
    """A transition that receives."""
    return Transition(source, "recv", sender, message, target, method.__name__)


@dataclass
class Stage:
    """What the machines of one run share."""

    draw: Draw
    under_test: type[Participant]
    history: list[Exchange] = field(default_factory=list[Exchange])
    steps: list[str] = field(default_factory=list[str])
    taken: Callable[[Machine, Transition], None] = lambda _machine, _transition: None


class Machine:
    """A participant that follows its model.

    Subclasses have one method per transition, named `_<source>_<message>_<send or recv>_<target>`,
    and one per final state, named `_<state>_eps`. Which transition is taken is drawn. A
    subclass of such a class can override what a method sends.
    """

    participant: ClassVar[type[Participant]]
    initial: ClassVar[str]
    transitions: ClassVar[tuple[Transition, ...]]
    finals: ClassVar[Mapping[str, Method]]
    success: ClassVar[frozenset[str]]

    def __init__(self, transport: Transport, stage: Stage, case: Case | None = None) -> None:
        self.transport: Transport = transport
        self.stage: Stage = stage
        self.state: str = self.initial
        name = self.participant.choros_name
        without = case.without.get(name, frozenset()) if case else frozenset[str]()
        self._steps: tuple[Transition, ...] = tuple(it for it in self.transitions if it.method not in without)
        self._success: frozenset[str] = case.success.get(name, self.success) if case else self.success

    @property
    def succeeded(self) -> bool:
        """Whether the machine is in one of its success states."""
        return self.state in self._success

    @property
    def can_succeed(self) -> bool:
        """Whether there is a success state at all."""
        return bool(self._success)

    def possible(self) -> Iterable[Transition]:
        """The transitions of the state the machine is in."""
        return (it for it in self._steps if it.source == self.state)

    def enabled(self) -> list[Transition]:
        """Those that can be taken now: all that send, and those whose message is there."""
        return [
            it
            for it in self.possible()
            if it.action == "send" or isinstance(self.transport.poll(it.partner), it.message)
        ]

    async def take(self, transition: Transition) -> None:
        """Takes a transition, through its method."""
        await getattr(self, transition.method)()
        self.stage.taken(self, transition)

    async def end(self) -> None:
        """Closes the transport, through the method of the final state if there is one."""
        if self.state in self.finals:
            await getattr(self, self.finals[self.state].__name__)()
        else:
            self.transport.close()

    async def sends(self, source: str, receiver: type[Participant], message: type[Message], target: str) -> None:
        """Draws a message and sends it."""
        self._must_be_in(source)
        drawn = self.stage.draw(strategy_of(message), label=f"{self.participant.choros_name} sends")
        self.stage.steps.append(f"{self.participant.choros_name} sends {drawn!r} to {receiver.choros_name}")
        self.stage.history.append(Exchange(self.participant, receiver, drawn))
        await self.transport.send(receiver, drawn)
        self.state = target

    async def receives(self, source: str, sender: type[Participant], message: type[Message], target: str) -> None:
        """Receives a message; what the part under test sent is checked by the message itself."""
        self._must_be_in(source)
        got = await self.transport.recv(sender)
        self.stage.steps.append(f"{self.participant.choros_name} receives {got!r} from {sender.choros_name}")
        if not isinstance(got, message):
            raise UnexpectedMessage(f"expected {message.choros_name}, got {got!r}")
        if sender is self.stage.under_test:
            got.check(tuple(self.stage.history))
            self.stage.history.append(Exchange(sender, self.participant, got))
        self.state = target

    def ends(self, state: str) -> None:
        """The end of a session in a final state."""
        self._must_be_in(state)
        self.transport.close()

    def waits(self) -> str:
        """What the machine could do, in words."""
        if self.succeeded:
            return "has ended well"
        parts = [
            f"{'send' if it.action == 'send' else 'receive'} {it.message.choros_name}"
            + f" {'to' if it.action == 'send' else 'from'} {it.partner.choros_name}"
            for it in self.possible()
        ]
        return f"wants to {' or '.join(parts)}" if parts else "can do nothing"

    def _must_be_in(self, state: str) -> None:
        if self.state != state:
            raise WrongOrder(f"the machine of {self.participant.choros_name} is in {self.state}, not in {state}")


@dataclass(frozen=True)
class Case:
    """One abstract test: the choices of the machines are made.

    `without` names, per participant, the methods of the transitions that this test leaves
    out; `success` its success states where they are not those of the machine.
    """

    name: str
    without: Mapping[str, frozenset[str]]
    success: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Model:
    """All the machines of a choreography."""

    name: str
    machines: tuple[type[Machine], ...]

    def machine(self, participant: type[Participant]) -> type[Machine]:
        """The machine of a participant."""
        for machine in self.machines:
            if machine.participant is participant:
                return machine
        raise KeyError(f"{participant.choros_name} is not a participant of {self.name}")

    def others(self, participant: type[Participant]) -> list[type[Machine]]:
        """The machines of all participants but one."""
        self.machine(participant)
        return [it for it in self.machines if it.participant is not participant]
