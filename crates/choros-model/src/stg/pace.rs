//! When the silent half of a message happens in a composition over queues.

use choros_data::Terms;

use super::demand::{Demand, Outstanding};
use super::half::Half;
use super::prompt::Prompt;
use super::{EdgeId, QueuedNode, Stg};

/// When silent steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// At any time.
    Any,
    /// At any time, and no further as soon as a queue is full.
    AnyUnlessFull,
    /// Receptions at once, where no one can tell.
    Prompt,
    /// Certain sendings when the message is needed.
    Demand,
}

/// A pace together with what it has to know of the components.
pub(super) enum Plan<'a> {
    Any { ends_when_full: bool },
    Prompt(Prompt<'a>),
    Demand(Demand<'a>),
}

impl<'a> Plan<'a> {
    pub(super) fn of(
        pace: Pace,
        components: &'a [Stg],
        halves: Vec<Vec<Half>>,
        channels: usize,
        terms: &mut Terms,
    ) -> Self {
        match pace {
            Pace::Any => Plan::Any {
                ends_when_full: false,
            },
            Pace::AnyUnlessFull => Plan::Any {
                ends_when_full: true,
            },
            Pace::Prompt => Plan::Prompt(Prompt::of(components, halves, channels, terms)),
            Pace::Demand => Plan::Demand(Demand::of(components, halves, channels, terms)),
        }
    }

    /// Whether the composition is of no use once a queue was full.
    pub(super) fn ends_when_full(&self) -> bool {
        matches!(
            self,
            Plan::Any {
                ends_when_full: true
            }
        )
    }

    /// The reception that is taken at once, so that no other step has to be examined.
    pub(super) fn at_once(&self, here: &QueuedNode, terms: &Terms) -> Option<(usize, EdgeId)> {
        match self {
            Plan::Prompt(prompt) => prompt.reception(&here.places, &here.queues, terms),
            Plan::Any { .. } | Plan::Demand(_) => None,
        }
    }

    /// For each component, whether its next step is put off.
    pub(super) fn put_off(&self, here: &QueuedNode) -> Vec<bool> {
        match self {
            Plan::Demand(demand) => demand.put_off(&here.places, &here.queues),
            Plan::Any { .. } | Plan::Prompt(_) => vec![false; here.places.len()],
        }
    }

    /// What was put off in each configuration.
    pub(super) fn outstanding(&self, configurations: &[QueuedNode]) -> Vec<Outstanding> {
        match self {
            Plan::Demand(demand) => configurations
                .iter()
                .map(|it| demand.outstanding(&it.places))
                .collect(),
            Plan::Any { .. } | Plan::Prompt(_) => Vec::new(),
        }
    }
}
