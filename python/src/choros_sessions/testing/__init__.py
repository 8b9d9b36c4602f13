"""Tests of one participant against the machines of all the others.

`conform` is what the tests that `choros tests --emit python` writes call. It needs Hypothesis,
which draws the payloads and the schedule and shrinks both when a run fails.
"""

from choros_sessions.testing.driver import Failure, Options, conform, elsewhere
from choros_sessions.testing.machine import Case, Machine, Model, Transition, received, sent
from choros_sessions.testing.strategies import strategy_of

__all__ = [
    "Case",
    "Failure",
    "Machine",
    "Model",
    "Options",
    "Transition",
    "conform",
    "elsewhere",
    "received",
    "sent",
    "strategy_of",
]
