//! Are machines compatible, as far as a bound can see, and beyond?
//!
//! *k-multiparty compatibility* of Lange and Yoshida (*Verifying asynchronous interactions via communicating session
//! automata*, CAV 2019).
//! Let `s →ₖ` be the steps in which no queue grows beyond `k` messages, and `s` a configuration that they reach.
//!
//! - **k-safety**: *eventual reception*, a message at the head of a queue can still be received (`s →ₖ* pq?a →ₖ`), and
//!   *progress*, a machine whose local state only receives can still receive something.
//! - **k-exhaustivity**: for every send that a machine's local state offers, there are steps of the *others* after
//!   which it can be done within the bound.
//!
//! Together they make safety at the bound `k` safety at every bound, if choices do not depend on the bound:
//! *output bound independence* (if one send of a state finds room, all do) and *input bound independence* (if a machine
//! can receive from one partner, it could not have received from another one instead after steps of the others).
//! Both hold for *directed* machines, in which every state only sends to one partner or only receives from one,
//! whatever the bound.
//! So [`Compatibility::beyond_the_bound`] is claimed for deterministic directed machines, and for no one else; for other
//! machines the two conditions are checked at this bound and reported.
//!
//! Every condition asks whether some configurations can be reached.
//! The first step of a machine after `s` starts from its local state in `s`, and the first message taken from a queue is
//! the one at its head in `s`; so it is enough to go backwards, once for each channel or machine, from where such a step
//! is possible.

pub(crate) mod graph;
mod home;
mod waiting;

use choros_model::cfsm::{Channels, MachineId, Offer, Survey, System};
use choros_model::lts::StateId;

use graph::Steps;
pub(crate) use home::all_come_home;
pub(crate) use waiting::Waiting;

/// What holds within the bound; where something does not, the nearest configuration that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compatibility {
    pub bound: u32,
    /// Half of k-safety: what is at the head of a queue can still be received.
    pub reception: Option<IncompatibleConfiguration>,
    /// The other half: who only receives can still receive something.
    pub progress: Option<IncompatibleConfiguration>,
    /// k-exhaustivity.
    pub exhaustivity: Option<IncompatibleConfiguration>,
    /// Whether choices depend on the bound, where that was asked.
    pub independence: Option<Independence>,
    /// Every machine is deterministic and directed, and none talks to itself.
    pub directed: bool,
}

/// Whether choices depend on this bound: the nearest configurations in which one does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Independence {
    /// Output bound independence.
    pub output: Option<IncompatibleConfiguration>,
    /// Input bound independence.
    pub input: Option<IncompatibleConfiguration>,
}

/// A configuration in which a condition does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompatibleConfiguration {
    /// The configuration.
    pub state: StateId,
    /// What is wrong there, in one sentence without a full stop.
    pub claim: String,
}

impl Compatibility {
    /// k-safety.
    pub fn is_safe(&self) -> bool {
        self.reception.is_none() && self.progress.is_none()
    }

    /// k-exhaustivity.
    pub fn is_exhaustive(&self) -> bool {
        self.exhaustivity.is_none()
    }

    /// Whether the machines are safe whatever the bound.
    pub fn beyond_the_bound(&self) -> bool {
        self.directed && self.is_safe() && self.is_exhaustive()
    }
}

/// Checks all conditions over the configurations of a survey, which must be complete but for the bound and not reduced.
///
/// `None` for systems without queues, for which the conditions are not defined, and for surveys that were cut off.
pub fn compatibility(system: &mut System<'_>, found: &Survey) -> Option<Compatibility> {
    if system.discipline().channels != Channels::Fifo || found.stopped.is_some() {
        return None;
    }
    let steps = Steps::of(system, found.states);
    let waiting = Waiting::of(system, &steps);
    let search = Search {
        system,
        steps: &steps,
    };
    Some(Compatibility {
        bound: search.system.discipline().bound,
        reception: waiting.reception,
        progress: waiting.progress,
        exhaustivity: search.exhaustivity(),
        independence: Some(Independence {
            output: search.output_independence(),
            input: search.input_independence(),
        }),
        directed: are_directed(search.system),
    })
}

/// What [`compatibility`] answers where no channel was ever full and no one waits forever.
///
/// Then no send is ever refused, so every one has room at once.
pub(crate) fn compatible_without_bound(system: &System<'_>) -> Option<Compatibility> {
    (system.discipline().channels == Channels::Fifo).then(|| Compatibility {
        bound: system.discipline().bound,
        reception: None,
        progress: None,
        exhaustivity: None,
        independence: None,
        directed: are_directed(system),
    })
}

/// Whether every machine is deterministic and directed, and none talks to itself: the theorem knows no such queue.
fn are_directed(system: &System<'_>) -> bool {
    let mut machines = system.machines().iter();
    machines.all(|machine| machine.is_directed() && machine.is_deterministic())
        && !system.talks_to_itself()
}

struct Search<'s, 'm> {
    system: &'s System<'m>,
    steps: &'s Steps,
}

impl Search<'_, '_> {
    fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.steps.states() as u32).map(StateId)
    }

    fn name(&self, machine: MachineId) -> &str {
        let participant = self.system.machines()[machine.index()].participant();
        self.system.names().text(participant)
    }

    fn channel_text(&self, channel: usize) -> String {
        let (from, to) = self.system.channel_ends(channel);
        let names = self.system.names();
        format!("{}→{}", names.text(from), names.text(to))
    }

    fn exhaustivity(&self) -> Option<IncompatibleConfiguration> {
        let mut nearest: Option<IncompatibleConfiguration> = None;
        for machine in self.system.machine_ids() {
            for channel in 0..self.system.channel_count() {
                let refused = |state: &StateId| {
                    self.system.is_full(*state, channel)
                        && self
                            .system
                            .offers(*state, machine)
                            .any(|offer| offer.sends && offer.channel == channel)
                };
                // Mostly no channel is ever full where someone wants to send.
                if !self.states().any(|state| refused(&state)) {
                    continue;
                }
                let room = self
                    .states()
                    .map(|state| !self.system.is_full(state, channel));
                let can = self.steps.backwards(room.collect(), Some(machine.0));
                let lost = self
                    .states()
                    .find(|state| !can[state.index()] && refused(state));
                let Some(state) = lost.filter(|state| nearer(*state, &nearest)) else {
                    continue;
                };
                nearest = Some(IncompatibleConfiguration {
                    state,
                    claim: format!(
                        "{} is full, and no steps of the others make room for what `{}` would send",
                        self.channel_text(channel),
                        self.name(machine)
                    ),
                });
            }
        }
        nearest
    }

    fn output_independence(&self) -> Option<IncompatibleConfiguration> {
        for state in self.states() {
            for machine in self.system.machine_ids() {
                let mut sends = self.system.offers(state, machine).filter(|it| it.sends);
                let full = |offer: &Offer| self.system.is_full(state, offer.channel);
                let Some(first) = sends.next() else {
                    continue;
                };
                if sends.any(|other| full(&other) != full(&first)) {
                    return Some(IncompatibleConfiguration {
                        state,
                        claim: format!(
                            "the bound decides between messages that `{}` could send",
                            self.name(machine)
                        ),
                    });
                }
            }
        }
        None
    }

    fn input_independence(&self) -> Option<IncompatibleConfiguration> {
        let mut nearest: Option<IncompatibleConfiguration> = None;
        for machine in self.system.machine_ids() {
            let own = self.system.machines()[machine.index()];
            // Only states that listen to several partners can depend on who is faster.
            let several = own.states().any(|state| {
                let inputs = own.outgoing(state).iter();
                let mut partners = inputs
                    .filter(|it| !it.action.is_output())
                    .map(|it| it.action.partner);
                let first = partners.next();
                partners.any(|other| Some(other) != first)
            });
            if !several {
                continue;
            }
            for channel in 0..self.system.channel_count() {
                let taken = |step: &graph::BackwardStep| {
                    step.machine == machine.0 && !step.sends && step.channel as usize == channel
                };
                let could = self.steps.leading_to(taken, Some(machine.0));
                let lost = self.states().find(|&state| {
                    could[state.index()]
                        && self.steps.from(state).any(|step| {
                            step.machine == machine.0
                                && !step.sends
                                && step.channel as usize != channel
                        })
                });
                let Some(state) = lost.filter(|state| nearer(*state, &nearest)) else {
                    continue;
                };
                nearest = Some(IncompatibleConfiguration {
                    state,
                    claim: format!(
                        "`{}` can receive, and might receive from {} instead if the others were faster",
                        self.name(machine),
                        self.channel_text(channel)
                    ),
                });
            }
        }
        nearest
    }
}

/// Whether a configuration was seen before the one of a breach.
fn nearer(state: StateId, nearest: &Option<IncompatibleConfiguration>) -> bool {
    nearest.as_ref().is_none_or(|breach| state < breach.state)
}
