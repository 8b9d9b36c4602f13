//! Projections put together as a mode says.
//!
//! | mode | how |
//! |---|---|
//! | synchronous | product: both ends of a message meet in one moment |
//! | sender | FIFO queues, receptions hidden |
//! | receiver | FIFO queues, sendings hidden |
//! | disjoint | FIFO queues, receptions hidden, and no reachable configuration has two messages in flight |
//! | peers | not at all: [`peers`](crate::peers()) looks at one role after the other |
//!
//! A receiver accepts every value of its sort: what it may assume of its partners is never a guard here, or it would do
//! the sender's knowing.

use choros_base::{Budget, Spent};
use choros_data::Terms;
use choros_model::evidence;
use choros_model::stg::{
    Edge, NodeId, Operation, Queued, Role, Stg, Visible, disjoint, product, prompt_queues, queues,
};

use crate::{Closing, Effort, Mode, Projection};

/// Projections put together.
pub(crate) struct Composition {
    /// The graph.
    pub(crate) stg: Stg,
    /// The roles, in the order of the places.
    pub(crate) roles: Vec<Role>,
    /// What each role does; no two share a variable.
    pub(crate) parts: Vec<Stg>,
    /// For each node, where each role stands.
    places: Vec<Vec<NodeId>>,
    /// For each node and channel, the kinds of messages that wait; empty without queues.
    queues: Vec<Vec<Vec<usize>>>,
    /// Sender and receiver of each queue.
    pub(crate) channels: Vec<(Role, Role)>,
    kinds: Vec<Operation>,
    /// Nodes in which something was not sent because a queue was full.
    pub(crate) refused: Vec<NodeId>,
    /// Where receptions were taken at once to do without a bound, how many messages waited at most.
    pub(crate) at_once: Option<usize>,
}

/// What an edge of the composition does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// A message is sent and received in one moment.
    Meeting(Role, Role),
    /// A message goes into a channel.
    Sending(usize),
    /// A message is taken from a channel.
    Taking(usize),
}

impl Composition {
    /// Puts projections together; `budget` only stops it.
    pub(crate) fn of(
        projections: &[Projection],
        mode: Mode,
        closing: &Closing,
        effort: Effort,
        budget: &Budget,
        terms: &mut Terms,
    ) -> Result<Composition, Spent> {
        let states = || budget.part(effort.states);
        let (roles, parts) = parts(projections, closing, terms);
        let graphs: Vec<&Stg> = parts.iter().collect();
        let name = "projections";
        if mode == Mode::Synchronous {
            let product = product(name, &graphs, &states(), terms)?;
            return Ok(Composition {
                queues: vec![Vec::new(); product.tuples.len()],
                stg: product.stg,
                roles,
                parts,
                places: product.tuples,
                channels: Vec::new(),
                kinds: Vec::new(),
                refused: Vec::new(),
                at_once: None,
            });
        }
        let visible = match mode {
            Mode::Receiver => Visible::Receptions,
            _ => Visible::Sendings,
        };
        let queued = queues(name, &graphs, visible, effort.bound, &states(), terms);
        let cut = queued.as_ref().map_or(true, |it| it.bound_reached);
        if mode != Mode::Sender || !cut {
            return Ok(Composition::over(queued?, roles, parts));
        }
        // Where no observer can tell, messages are received at once, and queues stay short.
        let queued = prompt_queues(name, &graphs, effort.bound, &states(), terms)?;
        let fullest = queued.in_flight.iter().copied().max().unwrap_or_default();
        Ok(Composition {
            at_once: Some(fullest),
            ..Composition::over(queued, roles, parts)
        })
    }

    /// What was composed over queues from these parts.
    pub(crate) fn over(queued: Queued, roles: Vec<Role>, parts: Vec<Stg>) -> Composition {
        let (places, queues) = queued
            .configurations
            .into_iter()
            .map(|it| (it.places, it.queues))
            .unzip();
        Composition {
            stg: queued.stg,
            roles,
            parts,
            places,
            queues,
            channels: queued.channels,
            kinds: queued.kinds,
            refused: queued.refused,
            at_once: None,
        }
    }

    /// Where a role stands.
    pub(crate) fn place(&self, node: NodeId, role: usize) -> NodeId {
        self.places[node.0 as usize][role]
    }

    /// How many messages wait.
    pub(crate) fn in_flight(&self, node: NodeId) -> usize {
        self.queues[node.0 as usize].iter().map(Vec::len).sum()
    }

    /// The message at the head of a channel.
    pub(crate) fn head(&self, node: NodeId, channel: usize) -> Option<Operation> {
        let waiting = self.queues[node.0 as usize].get(channel)?;
        waiting.first().map(|&kind| self.kinds[kind])
    }

    /// What an edge does, and with which operation; `None` for what is no message of the roles.
    pub(crate) fn act(&self, edge: &Edge) -> Option<(Act, Operation)> {
        let (before, after) = (
            &self.queues[edge.source.0 as usize],
            &self.queues[edge.target.0 as usize],
        );
        for (channel, (before, after)) in before.iter().zip(after).enumerate() {
            if after.len() > before.len() {
                let kind = *after.last()?;
                return Some((Act::Sending(channel), self.kinds[kind]));
            }
            if after.len() < before.len() {
                return Some((Act::Taking(channel), self.kinds[*before.first()?]));
            }
        }
        let message = edge.event.message()?;
        Some((Act::Meeting(message.from, message.to), message.operation))
    }

    /// Whether a role moves in an act.
    pub(crate) fn moves(&self, act: Act, role: Role) -> bool {
        match act {
            Act::Meeting(from, to) => role == from || role == to,
            Act::Sending(channel) => role == self.channels[channel].0,
            Act::Taking(channel) => role == self.channels[channel].1,
        }
    }

    /// A situation as evidence.
    pub(crate) fn situation(&self, node: NodeId, terms: &Terms) -> evidence::Configuration {
        let name = |role: Role| terms.names.text(role.0);
        evidence::Configuration {
            parts: self
                .parts
                .iter()
                .enumerate()
                .map(|(role, part)| {
                    let place = part.node(self.place(node, role));
                    (part.name().to_owned(), place.label.clone())
                })
                .collect(),
            channels: self
                .channels
                .iter()
                .zip(&self.queues[node.0 as usize])
                .filter(|(_, waiting)| !waiting.is_empty())
                .map(|(&(from, to), waiting)| {
                    let waiting = waiting.iter().map(|&kind| self.kinds[kind]);
                    (
                        format!("{}→{}", name(from), name(to)),
                        waiting
                            .map(|operation| terms.names.text(operation.0).to_owned())
                            .collect(),
                    )
                })
                .collect(),
        }
    }
}

/// The roles and what each does, with its endings and with variables of its own.
pub(crate) fn parts(
    projections: &[Projection],
    closing: &Closing,
    terms: &mut Terms,
) -> (Vec<Role>, Vec<Stg>) {
    let closed: Vec<Stg> = projections
        .iter()
        .map(|projection| closing.of(projection, terms))
        .collect();
    let parts = disjoint(&closed.iter().collect::<Vec<_>>(), terms);
    (projections.iter().map(|it| it.role).collect(), parts)
}
