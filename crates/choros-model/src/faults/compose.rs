//! Roles over queues whose messages may be lost, doubled or overtaken, and roles that may crash.
//!
//! A node is where the roles stand, what waits, who has crashed and how many faults may still happen.
//! Every step is an event of its own: a sending `!`, a reception `?`, a fault, a crash that is noticed.
//!
//! | rule | when | effect |
//! |---|---|---|
//! | SEND | `[φ] o[a,b]!x / A`, `b` has not crashed and its queue has room | the message goes to the end of the queue |
//! | GONE | the same, `b` has crashed | no one gets the message |
//! | RECEIVE | `[ψ] o[a,b]?<y> / B`, the queue starts with `o` | the message is taken; one of many copies may stay |
//! | LOST | the last of a queue | it vanishes |
//! | DOUBLED | a message of a queue | one more copy right after it; any number of copies where nothing bounds them |
//! | OVERTAKES | the last of a queue | it goes ahead of some that were sent before it |
//! | CRASH | a role | it does nothing any more, and what waits for it is gone; what it has sent still arrives |
//! | NOTICED | `crash of a noticed by b`, `a` has crashed, nothing from `a` waits for `b` | as the edge of `b` says |
//! | TERM | whoever has not crashed may terminate, and nothing waits | may terminate |
//!
//! That faults happen to the last message of a queue costs nothing: a message that is lost, doubled or overtakes later
//! could have been right after it was sent, because until then it was only in the way (README).

use choros_base::{Budget, Name, StopReason};
use choros_data::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::waiting::{Waiting, without};
use super::{FaultKind, FaultModel};
use crate::stg::{
    Direction, Disturbance, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation,
    Role, Stg, StgBuilder, Update, disjoint,
};

/// Roles over queues under a fault model.
#[derive(Debug, Clone)]
pub struct FaultyComposition {
    /// The graph: sendings and receptions are steps of their own, and so are faults.
    pub stg: Stg,
    /// For each node, where the roles stand and what waits.
    pub configurations: Vec<FaultyNode>,
    /// The roles, in the order of the places.
    pub roles: Vec<Role>,
    /// Sender and receiver of each queue.
    pub channels: Vec<(Role, Role)>,
    /// The operations of the messages that queues may hold, by their kind.
    pub kinds: Vec<Operation>,
    /// Nodes in which a queue was full: there the graph lacks behaviour.
    pub refused: Vec<NodeId>,
}

/// A node of the composition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FaultyNode {
    /// For each role the node it is in.
    pub places: Vec<NodeId>,
    /// For each channel what waits, the first to be received first.
    pub queues: Vec<Vec<Waiting>>,
    /// Which roles have crashed.
    pub crashed: Vec<bool>,
    /// For each fault of the model how often it may still happen; without meaning where nothing bounds it.
    pub(super) left: Vec<u32>,
}

/// Composes graphs of roles over queues that hold at most `bound` messages each, under a fault model.
///
/// `budget` is spent by the node.
pub fn faulty_queues(
    name: impl Into<String>,
    roles: &[(Role, &Stg)],
    faults: &FaultModel,
    bound: usize,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<FaultyComposition, StopReason> {
    let graphs: Vec<&Stg> = roles.iter().map(|it| it.1).collect();
    let components: Vec<Stg> = disjoint(&graphs, terms)
        .into_iter()
        .map(|it| it.0)
        .collect();
    let mut composer = Composer {
        channels: channels(&components),
        used: names(&components, terms),
        components: &components,
        roles: roles.iter().map(|it| it.0).collect(),
        kinds: Vec::new(),
        slots: FxHashMap::default(),
        faults,
        reorders: faults.faults.iter().any(|it| it.kind == FaultKind::Reorder),
        bound,
        builder: StgBuilder::new(name, joint(&components)),
        ids: FxHashMap::default(),
        nodes: Vec::new(),
        refused: Vec::new(),
        budget,
        terms,
    };
    composer.explore()?;
    Ok(FaultyComposition {
        stg: composer.builder.finish_as_built(NodeId(0)),
        configurations: composer.nodes,
        roles: composer.roles,
        channels: composer.channels,
        kinds: composer.kinds.iter().map(|it| it.operation).collect(),
        refused: composer.refused,
    })
}

/// Sender and receiver of all messages, in order of first occurrence.
fn channels(components: &[Stg]) -> Vec<(Role, Role)> {
    let mut found = Vec::new();
    for message in components.iter().flat_map(Stg::messages) {
        let ends = (message.from, message.to);
        if message.direction != Direction::Interaction && !found.contains(&ends) {
            found.push(ends);
        }
    }
    found
}

fn joint(components: &[Stg]) -> Ending {
    if components.iter().all(|it| it.ending() == Ending::Sinks) {
        Ending::Sinks
    } else {
        Ending::Explicit
    }
}

fn names(components: &[Stg], terms: &Terms) -> FxHashSet<String> {
    let variables = components.iter().flat_map(|it| it.variables(terms));
    variables
        .map(|it| terms.variable_text(it).to_owned())
        .collect()
}

/// What a queue must know of a message besides its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) operation: Operation,
    fault: Option<Name>,
    pub(super) fields: Vec<(Option<Name>, Sort)>,
}

pub(super) struct Composer<'a> {
    pub(super) components: &'a [Stg],
    pub(super) roles: Vec<Role>,
    pub(super) channels: Vec<(Role, Role)>,
    pub(super) kinds: Vec<Kind>,
    /// Channel, position, field, sort.
    slots: FxHashMap<(usize, usize, usize, Sort), Var>,
    used: FxHashSet<String>,
    pub(super) faults: &'a FaultModel,
    pub(super) reorders: bool,
    pub(super) bound: usize,
    builder: StgBuilder,
    ids: FxHashMap<FaultyNode, NodeId>,
    nodes: Vec<FaultyNode>,
    refused: Vec<NodeId>,
    budget: &'a Budget,
    pub(super) terms: &'a mut Terms,
}

impl Composer<'_> {
    fn explore(&mut self) -> Result<(), StopReason> {
        let faults = self.faults.faults.iter();
        self.node(FaultyNode {
            places: self.components.iter().map(Stg::initial).collect(),
            queues: vec![Vec::new(); self.channels.len()],
            crashed: vec![false; self.components.len()],
            left: faults.map(|it| it.most.unwrap_or_default()).collect(),
        })?;
        let mut next = 0;
        while next < self.nodes.len() {
            let (source, here) = (NodeId(next as u32), self.nodes[next].clone());
            next += 1;
            self.terminate(source, &here);
            for index in 0..here.places.len() {
                if !here.crashed[index] {
                    self.role(source, &here, index)?;
                }
            }
            for channel in 0..here.queues.len() {
                self.channel_faults(source, &here, channel)?;
            }
            for index in 0..here.places.len() {
                self.crash(source, &here, index)?;
            }
        }
        Ok(())
    }

    /// The steps of a role.
    fn role(&mut self, source: NodeId, here: &FaultyNode, index: usize) -> Result<(), StopReason> {
        let components = self.components;
        for (_, edge) in components[index].outgoing(here.places[index]) {
            let mut after = here.clone();
            after.places[index] = edge.target;
            match &edge.event {
                Event::Tick => {}
                Event::Message(message) if message.direction == Direction::Send => {
                    self.send(source, after, edge, message)?;
                }
                Event::Message(message) if message.direction == Direction::Receive => {
                    self.receive(source, &after, edge, message)?;
                }
                Event::Disturbance(Disturbance::Noticed { crashed, by }) => {
                    if self.is_gone(here, *crashed) && self.nothing_waits(here, *crashed, *by) {
                        self.step(source, after, edge.clone())?;
                    }
                }
                _ => self.step(source, after, edge.clone())?,
            }
        }
        Ok(())
    }

    fn is_gone(&self, here: &FaultyNode, role: Role) -> bool {
        let mut roles = self.roles.iter().zip(&here.crashed);
        roles.any(|(&it, &crashed)| it == role && crashed)
    }

    fn nothing_waits(&self, here: &FaultyNode, from: Role, to: Role) -> bool {
        let channel = self.channels.iter().position(|&it| it == (from, to));
        channel.is_none_or(|channel| here.queues[channel].is_empty())
    }

    fn send(
        &mut self,
        source: NodeId,
        mut after: FaultyNode,
        edge: &Edge,
        message: &Message,
    ) -> Result<(), StopReason> {
        let Some(channel) = self.channel(message) else {
            return Ok(());
        };
        if self.is_gone(&after, message.to) {
            return self.step(source, after, edge.clone());
        }
        let position = after.queues[channel].len();
        if position >= self.bound {
            self.refuse(source);
            return Ok(());
        }
        let kind = self.kind(message);
        after.queues[channel].push(Waiting::once(kind));
        let mut updates = Vec::new();
        for (number, field) in message.fields.iter().enumerate() {
            let value = match field.value {
                FieldValue::Free(term) => term,
                FieldValue::Bind(variable) => self.terms.var(variable),
            };
            let variable = self.slot(channel, position, number, self.terms.sort_of(value));
            updates.push(Update { variable, value });
        }
        updates.extend(&edge.updates);
        let edge = Edge {
            updates,
            ..edge.clone()
        };
        self.step(source, after, edge)
    }

    fn receive(
        &mut self,
        source: NodeId,
        after: &FaultyNode,
        edge: &Edge,
        message: &Message,
    ) -> Result<(), StopReason> {
        let Some(channel) = self.channel(message) else {
            return Ok(());
        };
        let queue = &after.queues[channel];
        let Some(&head) = queue.first() else {
            return Ok(());
        };
        if self.kinds[head.kind] != self.kind_of(message) {
            return Ok(());
        }
        let mut taken = Vec::new();
        let mut conditions = vec![edge.guard];
        let mut fields = Vec::new();
        for (number, field) in message.fields.iter().enumerate() {
            let sort = self.kinds[head.kind].fields[number].1;
            let slot = self.slot(channel, 0, number, sort);
            let value = self.terms.var(slot);
            fields.push(Field {
                label: field.label,
                value: FieldValue::Free(value),
            });
            match field.value {
                FieldValue::Bind(variable) => taken.push(Update { variable, value }),
                FieldValue::Free(asked) => conditions.push(self.terms.equal(value, asked)),
            }
        }
        taken.extend(&edge.updates);
        let guard = self.terms.and(conditions);
        let event = Event::Message(Message {
            fields,
            ..message.clone()
        });
        if head.many {
            let edge = Edge {
                guard,
                event: event.clone(),
                updates: taken.clone(),
                ..edge.clone()
            };
            self.step(source, after.clone(), edge)?;
        }
        let moved = without(queue, 0);
        taken.extend(self.moves(channel, queue, &moved));
        let mut after = after.clone();
        after.queues[channel] = moved.queue;
        let edge = Edge {
            guard,
            event,
            updates: taken,
            ..edge.clone()
        };
        self.step(source, after, edge)
    }

    pub(super) fn refuse(&mut self, source: NodeId) {
        if self.refused.last() != Some(&source) {
            self.refused.push(source);
        }
    }

    fn node(&mut self, configuration: FaultyNode) -> Result<NodeId, StopReason> {
        if let Some(&id) = self.ids.get(&configuration) {
            return Ok(id);
        }
        self.budget.spend()?;
        let label = self.label(&configuration);
        let id = self.builder.node(label);
        self.ids.insert(configuration.clone(), id);
        self.nodes.push(configuration);
        Ok(id)
    }

    fn label(&self, here: &FaultyNode) -> String {
        let mut labels = Vec::new();
        for (index, &place) in here.places.iter().enumerate() {
            labels.push(if here.crashed[index] {
                "✝"
            } else {
                self.components[index].node(place).label.as_str()
            });
        }
        let label = labels.join(".");
        match here.queues.iter().map(Vec::len).sum::<usize>() {
            0 => label,
            waiting => format!("{label}+{waiting}"),
        }
    }

    pub(super) fn step(
        &mut self,
        source: NodeId,
        after: FaultyNode,
        edge: Edge,
    ) -> Result<(), StopReason> {
        let target = self.node(after)?;
        let edge = Edge {
            source,
            target,
            ..edge
        };
        self.builder.edge(self.terms, edge);
        Ok(())
    }

    fn terminate(&mut self, source: NodeId, here: &FaultyNode) {
        if here.queues.iter().any(|it| !it.is_empty()) {
            return;
        }
        let mut guards = Vec::new();
        for (index, component) in self.components.iter().enumerate() {
            if !here.crashed[index] {
                guards.push(component.termination(here.places[index], self.terms));
            }
        }
        let guard = self.terms.and(guards);
        if guard != Term::FALSE {
            self.builder.terminate(self.terms, source, guard, None);
        }
    }

    fn channel(&self, message: &Message) -> Option<usize> {
        let ends = (message.from, message.to);
        self.channels.iter().position(|&known| known == ends)
    }

    fn kind_of(&self, message: &Message) -> Kind {
        let sort = |field: &Field| match field.value {
            FieldValue::Free(term) => self.terms.sort_of(term),
            FieldValue::Bind(variable) => self.terms.variable_sort(variable),
        };
        let fields = message.fields.iter();
        Kind {
            operation: message.operation,
            fault: message.fault,
            fields: fields.map(|field| (field.label, sort(field))).collect(),
        }
    }

    fn kind(&mut self, message: &Message) -> usize {
        let kind = self.kind_of(message);
        match self.kinds.iter().position(|known| *known == kind) {
            Some(known) => known,
            None => {
                self.kinds.push(kind);
                self.kinds.len() - 1
            }
        }
    }

    pub(super) fn slot(
        &mut self,
        channel: usize,
        position: usize,
        field: usize,
        sort: Sort,
    ) -> Var {
        let key = (channel, position, field, sort);
        if let Some(&known) = self.slots.get(&key) {
            return known;
        }
        let place = match position {
            usize::MAX => "aside".to_owned(),
            position => (position + 1).to_string(),
        };
        let mut name = format!("queue{}_{place}_{}", channel + 1, field + 1);
        while !self.used.insert(name.clone()) {
            name.push('\'');
        }
        let name = self.terms.names.intern(&name);
        let variable = self.terms.variable(name, sort);
        self.slots.insert(key, variable);
        variable
    }
}
