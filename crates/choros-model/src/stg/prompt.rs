//! Receptions that may as well happen at once.
//!
//! Where sendings are visible and receptions are silent, a reception is *prompt* in a configuration if it commutes
//! with everything else that may happen before its component moves on.
//! Then the configurations before and after it are branching bisimilar, so a composition may take it at once and leave
//! out all other steps from there (τ-confluence: Groote and van de Pol, *State space reduction using partial
//! τ-confluence*, 2000; the README of this crate has the argument).
//! Queues are shorter then, and often bounded where they are not otherwise: a stream is read as it is written.
//!
//! Steps of other components commute with a reception in any case: they add to the end of a queue from whose head it
//! takes, or touch other queues.
//! What is left to look at are the other edges that leave the same node of the same component:
//!
//! - a reception from the same queue of another message is never possible as long as this one is at the head;
//! - an edge that closes a diamond with the reception commutes with it, provided that the reception on the other side
//!   of the diamond commutes too (a greatest fixed point, computed once for each component);
//! - a reception from another queue does no harm if no one can fill that queue before the component moves, which is
//!   asked in each configuration, of an abstraction that forgets the order of messages and all guards.

use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashSet;

use super::half::{Half, users};
use super::{Edge, EdgeId, Event, FieldValue, NodeId, Stg};

/// Which receptions are prompt.
pub(super) struct Prompt<'a> {
    components: &'a [Stg],
    /// For each component and edge.
    halves: Vec<Vec<Half>>,
    /// For each component and edge, whether it is a reception that commutes with all other edges of its node.
    commuting: Vec<Vec<bool>>,
    /// For each component and edge, whether it is a reception that nothing but the order of steps could forbid.
    candidates: Vec<Vec<bool>>,
}

impl<'a> Prompt<'a> {
    /// `halves` has one entry for each edge of each component, and `channels` is how many there are.
    pub(super) fn of(
        components: &'a [Stg],
        halves: Vec<Vec<Half>>,
        channels: usize,
        terms: &mut Terms,
    ) -> Self {
        // A queue that several components read is not a component's own.
        let readers = users(&halves, channels, |half| match half {
            Half::Receives { channel, .. } => Some(channel),
            _ => None,
        });
        let mut candidates = Vec::new();
        for (component, own) in components.iter().zip(&halves) {
            let mut unconditional = Vec::new();
            for (edge, half) in component.edges().iter().zip(own) {
                let alone =
                    matches!(half, Half::Receives { channel, .. } if readers[*channel].len() == 1);
                unconditional.push(
                    alone
                        && edge.guard == Term::TRUE
                        && edge.event.free_terms().next().is_none()
                        && edge.accepts(terms) == Term::TRUE,
                );
            }
            candidates.push(unconditional);
        }
        let mut prompt = Self {
            components,
            commuting: candidates.clone(),
            candidates,
            halves,
        };
        for index in 0..components.len() {
            prompt.shrink(index, terms);
        }
        prompt
    }

    /// Takes edges out of the commuting ones until the rest commute among themselves.
    fn shrink(&mut self, index: usize, terms: &Terms) {
        loop {
            let out: Vec<usize> = (0..self.commuting[index].len())
                .filter(|&at| self.commuting[index][at])
                .filter(|&at| {
                    let edge = EdgeId(at as u32);
                    self.rivals(index, edge)
                        .any(|rival| !self.closes(index, edge, rival, terms))
                })
                .collect();
            if out.is_empty() {
                return;
            }
            for at in out {
                self.commuting[index][at] = false;
            }
        }
    }

    /// The other edges of the node that may be possible at the same time.
    fn rivals(&self, index: usize, edge: EdgeId) -> impl Iterator<Item = EdgeId> {
        let halves = &self.halves[index];
        let own = halves[edge.index()];
        self.components[index]
            .outgoing(self.components[index].edge(edge).source)
            .map(|(id, _)| id)
            .filter(move |&id| id != edge && !excluded(own, halves[id.index()]))
    }

    /// Whether a reception and another edge of the node can be done in either order, to the same effect.
    fn closes(&self, index: usize, edge: EdgeId, rival: EdgeId, terms: &Terms) -> bool {
        let stg = &self.components[index];
        let (first, second) = (stg.edge(edge), stg.edge(rival));
        // Two receptions from one queue need two messages: neither waits for the other.
        let same_queue = match (
            self.halves[index][edge.index()],
            self.halves[index][rival.index()],
        ) {
            (Half::Receives { channel, .. }, Half::Receives { channel: other, .. }) => {
                channel == other
            }
            _ => false,
        };
        if same_queue || touch_each_other(first, second, terms) {
            return false;
        }
        stg.outgoing(second.target).any(|(later, reception)| {
            self.commuting[index][later.index()]
                && alike(reception, first)
                && stg
                    .outgoing(first.target)
                    .any(|(_, other)| alike(other, second) && other.target == reception.target)
        })
    }

    /// A reception that is possible and prompt here; `queues` has the kinds that wait in each channel.
    pub(super) fn reception(
        &self,
        places: &[NodeId],
        queues: &[Vec<usize>],
        terms: &Terms,
    ) -> Option<(usize, EdgeId)> {
        for (index, &place) in places.iter().enumerate() {
            for (id, _) in self.components[index].outgoing(place) {
                let at = id.index();
                let Half::Receives { channel, kind } = self.halves[index][at] else {
                    continue;
                };
                if queues[channel].first() != Some(&kind) || !self.candidates[index][at] {
                    continue;
                }
                let prompt = self.commuting[index][at]
                    || self.rivals(index, id).all(|rival| {
                        self.closes(index, id, rival, terms)
                            || !self.may_come(index, rival, places, queues)
                    });
                if prompt {
                    return Some((index, id));
                }
            }
        }
        None
    }

    /// Whether an edge may become possible before its component moves.
    fn may_come(
        &self,
        index: usize,
        edge: EdgeId,
        places: &[NodeId],
        queues: &[Vec<usize>],
    ) -> bool {
        let Half::Receives { channel, kind } = self.halves[index][edge.index()] else {
            return true;
        };
        if let Some(&head) = queues[channel].first() {
            return head == kind;
        }
        let mut sent: Vec<FxHashSet<usize>> = queues
            .iter()
            .map(|queue| queue.iter().copied().collect())
            .collect();
        let mut reached: Vec<Vec<bool>> = self
            .components
            .iter()
            .map(|component| vec![false; component.nodes().len()])
            .collect();
        for (other, &place) in places.iter().enumerate() {
            reached[other][place.index()] = other != index;
        }
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (other, component) in self.components.iter().enumerate() {
                for (step, half) in component.edges().iter().zip(&self.halves[other]) {
                    if !reached[other][step.source.index()] {
                        continue;
                    }
                    match *half {
                        Half::Sends { channel, kind } => grown |= sent[channel].insert(kind),
                        Half::Receives { channel, kind } if !sent[channel].contains(&kind) => {
                            continue;
                        }
                        Half::Never => continue,
                        Half::Receives { .. } | Half::Other => {}
                    }
                    let target = &mut reached[other][step.target.index()];
                    grown |= !std::mem::replace(target, true);
                }
            }
        }
        sent[channel].contains(&kind)
    }
}

/// Whether `other` is impossible as long as the message of `own` is at the head of its queue.
fn excluded(own: Half, other: Half) -> bool {
    match (own, other) {
        (_, Half::Never) => true,
        (
            Half::Receives { channel, kind },
            Half::Receives {
                channel: same,
                kind: another,
            },
        ) => channel == same && kind != another,
        _ => false,
    }
}

/// Whether two edges do the same, wherever they are.
fn alike(one: &Edge, other: &Edge) -> bool {
    one.guard == other.guard && one.event == other.event && one.updates == other.updates
}

/// Whether an edge writes what the other reads or writes.
fn touch_each_other(one: &Edge, other: &Edge, terms: &Terms) -> bool {
    let (one_reads, one_writes) = touched(one, terms);
    let (other_reads, other_writes) = touched(other, terms);
    one_writes
        .iter()
        .any(|it| other_reads.contains(it) || other_writes.contains(it))
        || other_writes.iter().any(|it| one_reads.contains(it))
}

/// What an edge reads and what it writes.
fn touched(edge: &Edge, terms: &Terms) -> (FxHashSet<Var>, FxHashSet<Var>) {
    let mut reads: FxHashSet<Var> = terms.free_variables(edge.guard).into_iter().collect();
    let mut writes = FxHashSet::default();
    if let Event::Message(message) = &edge.event {
        for field in &message.fields {
            match field.value {
                FieldValue::Free(term) => reads.extend(terms.free_variables(term)),
                FieldValue::Bind(variable) => {
                    writes.insert(variable);
                }
            }
        }
    }
    for update in &edge.updates {
        reads.extend(terms.free_variables(update.value));
        writes.insert(update.variable);
    }
    (reads, writes)
}
