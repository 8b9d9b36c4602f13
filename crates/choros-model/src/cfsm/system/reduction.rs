//! Fewer orders of steps that have nothing to do with each other.
//!
//! A set of steps `T` from a configuration is *persistent* (Godefroid 1996) when whatever others do first, without a
//! step of `T`, neither takes part in nor is hindered by `T`.
//! Exploring only persistent sets reaches every configuration that nothing follows: on a run to such a configuration
//! some step of `T` must occur, because `T` would otherwise still be possible at its end; and the first one can be moved
//! to the front.
//!
//! All steps of one machine are such a set in two cases.
//!
//! - *Receiving*: the machine's local state only receives, from one channel, and something can be received now.
//!   With queues the head of the channel stays until this machine takes it, so the others can neither enable nor
//!   disable a step of it.
//!   In a multiset a new message might enable another step, so there the state must wait for one message only.
//!   Taking a message never disables a step of another machine, and commutes with adding one.
//! - *Sending*: the local state only sends, and no channel it sends to is full.
//!   Only this machine adds to these channels, so what is possible now stays possible, and nothing more can become so.
//!   Adding a message never disables a step of another machine (it may enable some, which does no harm), and commutes
//!   with taking another.
//!
//! Where neither machine qualifies, all steps are explored.
//! Bounds do not spoil the argument, because a full channel disqualifies its sender.
//! Both cases are persistent sets of the *unbounded* system too, whatever the bound refuses to others.
//! So if no send was refused where all steps were explored, what was examined is a reduction of the unbounded system,
//! and nothing was missed there either.
//!
//! What is not preserved: how many configurations there are, and what is wrong in configurations that something
//! follows.
//! So a reduced search alone proves no system safe: a machine may wait forever while others continue forever.
//! It does where the steps that were examined have no cycle ([`System::runs_end`]).
//! *Claim*: then every run from a configuration `s` that was examined can be prolonged to one that ends where nothing
//! follows, in a configuration that was examined.
//! By induction on the longest way from `s` through what was examined; let `w` be a run from `s`, and `T` the persistent
//! set there.
//! If `T` is empty, nothing follows `s`, and `w` is empty.
//! If a step of `T` occurs in `w`, the first one can be moved to the front; if none does, every step `t` of `T` is
//! independent of `w` and can be put before it.
//! Either way a run `t w'` with the same steps, or one more, starts with a step that was examined, and the claim holds of
//! `w'` after `t`.
//! So every run of the full system can be prolonged to an end that was seen; if all these have ended properly, every
//! message can still be received and every machine that waits can still move.
//! Where sender and receiver act together nothing is reduced.

use super::{Channels, MachineId, Move, System};
use crate::cfsm::Polarity;
use crate::lts::StateId;

/// Which steps are examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// All.
    None,
    /// Those of a persistent set: enough to find every configuration that nothing follows.
    Persistent,
}

impl System<'_> {
    /// Appends the steps of a persistent set, none only where there is no step at all; tells whether a bound may have
    /// kept something out of it.
    pub fn persistent_moves(&mut self, state: StateId, into: &mut Vec<Move>) -> bool {
        match self.persistent_machine(state) {
            Some(machine) => {
                self.moves_of(state, machine, into);
                false
            }
            None => {
                self.moves(state, into);
                self.is_send_blocked(state)
            }
        }
    }

    /// Whether the steps of persistent sets, from the first `states` configurations, which must be all that they reach,
    /// have no cycle.
    pub fn runs_end(&mut self, states: usize) -> bool {
        let mut incoming = vec![0_u32; states];
        let mut moves: Vec<Move> = Vec::new();
        for state in 0..states as u32 {
            self.persistent_moves(StateId(state), &mut moves);
            for step in moves.drain(..) {
                incoming[step.target.index()] += 1;
            }
        }
        // Takes away, one by one, what nothing leads to; a cycle is never taken away.
        let mut open: Vec<u32> = (0..states as u32)
            .filter(|&state| incoming[state as usize] == 0)
            .collect();
        let mut taken = 0;
        while let Some(state) = open.pop() {
            taken += 1;
            self.persistent_moves(StateId(state), &mut moves);
            for step in moves.drain(..) {
                let left = &mut incoming[step.target.index()];
                *left -= 1;
                if *left == 0 {
                    open.push(step.target.0);
                }
            }
        }
        taken == states
    }

    /// A machine whose steps are a persistent set; one that receives, where there is one, to keep channels short.
    fn persistent_machine(&self, state: StateId) -> Option<MachineId> {
        if self.discipline().channels == Channels::Synchronous {
            return None;
        }
        self.machine_ids()
            .find(|&machine| self.receives_persistently(state, machine))
            .or_else(|| {
                self.machine_ids()
                    .find(|&machine| self.sends_persistently(state, machine))
            })
    }

    fn receives_persistently(&self, state: StateId, machine: MachineId) -> bool {
        let steps = self.steps_of(state, machine);
        let Some(first) = steps.first() else {
            return false;
        };
        let bag = self.discipline().channels == Channels::Bag;
        steps.iter().all(|step| {
            step.polarity == Polarity::Input
                && step.channel == first.channel
                && (!bag || step.letter == first.letter)
        }) && steps.iter().any(|&step| self.can_receive(state, step))
    }

    fn sends_persistently(&self, state: StateId, machine: MachineId) -> bool {
        let steps = self.steps_of(state, machine);
        !steps.is_empty()
            && steps.iter().all(|step| {
                step.polarity == Polarity::Output && !self.is_full(state, step.channel as usize)
            })
    }
}
