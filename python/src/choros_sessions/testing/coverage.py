"""How much of a model the tests went through: its messages, states and transitions."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from choros_sessions.messages import Message, Participant
from choros_sessions.testing.machine import Machine, Model, Transition


class Count(NamedTuple):
    """This many of so many, and which are missing."""

    covered: int
    total: int
    missing: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.covered}/{self.total}"


@dataclass
class ModelCoverage:
    """What was covered of one model while one participant was tested, over any number of runs."""

    model: Model
    under_test: type[Participant]
    runs: int = 0
    transitions: set[tuple[type[Participant], Transition]] = field(
        default_factory=set[tuple[type[Participant], Transition]]
    )

    def cover(self, participant: type[Participant], transition: Transition) -> None:
        """Counts a transition, with its message and its two states."""
        self.transitions.add((participant, transition))

    def transition_count(self) -> Count:
        """Transitions of all machines."""
        return counted(
            [
                (transition.label(machine.participant), (machine.participant, transition) in self.transitions)
                for machine in self.model.machines
                for transition in machine.transitions
            ]
        )

    def state_count(self) -> Count:
        """States of all machines; the initial ones are covered by the first run."""
        visited = {
            (participant, state)
            for participant, transition in self.transitions
            for state in (transition.source, transition.target)
        }
        return counted(
            [
                (
                    f"{machine.participant.choros_name}:{state}",
                    (machine.participant, state) in visited or (self.runs > 0 and state == machine.initial),
                )
                for machine in self.model.machines
                for state in states(machine)
            ]
        )

    def message_count(self) -> Count:
        """Messages, told apart by sender and receiver."""
        seen = {exchange(participant, transition) for participant, transition in self.transitions}
        every = dict.fromkeys(
            exchange(machine.participant, transition)
            for machine in self.model.machines
            for transition in machine.transitions
        )
        return counted([(it, it in seen) for it in every])

    def as_json(self) -> dict[str, Any]:
        """For other programs."""
        counts = {
            "messages": self.message_count(),
            "states": self.state_count(),
            "transitions": self.transition_count(),
        }
        return {
            "model": self.model.name,
            "role": self.under_test.choros_name,
            "runs": self.runs,
            **{
                name: {"covered": it.covered, "total": it.total, "missing": list(it.missing)}
                for name, it in counts.items()
            },
        }


@dataclass
class Follower:
    """Follows the part under test along its model by what it sends and receives.

    A message that does not fit yet is kept for later: over a network, what was sent to the
    part under test may be seen before it is received there.
    """

    coverage: ModelCoverage
    machine: type[Machine]
    state: str = ""
    pending: deque[tuple[str, type[Participant], type[Message]]] = field(
        default_factory=deque[tuple[str, type[Participant], type[Message]]]
    )

    def __post_init__(self) -> None:
        self.state = self.machine.initial

    def saw(self, action: str, partner: type[Participant], message: type[Message]) -> None:
        """The part under test has sent, or received, this message."""
        self.pending.append((action, partner, message))
        while self._advance():
            pass

    def _advance(self) -> bool:
        for event in self.pending:
            for transition in self.machine.transitions:
                label = (transition.action, transition.partner, transition.message)
                if transition.source == self.state and label == event:
                    self.coverage.cover(self.machine.participant, transition)
                    self.state = transition.target
                    self.pending.remove(event)
                    return True
        return False


class Collected:
    """The coverage of every model that was tested in this process.

    Each role under test has its own: when one implementation never takes a branch, the
    machine that plays the same role in another's tests would hide it.
    """

    def __init__(self) -> None:
        self.models: dict[tuple[str, type[Participant]], ModelCoverage] = {}

    def of(self, model: Model, under_test: type[Participant]) -> ModelCoverage:
        """The coverage of this model by tests of this participant so far."""
        return self.models.setdefault((model.name, under_test), ModelCoverage(model, under_test))


COLLECTED = Collected()


def counted(items: list[tuple[str, bool]]) -> Count:
    missing = tuple(name for name, covered in items if not covered)
    return Count(len(items) - len(missing), len(items), missing)


def exchange(participant: type[Participant], transition: Transition) -> str:
    mine, partner = participant.choros_name, transition.partner.choros_name
    sender, receiver = (mine, partner) if transition.action == "send" else (partner, mine)
    return f"{sender}->{receiver}:{transition.message.choros_name}"


def states(machine: type[Machine]) -> list[str]:
    found = {machine.initial: None}
    for transition in machine.transitions:
        found[transition.source] = None
        found[transition.target] = None
    return list(found)
