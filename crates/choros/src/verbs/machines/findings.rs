//! What is wrong with a system of machines, each with a shortest run to it.

use choros_model::Evidence;
use choros_model::cfsm::{DeadKind, Survey, System};
use choros_model::evidence::Tree;
use choros_model::lts::{Lts, StateId};
use choros_report::Semantics;

use crate::Settings;

/// A kind of defect that was found.
pub(super) struct Finding {
    /// One sentence without a full stop.
    pub(super) claim: String,
    /// The nearest configuration that has it.
    pub(super) state: StateId,
}

impl Finding {
    /// The run to it, and the configuration it leads to.
    pub(super) fn evidence(&self, found: &Survey, system: &mut System<'_>) -> Evidence {
        let mut run = found.run_to(self.state, system);
        run.conclusion = format!("stuck in {}", system.describe(self.state));
        Evidence::Tree(Tree {
            claim: self.claim.clone(),
            origin: None,
            evidence: Some(Box::new(Evidence::Trace(run))),
            because: Vec::new(),
        })
    }
}

/// All kinds of defects of a system, the nearest of each.
pub(super) fn findings(found: &Survey, system: &System<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    let kinds = [
        (
            DeadKind::Deadlock,
            "deadlock: all that is left waits for messages that nobody sends",
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
            all.push(Finding { claim, state });
        }
    }
    // A defect that shows while others go on for ever has no dead configuration.
    if found.count(DeadKind::Unspecified) == 0
        && let Some(state) = found.unspecified.1
        && let Some(machine) = system.unspecified_reception(state)
    {
        let participant = system.machines()[machine.0 as usize].participant();
        all.push(Finding {
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
        all.push(Finding {
            claim: format!(
                "orphan message: `{}` has ended and will never receive it",
                system.names().text(to)
            ),
            state,
        });
    }
    all
}

/// Tells a report how messages travel.
pub(in crate::verbs) fn tell_discipline(semantics: &mut Semantics, settings: &Settings) {
    semantics.channels = Some(settings.discipline.to_string());
    if settings.discipline.channels != choros_model::cfsm::Channels::Synchronous {
        let bound = u64::from(settings.discipline.bound);
        semantics.bounds.insert("bound".to_owned(), bound);
    }
}

/// What a bound means that was reached.
pub(super) fn bound_note(settings: &Settings) -> String {
    format!(
        "a channel was full and refused a message: with more than {} places the machines may do more (raise it with \
         --bound)",
        settings.discipline.bound
    )
}
