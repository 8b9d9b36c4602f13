//! What is to be said of a configuration.

use super::semantics::LocalStep;
use super::{Channels, MachineId, System};
use crate::cfsm::Polarity;
use crate::evidence::Configuration;
use crate::lts::{Lts, StateId};

/// What is wrong with a configuration that nothing follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeadKind {
    /// All have ended and nothing waits.
    Ended,
    /// Machines wait, and nothing is under way to anyone.
    Deadlock,
    /// No machine waits, but messages do.
    Orphan,
    /// Machines wait, and messages too that no one takes.
    Unspecified,
    /// A machine would send, but its channel is full: the bound decided, not the machines.
    Blocked,
}

impl DeadKind {
    /// The name of it.
    pub fn word(self) -> &'static str {
        match self {
            DeadKind::Ended => "ended",
            DeadKind::Deadlock => "deadlock",
            DeadKind::Orphan => "orphan message",
            DeadKind::Unspecified => "unspecified reception",
            DeadKind::Blocked => "blocked by the bound",
        }
    }

    /// Whether it is unsafe (Definition 3.1): a machine waits or a message does, forever.
    pub fn is_unsafe(self) -> bool {
        matches!(
            self,
            DeadKind::Deadlock | DeadKind::Orphan | DeadKind::Unspecified
        )
    }
}

impl System<'_> {
    /// Whether a machine's local state offers to receive; where sender and receiver act together, whether it offers
    /// anything.
    pub fn is_waiting(&self, state: StateId, machine: MachineId) -> bool {
        self.steps_of(state, machine).iter().any(|step| {
            step.polarity == Polarity::Input || self.discipline().channels == Channels::Synchronous
        })
    }

    /// What kind of end a configuration is that nothing follows.
    pub fn dead_kind(&self, state: StateId) -> DeadKind {
        if self.is_send_blocked(state) {
            return DeadKind::Blocked;
        }
        let waits = self
            .machine_ids()
            .any(|machine| self.is_waiting(state, machine));
        match (waits, self.is_stable(state)) {
            (false, true) => DeadKind::Ended,
            (true, true) => DeadKind::Deadlock,
            (false, false) => DeadKind::Orphan,
            (true, false) => DeadKind::Unspecified,
        }
    }

    /// A machine that only receives, and finds at the head of each queue it listens to a message it does not take.
    ///
    /// With queues that never changes again, whatever the others do, even if they continue forever.
    /// Multisets let later messages overtake, so there only a dead configuration is final.
    pub fn unspecified_reception(&self, state: StateId) -> Option<MachineId> {
        if self.discipline().channels != Channels::Fifo {
            return None;
        }
        self.machine_ids().find(|&machine| {
            let steps = self.steps_of(state, machine);
            let heard = |step: &LocalStep| !self.is_empty(state, step.channel as usize);
            !steps.is_empty()
                && steps.iter().all(|step| {
                    step.polarity == Polarity::Input
                        && heard(step)
                        && !self.can_receive(state, *step)
                })
        })
    }

    /// Whether some channel may be left alone: no machine reads it, or one that can come to an end.
    ///
    /// Otherwise no configuration has an [`System::orphan`].
    pub(super) fn may_leave_orphans(&self) -> bool {
        let machines = self.machines();
        let ends = |reader: MachineId| {
            let machine = machines[reader.index()];
            machine.states().any(|local| machine.is_final(local))
        };
        self.channels.iter().any(|it| it.reader.is_none_or(ends))
    }

    /// A channel with messages whose receiver has come to an end, or has no machine: no one will ever take them.
    pub fn orphan(&self, state: StateId) -> Option<usize> {
        (0..self.channel_count()).find(|&channel| {
            !self.is_empty(state, channel)
                && self.channels[channel]
                    .reader
                    .is_none_or(|reader| self.steps_of(state, reader).is_empty())
        })
    }

    /// The configuration as evidence: all machines, and the channels in which something waits.
    pub fn configuration(&self, state: StateId) -> Configuration {
        let names = self.names();
        Configuration {
            parts: self
                .machine_ids()
                .map(|id| {
                    let machine = self.machines()[id.index()];
                    let local = self.local_state(state, id);
                    (
                        names.text(machine.participant()).to_owned(),
                        machine.state_text(local, names),
                    )
                })
                .collect(),
            channels: (0..self.channel_count())
                .filter(|&channel| !self.is_empty(state, channel))
                .map(|channel| {
                    let (from, to) = self.channel_ends(channel);
                    let name = format!("{}→{}", names.text(from), names.text(to));
                    let waiting = self.waiting(state, channel);
                    let waiting = waiting.iter().map(|&it| names.text(it).to_owned());
                    (name, waiting.collect())
                })
                .collect(),
        }
    }

    /// The configuration in one line: `A 2, B 1 | C→A[quit]`.
    pub(super) fn describe_configuration(&self, state: StateId) -> String {
        let configuration = self.configuration(state);
        let parts: Vec<String> = configuration
            .parts
            .iter()
            .map(|(name, local)| format!("{name} {local}"))
            .collect();
        let channels: Vec<String> = configuration
            .channels
            .iter()
            .map(|(name, waiting)| format!("{name}[{}]", waiting.join(",")))
            .collect();
        if channels.is_empty() {
            parts.join(", ")
        } else {
            format!("{} | {}", parts.join(", "), channels.join(" "))
        }
    }

    /// The label of a step in words: `AB!m`, and `A→B:m` where both act together.
    pub fn step_text(&self, action: crate::lts::ActionId) -> String {
        self.action(action).text(self.terms())
    }
}
