//! Who waits forever while others may continue?
//!
//! Two questions about every configuration, whatever the channels: can each message that may be taken next still be
//! taken (*eventual reception*), and can each machine that has to wait still move (*progress*)?
//! Over queues the message that may be taken next is the one at the head, and any step that takes from the queue takes
//! that one first.
//! In a multiset every message may be next; a second copy that is never taken shows in the configuration after the first
//! is taken.
//! Where sender and receiver act together nothing is under way, and a machine waits that offers anything at all.

use choros_base::Name;
use choros_model::cfsm::{Channels, MachineId, System};
use choros_model::lts::{Action, Lts, StateId};

use super::graph::{BackwardStep, Steps};
use super::{IncompatibleConfiguration, nearer};

/// The nearest configurations in which someone or something waits forever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// A message that can never be received.
    pub(crate) reception: Option<IncompatibleConfiguration>,
    /// A machine that can never move again.
    pub(crate) progress: Option<IncompatibleConfiguration>,
}

impl Waiting {
    /// Asks both questions of all configurations between which these are the steps.
    pub(crate) fn of(system: &System<'_>, steps: &Steps) -> Waiting {
        Waiting {
            reception: reception(system, steps),
            progress: progress(system, steps),
        }
    }
}

fn states(steps: &Steps) -> impl Iterator<Item = StateId> + use<> {
    (0..steps.states() as u32).map(StateId)
}

fn reception(system: &System<'_>, steps: &Steps) -> Option<IncompatibleConfiguration> {
    let channels = system.discipline().channels;
    if channels == Channels::Synchronous {
        return None;
    }
    let names = system.names();
    let mut nearest: Option<IncompatibleConfiguration> = None;
    for channel in 0..system.channel_count() {
        let (from, to) = system.channel_ends(channel);
        let place = format!("{}→{}", names.text(from), names.text(to));
        let mut messages: Vec<Name> = Vec::new();
        for state in states(steps) {
            for message in system.waiting(state, channel) {
                // Over queues one question serves all messages, because what is taken first is the head.
                let known = match channels {
                    Channels::Fifo => !messages.is_empty(),
                    _ => messages.contains(&message),
                };
                if !known {
                    messages.push(message);
                }
            }
        }
        for message in messages {
            let is_it = |step: &BackwardStep| match system.action(step.action) {
                Action::Named { name, .. } => *name == message,
                _ => false,
            };
            let taken = |step: &BackwardStep| {
                step.channel as usize == channel
                    && !step.sends
                    && (channels == Channels::Fifo || is_it(step))
            };
            let can = steps.leading_to(taken, None);
            let lost = states(steps).find(|&state| {
                !can[state.index()]
                    && match channels {
                        Channels::Fifo => !system.is_empty(state, channel),
                        _ => system.waiting(state, channel).contains(&message),
                    }
            });
            let Some(state) = lost.filter(|state| nearer(*state, &nearest)) else {
                continue;
            };
            let (message, where_) = match channels {
                Channels::Fifo => {
                    let waiting = system.waiting(state, channel);
                    (
                        waiting.first().copied().unwrap_or(message),
                        "at the head of",
                    )
                }
                _ => (message, "in"),
            };
            nearest = Some(IncompatibleConfiguration {
                state,
                claim: format!(
                    "`{}` {where_} {place} can never be received",
                    names.text(message)
                ),
            });
        }
    }
    nearest
}

fn progress(system: &System<'_>, steps: &Steps) -> Option<IncompatibleConfiguration> {
    let together = system.discipline().channels == Channels::Synchronous;
    let mut nearest: Option<IncompatibleConfiguration> = None;
    for machine in system.machine_ids() {
        let acts = |step: &BackwardStep| {
            step.machine == machine.0
                || (together && system.reader(step.channel as usize) == Some(machine))
        };
        let can = steps.leading_to(acts, None);
        let lost =
            states(steps).find(|&state| !can[state.index()] && has_to_wait(system, state, machine));
        let Some(state) = lost.filter(|state| nearer(*state, &nearest)) else {
            continue;
        };
        let participant = system.machines()[machine.index()].participant();
        let what = if together {
            "meet a partner"
        } else {
            "receive"
        };
        nearest = Some(IncompatibleConfiguration {
            state,
            claim: format!(
                "`{}` waits and can never {what} again",
                system.names().text(participant)
            ),
        });
    }
    nearest
}

/// Whether a machine offers something and nothing of it that it could do by itself.
pub(super) fn has_to_wait(system: &System<'_>, state: StateId, machine: MachineId) -> bool {
    let together = system.discipline().channels == Channels::Synchronous;
    let mut offers = system.offers(state, machine).peekable();
    offers.peek().is_some() && offers.all(|offer| together || !offer.sends)
}
