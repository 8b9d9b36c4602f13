//! Sendings that may as well wait until someone asks for the message.
//!
//! Where receptions are visible and sendings are silent, a sending is *certain* if its component can do nothing else
//! there, whatever the data, and may not stay.
//! It commutes with every step of the others, so the configurations before and after it are branching bisimilar, and a
//! composition may put it off until a reception needs it (the README of this crate has the argument).
//! Queues are shorter then, and often bounded where they are not otherwise: a stream is written as it is read.

use choros_data::{Term, Terms};

use super::half::{Half, users};
use super::{EdgeId, NodeId, Stg};

/// Which sendings are certain.
pub(super) struct Demand<'a> {
    components: &'a [Stg],
    /// For each component and edge.
    halves: Vec<Vec<Half>>,
    /// For each component and node, the certain sending that leaves it.
    certain: Vec<Vec<Option<EdgeId>>>,
}

/// The certain sendings of a component, one after the other.
struct Chain {
    /// Channels and kinds.
    sent: Vec<(usize, usize)>,
    /// Where the component stands then.
    end: NodeId,
    /// Whether they never end; they are listed until the first node comes again.
    endless: bool,
}

/// What is sent in any case from a configuration, and where the components stand then.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outstanding {
    /// Component, channel and kind of each message, in the order of each component.
    pub sent: Vec<(usize, usize, usize)>,
    /// For each component the node that it gets to by these sendings.
    pub places: Vec<NodeId>,
}

impl<'a> Demand<'a> {
    /// `halves` has one entry for each edge of each component, and `channels` is how many there are.
    pub(super) fn of(
        components: &'a [Stg],
        halves: Vec<Vec<Half>>,
        channels: usize,
        terms: &mut Terms,
    ) -> Self {
        // Sendings of two components into one queue do not commute.
        let writers = users(&halves, channels, |half| match half {
            Half::Sends { channel, .. } => Some(channel),
            _ => None,
        });
        let mut certain = Vec::new();
        for (component, own) in components.iter().zip(&halves) {
            let mut found = Vec::new();
            for node in component.node_ids() {
                let mut leaving = component
                    .outgoing(node)
                    .filter(|(id, _)| own[id.index()] != Half::Never);
                let only = match (leaving.next(), leaving.next()) {
                    (Some(only), None) => only,
                    _ => {
                        found.push(None);
                        continue;
                    }
                };
                let (id, edge) = only;
                let alone = matches!(own[id.index()], Half::Sends { channel, .. } if writers[channel].len() == 1);
                let is_certain = alone
                    && edge.guard == Term::TRUE
                    && edge.updates.is_empty()
                    && edge.event.bound_variables().next().is_none()
                    && component.termination(node, terms) == Term::FALSE;
                found.push(is_certain.then_some(id));
            }
            certain.push(found);
        }
        Self {
            components,
            halves,
            certain,
        }
    }

    /// For each component whether it is at a certain sending that no one needs.
    pub(super) fn put_off(&self, places: &[NodeId], queues: &[Vec<usize>]) -> Vec<bool> {
        let asked = self.asked(places, queues);
        let certain = places
            .iter()
            .zip(&self.certain)
            .map(|(place, certain)| certain[place.index()].is_some());
        certain
            .zip(asked)
            .map(|(certain, asked)| certain && !asked)
            .collect()
    }

    /// For each component whether its certain sending is needed for a step that is not a certain sending.
    fn asked(&self, places: &[NodeId], queues: &[Vec<usize>]) -> Vec<bool> {
        let chains: Vec<Chain> = places
            .iter()
            .enumerate()
            .map(|(index, &place)| self.chain(index, place))
            .collect();
        let mut asked = vec![false; places.len()];
        for (index, chain) in chains.iter().enumerate() {
            if chain.endless {
                continue;
            }
            for (id, _) in self.components[index].outgoing(chain.end) {
                let possible = match self.halves[index][id.index()] {
                    Half::Never => false,
                    Half::Sends { .. } | Half::Other => true,
                    Half::Receives { channel, kind } => match queues[channel].first() {
                        Some(&head) => head == kind,
                        None => {
                            let mut supply = chains.iter().enumerate().filter_map(|(from, it)| {
                                let first = it.sent.iter().find(|sent| sent.0 == channel)?;
                                Some((from, first.1))
                            });
                            match supply.next() {
                                Some((from, first)) if first == kind => {
                                    asked[from] = true;
                                    true
                                }
                                _ => false,
                            }
                        }
                    },
                };
                asked[index] |= possible && !chain.sent.is_empty();
            }
        }
        asked
    }

    /// What is sent in any case from here.
    pub(super) fn outstanding(&self, places: &[NodeId]) -> Outstanding {
        let mut outstanding = Outstanding::default();
        for (index, &place) in places.iter().enumerate() {
            let chain = self.chain(index, place);
            let sent = chain.sent.iter().map(|it| (index, it.0, it.1));
            outstanding.sent.extend(sent);
            outstanding.places.push(chain.end);
        }
        outstanding
    }

    fn chain(&self, index: usize, place: NodeId) -> Chain {
        let mut chain = Chain {
            sent: Vec::new(),
            end: place,
            endless: false,
        };
        let mut seen = vec![place];
        while let Some(id) = self.certain[index][chain.end.index()] {
            if let Half::Sends { channel, kind } = self.halves[index][id.index()] {
                chain.sent.push((channel, kind));
            }
            chain.end = self.components[index].edge(id).target;
            if seen.contains(&chain.end) {
                chain.endless = true;
                break;
            }
            seen.push(chain.end);
        }
        chain
    }
}
