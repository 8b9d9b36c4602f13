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

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms, Var};
use choros_model::evidence;
use choros_model::stg::{
    Edge, NodeId, Operation, Outstanding, Product, QueuedComposition, Role, Stg, Visible, disjoint,
    product, prompt_queues, queues, queues_on_demand, queues_unless_full,
};
use rustc_hash::FxHashMap;

use crate::{Closing, Effort, Mode, Projection};

/// Projections put together.
pub(crate) struct Composition {
    /// The graph.
    pub(crate) stg: Stg,
    /// The roles, in the order of the places.
    pub(crate) roles: Vec<Role>,
    /// What each role does; no two share a variable.
    pub(crate) parts: Vec<Part>,
    /// For each node, where each role stands.
    places: Vec<Vec<NodeId>>,
    /// For each node and channel, the kinds of messages that wait; empty without queues.
    queues: Vec<Vec<Vec<usize>>>,
    /// Sender and receiver of each queue.
    pub(crate) channels: Vec<(Role, Role)>,
    kinds: Vec<Operation>,
    /// Messages that a queue may hold.
    pub(crate) bound: usize,
    /// Nodes in which something was not sent because a queue was full.
    pub(crate) refused: Vec<NodeId>,
    /// For each node what is sent in any case but was put off; empty where nothing was.
    outstanding: Vec<Outstanding>,
    /// How silent steps were arranged to do without a bound, and how many messages waited at most then.
    pub(crate) arranged: Option<(Arranged, usize)>,
}

/// What one role does, with variables of its own.
pub(crate) struct Part {
    /// Its behaviour, which terminates where the role may stay forever.
    pub(crate) stg: Stg,
    /// For each place, when the role expects a message there.
    pub(crate) listens: Vec<Term>,
    /// Whether it goes where it has ended, and takes nothing any more.
    pub(crate) leaves: bool,
}

/// How silent steps were arranged so that an observer cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arranged {
    /// Receptions happen at once.
    AtOnce,
    /// What has to be sent in any case is sent when it is needed.
    OnDemand,
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
    ) -> Result<Composition, StopReason> {
        let states = || budget.part(effort.states);
        let (roles, parts) = parts(projections, closing, terms);
        let graphs: Vec<&Stg> = parts.iter().map(|it| &it.stg).collect();
        let name = "projections";
        if mode == Mode::Synchronous {
            let product = product(name, &graphs, &states(), terms)?;
            return Ok(Composition::where_both_meet(product, roles, parts));
        }
        let visible = match mode {
            Mode::Receiver => Visible::Receptions,
            _ => Visible::Sendings,
        };
        let bound = effort.bound;
        if mode == Mode::Disjoint {
            // A second message in flight is one too many, so there is no need for more room.
            let bound = 2;
            let queued = queues(name, &graphs, visible, bound, &states(), terms)?;
            return Ok(Composition::over(queued, bound, roles, parts));
        }
        let queued = queues_unless_full(name, &graphs, visible, bound, &states(), terms);
        if let Ok(Some(queued)) = queued {
            return Ok(Composition::over(queued, bound, roles, parts));
        }
        // Where no observer can tell, messages are received at once or sent late, and queues stay short.
        let (queued, how) = match visible {
            Visible::Sendings => {
                let queued = prompt_queues(name, &graphs, bound, &states(), terms)?;
                (queued, Arranged::AtOnce)
            }
            Visible::Receptions => {
                let queued = queues_on_demand(name, &graphs, bound, &states(), terms)?;
                (queued, Arranged::OnDemand)
            }
        };
        let fullest = queued.in_flight.iter().copied().max().unwrap_or_default();
        Ok(Composition {
            arranged: Some((how, fullest)),
            ..Composition::over(queued, bound, roles, parts)
        })
    }

    /// What was composed from these parts without queues.
    pub(crate) fn where_both_meet(
        product: Product,
        roles: Vec<Role>,
        parts: Vec<Part>,
    ) -> Composition {
        Composition {
            queues: vec![Vec::new(); product.tuples.len()],
            stg: product.stg,
            roles,
            parts,
            places: product.tuples,
            channels: Vec::new(),
            kinds: Vec::new(),
            bound: 0,
            refused: Vec::new(),
            outstanding: Vec::new(),
            arranged: None,
        }
    }

    /// What was composed over queues from these parts.
    pub(crate) fn over(
        queued: QueuedComposition,
        bound: usize,
        roles: Vec<Role>,
        parts: Vec<Part>,
    ) -> Composition {
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
            bound,
            refused: queued.refused,
            outstanding: queued.outstanding,
            arranged: None,
        }
    }

    /// Where a role stands.
    pub(crate) fn place(&self, node: NodeId, role: usize) -> NodeId {
        self.places[node.index()][role]
    }

    /// Where a role stands once it has sent what it sends in any case.
    pub(crate) fn place_to_come(&self, node: NodeId, role: usize) -> NodeId {
        match self.outstanding.get(node.index()) {
            Some(outstanding) => outstanding.places[role],
            None => self.place(node, role),
        }
    }

    /// What a role sends in any case from here, but was put off: channels and operations.
    pub(crate) fn put_off(&self, node: NodeId, role: usize) -> Vec<(usize, Operation)> {
        let outstanding = self.outstanding.get(node.index());
        let sent = outstanding.into_iter().flat_map(|it| &it.sent);
        sent.filter(|it| it.0 == role)
            .map(|&(_, channel, kind)| (channel, self.kinds[kind]))
            .collect()
    }

    /// How many messages wait.
    pub(crate) fn in_flight(&self, node: NodeId) -> usize {
        self.queues[node.index()].iter().map(Vec::len).sum()
    }

    /// What waits in a channel, the oldest first.
    pub(crate) fn waiting(&self, node: NodeId, channel: usize) -> impl Iterator<Item = Operation> {
        let queues = &self.queues[node.index()];
        let waiting = queues.get(channel).into_iter().flatten();
        waiting.map(|&kind| self.kinds[kind])
    }

    /// The message at the head of a channel, or the first that is sent there in any case.
    pub(crate) fn head_to_come(&self, node: NodeId, channel: usize) -> Option<Operation> {
        self.waiting(node, channel).next().or_else(|| {
            let sent = &self.outstanding.get(node.index())?.sent;
            let first = sent.iter().find(|it| it.1 == channel)?;
            Some(self.kinds[first.2])
        })
    }

    /// What an edge does, and with which operation; `None` for what is not a message of the roles.
    pub(crate) fn act(&self, edge: &Edge) -> Option<(Act, Operation)> {
        let (before, after) = (
            &self.queues[edge.source.index()],
            &self.queues[edge.target.index()],
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
                    let place = part.stg.node(self.place(node, role));
                    (part.stg.name().to_owned(), place.label.clone())
                })
                .collect(),
            channels: self
                .channels
                .iter()
                .zip(&self.queues[node.index()])
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
) -> (Vec<Role>, Vec<Part>) {
    let closed: Vec<Stg> = projections
        .iter()
        .map(|projection| closing.of(projection, terms))
        .collect();
    let disjoint = disjoint(&closed.iter().collect::<Vec<_>>(), terms);
    let roles = projections.iter().map(|it| it.role).collect();
    let mut parts = Vec::new();
    for (projection, (stg, renaming)) in projections.iter().zip(disjoint) {
        let words: FxHashMap<Var, Term> = renaming
            .variables
            .iter()
            .map(|(&old, &new)| (old, terms.var(new)))
            .collect();
        let foresights = projection.foresights.iter();
        let listens = foresights.map(|it| terms.substitute(it.listens, &words));
        parts.push(Part {
            stg,
            listens: listens.collect(),
            leaves: closing.leaves(projection.role),
        });
    }
    (roles, parts)
}
