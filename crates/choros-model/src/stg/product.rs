//! Synchronous product of any number of graphs (Figure 3.3 and Algorithm 1 of Nguyen's thesis).
//!
//! Nodes are tuples of component nodes; a value that a component receives is an update on the edge, not a part of
//! the node, so the product is finite whatever the data.
//!
//! | rule | components | product |
//! |---|---|---|
//! | TERM | each may terminate: `φ₁ … φₙ` | may terminate: `φ₁ ∧ … ∧ φₙ` |
//! | PAR | one does `[φ] e / A`, `e` silent, raised or an interaction | `[φ] e / A` |
//! | COM | one does `[φ] o!x / A`, another `[ψ] o?y / B` | `[φ ∧ ψ] o.x / y := x; A; B` |
//! | TIME | each one timed by a clock does `[φᵢ] χ / Aᵢ` or may terminate under `φᵢ`, at least one the former | `[φ₁ ∧ … ∧ φₙ] χ / A₁; …; Aₙ` |
//!
//! `!` and `?` happen together or not at all. A component is timed by a clock when `χ` of that clock occurs in it; time
//! passes for all that one clock times at once, as in a flow of BPEL, and the others do not hold it up. The clock of a
//! role is another than that of any other role, so they tick in any order: a joint tick would let a role learn, without
//! a message, how far the others have come.
//! Both guards are read before anything is received: a receiver decides on what it gets afterwards.
//!
//! Where we differ from the print: no component is changed on the way (Algorithm 1 renames inside the sender's graph,
//! which is wrong for a node that is reached twice), tuples are remembered (it has no visited set), and the
//! interaction carries the sender's value (see [`super::synchronise`]).
//!
//! Tuples are numbered breadth-first; the edges of a tuple come in the order of components, then of their edges.
//! Time and space: proportional to the reachable tuples times the pairs of edges that meet in them.

use choros_base::{Budget, Name, Span, StopReason};
use choros_data::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::joint_label;
use super::product_note::ProductNote;
use super::synchronise::{Scratch, synchronise};
use super::variables::make_disjoint;
use super::{
    Direction, Edge, EdgeId, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
    Update,
};

/// A product and what its maker should tell the user.
#[derive(Debug, Clone)]
pub struct Product {
    /// The graph; the label of a node is its components' labels joined by dots, as in `3.4.2`.
    pub stg: Stg,
    /// For each node of the product, the node of each component.
    pub tuples: Vec<Vec<NodeId>>,
    /// What probably was not meant.
    pub notes: Vec<ProductNote>,
}

/// The product under a name.
///
/// `budget` is spent by the tuple, and by the combination where one tuple has several terminations or ticks.
pub fn product(
    name: impl Into<String>,
    components: &[&Stg],
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Product, StopReason> {
    let (components, scratch) = make_disjoint(components, terms);
    let ending = Ending::joint(&components);
    let mut composer = Composer {
        clocks: clocks(&components),
        receivers: receivers(&components),
        components: &components,
        scratch,
        builder: StgBuilder::new(name, ending),
        ids: FxHashMap::default(),
        tuples: Vec::new(),
        notes: Vec::new(),
        misfits: FxHashSet::default(),
        budget,
        terms,
    };
    composer.note_endings(ending);
    composer.note_partnerless();
    composer.explore()?;
    let tick = components.iter().find_map(Stg::tick);
    Ok(Product {
        stg: composer.builder.finish_as_built(NodeId(0)).with_tick(tick),
        tuples: composer.tuples,
        notes: composer.notes,
    })
}

/// Which message it is: the two ends agree on all of this.
type Key = (Operation, Role, Role, Option<Name>);

fn key(message: &Message) -> Key {
    (message.operation, message.from, message.to, message.fault)
}

/// For each message, the components that receive it somewhere, in their order.
fn receivers(components: &[Stg]) -> FxHashMap<Key, Vec<usize>> {
    let mut receivers: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (index, component) in components.iter().enumerate() {
        for message in component.messages() {
            if message.direction == Direction::Receive {
                let known = receivers.entry(key(message)).or_default();
                if known.last() != Some(&index) {
                    known.push(index);
                }
            }
        }
    }
    receivers
}

/// The clocks in the order of components, each with those that it times.
fn clocks(components: &[Stg]) -> Vec<(Event, Vec<usize>)> {
    let mut clocks: Vec<(Event, Vec<usize>)> = Vec::new();
    for (index, component) in components.iter().enumerate() {
        let own = component.clocks().into_iter().map(Event::TickOf);
        let shared = component.edges().iter().any(|it| it.event == Event::Tick);
        for clock in shared.then_some(Event::Tick).into_iter().chain(own) {
            match clocks.iter_mut().find(|it| it.0 == clock) {
                Some(known) => known.1.push(index),
                None => clocks.push((clock, vec![index])),
            }
        }
    }
    clocks
}

struct Composer<'a> {
    components: &'a [Stg],
    /// The clocks, and for each the components that it times.
    clocks: Vec<(Event, Vec<usize>)>,
    receivers: FxHashMap<Key, Vec<usize>>,
    scratch: Scratch,
    builder: StgBuilder,
    ids: FxHashMap<Vec<NodeId>, NodeId>,
    tuples: Vec<Vec<NodeId>>,
    notes: Vec<ProductNote>,
    misfits: FxHashSet<(usize, EdgeId, usize, EdgeId)>,
    budget: &'a Budget,
    terms: &'a mut Terms,
}

impl<'a> Composer<'a> {
    fn explore(&mut self) -> Result<(), StopReason> {
        self.tuple(self.components.iter().map(Stg::initial).collect())?;
        let mut next = 0;
        while next < self.tuples.len() {
            let (source, tuple) = (NodeId(next as u32), self.tuples[next].clone());
            next += 1;
            self.terminations(source, &tuple)?;
            for (index, &node) in tuple.iter().enumerate() {
                for (id, edge) in self.components[index].outgoing(node) {
                    match &edge.event {
                        Event::Silent
                        | Event::Choose(_)
                        | Event::Raise(_)
                        | Event::Disturbance(_) => self.alone(source, &tuple, index, edge)?,
                        Event::Tick | Event::TickOf(_) => {}
                        Event::Message(message) => match message.direction {
                            Direction::Interaction => self.alone(source, &tuple, index, edge)?,
                            Direction::Send => {
                                self.together(source, &tuple, (index, id), edge, message)?;
                            }
                            Direction::Receive => {}
                        },
                    }
                }
            }
            for clock in 0..self.clocks.len() {
                self.ticks(source, &tuple, clock)?;
            }
        }
        Ok(())
    }

    /// The number of a tuple, new or known.
    fn tuple(&mut self, tuple: Vec<NodeId>) -> Result<NodeId, StopReason> {
        if let Some(&id) = self.ids.get(&tuple) {
            return Ok(id);
        }
        self.budget.spend()?;
        let id = self.builder.node(joint_label(&tuple, self.components));
        self.ids.insert(tuple.clone(), id);
        self.tuples.push(tuple);
        Ok(id)
    }

    /// TERM.
    fn terminations(&mut self, source: NodeId, tuple: &[NodeId]) -> Result<(), StopReason> {
        let choices: Vec<usize> = self
            .components
            .iter()
            .zip(tuple)
            .map(|(component, &node)| component.node(node).terminations.len())
            .collect();
        let mut combination = first_combination(&choices);
        while let Some(chosen) = combination {
            let mut guards: Vec<Term> = Vec::with_capacity(tuple.len());
            let mut origin = None;
            for ((component, &node), &position) in self.components.iter().zip(tuple).zip(&chosen) {
                let termination = component.node(node).terminations[position];
                guards.push(termination.guard);
                origin = origin.or(termination.origin);
            }
            let guard = self.terms.and(guards);
            self.builder.terminate(self.terms, source, guard, origin);
            combination = self.next(chosen, &choices)?;
        }
        Ok(())
    }

    /// PAR.
    fn alone(
        &mut self,
        source: NodeId,
        tuple: &[NodeId],
        index: usize,
        edge: &Edge,
    ) -> Result<(), StopReason> {
        let mut after = tuple.to_vec();
        after[index] = edge.target;
        let target = self.tuple(after)?;
        let edge = Edge {
            source,
            target,
            ..edge.clone()
        };
        self.builder.edge(self.terms, edge);
        Ok(())
    }

    /// COM, for one sending and every reception that waits for it.
    fn together(
        &mut self,
        source: NodeId,
        tuple: &[NodeId],
        sender: (usize, EdgeId),
        sending: &Edge,
        sent: &Message,
    ) -> Result<(), StopReason> {
        let receivers = self.receivers.get(&key(sent)).cloned().unwrap_or_default();
        for receiver in receivers.into_iter().filter(|&other| other != sender.0) {
            for (id, receiving) in self.components[receiver].outgoing(tuple[receiver]) {
                let Some(received) = receiving.event.message() else {
                    continue;
                };
                if received.direction != Direction::Receive || key(received) != key(sent) {
                    continue;
                }
                match synchronise(sent, received, &mut self.scratch, self.terms) {
                    Ok(joint) => {
                        let mut after = tuple.to_vec();
                        after[sender.0] = sending.target;
                        after[receiver] = receiving.target;
                        let target = self.tuple(after)?;
                        let mut updates = joint.updates;
                        updates.extend(&sending.updates);
                        updates.extend(&receiving.updates);
                        let guards = [sending.guard, receiving.guard, joint.condition];
                        let edge = Edge {
                            source,
                            target,
                            guard: self.terms.and(guards),
                            event: joint.event,
                            updates,
                            origin: sending.origin.or(receiving.origin),
                        };
                        self.builder.edge(self.terms, edge);
                    }
                    Err(reason) => {
                        if self.misfits.insert((sender.0, sender.1, receiver, id)) {
                            self.notes.push(ProductNote::Incompatible {
                                message: sent.shown_heading(self.terms),
                                sender: self.place(sender.0, sending.origin),
                                receiver: self.place(receiver, receiving.origin),
                                reason,
                            });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// TIME, for one clock.
    fn ticks(&mut self, source: NodeId, tuple: &[NodeId], clock: usize) -> Result<(), StopReason> {
        let mut ways: Vec<(usize, Vec<Way<'a>>)> = Vec::new();
        let components = self.components;
        let (tick, timed) = self.clocks[clock].clone();
        for index in timed {
            let component = &components[index];
            let ticks = component.outgoing(tuple[index]).map(|(_, edge)| edge);
            let ticks = ticks.filter(|edge| edge.event == tick).map(Way::Tick);
            let stays = &component.node(tuple[index]).terminations;
            let stays = stays
                .iter()
                .map(|termination| Way::Ended(termination.guard));
            ways.push((index, ticks.chain(stays).collect()));
        }
        let choices: Vec<usize> = ways.iter().map(|(_, ways)| ways.len()).collect();
        let mut combination = first_combination(&choices).filter(|chosen| !chosen.is_empty());
        while let Some(chosen) = combination {
            let mut after = tuple.to_vec();
            let mut guards: Vec<Term> = Vec::new();
            let mut updates: Vec<Update> = Vec::new();
            let mut origin = None;
            let mut passes = false;
            for ((index, ways), &position) in ways.iter().zip(&chosen) {
                match ways[position] {
                    Way::Tick(edge) => {
                        passes = true;
                        guards.push(edge.guard);
                        updates.extend(&edge.updates);
                        origin = origin.or(edge.origin);
                        after[*index] = edge.target;
                    }
                    Way::Ended(guard) => guards.push(guard),
                }
            }
            if passes {
                let target = self.tuple(after)?;
                let edge = Edge {
                    source,
                    target,
                    guard: self.terms.and(guards),
                    event: tick.clone(),
                    updates,
                    origin,
                };
                self.builder.edge(self.terms, edge);
            }
            combination = self.next(chosen, &choices)?;
        }
        Ok(())
    }

    /// The combination after one, in lexicographic order.
    fn next(
        &self,
        mut chosen: Vec<usize>,
        choices: &[usize],
    ) -> Result<Option<Vec<usize>>, StopReason> {
        for position in (0..chosen.len()).rev() {
            if chosen[position] + 1 < choices[position] {
                self.budget.spend()?;
                chosen[position] += 1;
                chosen[position + 1..].fill(0);
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    fn place(&self, component: usize, origin: Option<Span>) -> (String, Option<Span>) {
        (self.components[component].name().to_owned(), origin)
    }

    fn note_endings(&mut self, ending: Ending) {
        let sinks: Vec<String> = self
            .components
            .iter()
            .filter(|component| component.ending().is_step() != ending.is_step())
            .map(|component| component.name().to_owned())
            .collect();
        if !sinks.is_empty() {
            self.notes.push(ProductNote::MixedEndings { sinks });
        }
    }

    /// A sending or reception whose other end no other component has cannot happen anywhere.
    fn note_partnerless(&mut self) {
        let mut ends: FxHashMap<(Key, Direction), FxHashSet<usize>> = FxHashMap::default();
        for (index, component) in self.components.iter().enumerate() {
            for message in component.messages() {
                ends.entry((key(message), message.direction))
                    .or_default()
                    .insert(index);
            }
        }
        for (index, component) in self.components.iter().enumerate() {
            let mut seen: FxHashSet<(Key, Direction)> = FxHashSet::default();
            for edge in component.edges() {
                let Some(message) = edge.event.message() else {
                    continue;
                };
                let other = match message.direction {
                    Direction::Interaction => continue,
                    Direction::Send => Direction::Receive,
                    Direction::Receive => Direction::Send,
                };
                let partners = ends.get(&(key(message), other));
                let has_partner =
                    partners.is_some_and(|partners| partners.iter().any(|&one| one != index));
                if !has_partner && seen.insert((key(message), message.direction)) {
                    self.notes.push(ProductNote::Partnerless {
                        message: message.shown_heading(self.terms),
                        direction: message.direction,
                        component: self.place(index, edge.origin),
                    });
                }
            }
        }
    }
}

/// What a timed component does while time passes.
#[derive(Clone, Copy)]
enum Way<'a> {
    Tick(&'a Edge),
    Ended(Term),
}

/// The first choice of everything, if everything has one.
fn first_combination(choices: &[usize]) -> Option<Vec<usize>> {
    choices
        .iter()
        .all(|&count| count > 0)
        .then(|| vec![0; choices.len()])
}
