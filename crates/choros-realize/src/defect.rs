//! What is wrong with a system of machines, each with a shortest run to it.

use choros_model::Evidence;
use choros_model::cfsm::{DeadKind, Survey, System};
use choros_model::evidence::{Expected, StepEvent, Tree};
use choros_model::lts::{Lts, StateId};
use choros_model::stg::Direction;

use crate::Safety;

/// A kind of defect that was found.
#[derive(Debug, Clone)]
pub struct Defect {
    /// One sentence without a full stop.
    pub claim: String,
    /// The nearest configuration that has it.
    pub state: StateId,
}

impl Defect {
    /// The run to it, and the configuration it leads to.
    pub fn evidence(&self, found: &Survey, system: &mut System<'_>) -> Tree {
        let mut run = found.run_to(self.state, system);
        run.conclusion = format!("stuck in {}", system.describe(self.state));
        run.departure.expected = awaited(self.state, system);
        Tree {
            claim: self.claim.clone(),
            origin: None,
            evidence: Some(Box::new(Evidence::Trace(run))),
            because: Vec::new(),
        }
    }
}

/// What the machines that have not ended wait for, each message once.
fn awaited(state: StateId, system: &System<'_>) -> Vec<Expected> {
    let names = system.names();
    let text = |name| names.text(name).to_owned();
    let mut events: Vec<Expected> = Vec::new();
    for (id, machine) in system.machine_ids().zip(system.machines()) {
        let here = machine.outgoing(system.local_state(state, id));
        for input in here.iter().map(|it| it.action).filter(|it| !it.is_output()) {
            let (from, to) = input.sender_and_receiver(machine.participant());
            let event = Expected {
                event: StepEvent::Message {
                    operation: text(input.message),
                    from: text(from),
                    to: text(to),
                    direction: Direction::Receive,
                    fields: Vec::new(),
                },
                guard: None,
            };
            if !events.contains(&event) {
                events.push(event);
            }
        }
    }
    events
}

impl Safety {
    /// What is wrong with a system: all kinds of defects, the nearest of each.
    pub fn defects(&self, system: &System<'_>) -> Vec<Defect> {
        let mut defects = dead_ends(&self.found, system);
        // What nothing follows is the better example; these are for runs that continue forever.
        if defects.is_empty() {
            defects.extend(self.waiting.iter().map(|breach| Defect {
                claim: breach.claim.clone(),
                state: breach.state,
            }));
        }
        defects
    }
}

fn dead_ends(found: &Survey, system: &System<'_>) -> Vec<Defect> {
    let mut all = Vec::new();
    let kinds = [
        (
            DeadKind::Deadlock,
            "deadlock: everything that is left waits for messages that are never sent",
        ),
        (
            DeadKind::Orphan,
            "orphan message: all have ended, and a message was never received",
        ),
        (
            DeadKind::Unspecified,
            "unspecified reception: machines wait, and messages that they do not expect",
        ),
    ];
    for (kind, words) in kinds {
        if let Some(state) = found.nearest(kind) {
            let claim = match found.count(kind) {
                1 => words.to_owned(),
                count => format!("{words} ({count} configurations, this is the nearest)"),
            };
            all.push(Defect { claim, state });
        }
    }
    // A defect that shows while others continue forever has no dead configuration.
    if found.count(DeadKind::Unspecified) == 0
        && let Some(state) = found.unspecified.1
        && let Some(machine) = system.unspecified_reception(state)
    {
        let participant = system.machines()[machine.index()].participant();
        all.push(Defect {
            claim: format!(
                "unspecified reception: `{}` will never receive again, whatever the others do",
                system.names().text(participant)
            ),
            state,
        });
    }
    if found.count(DeadKind::Orphan) + found.count(DeadKind::Unspecified) == 0
        && let Some(state) = found.orphans.1
        && let Some(channel) = system.orphan(state)
    {
        let (_, to) = system.channel_ends(channel);
        all.push(Defect {
            claim: format!(
                "orphan message: `{}` has ended and will never receive it",
                system.names().text(to)
            ),
            state,
        });
    }
    all
}
