//! Asynchronous composition: one bounded FIFO queue per pair of sender and receiver.
//!
//! A node is a tuple of component nodes and the messages that wait in each queue; the *data* of waiting messages are
//! variables, one per queue, position and field, so that the composition stays finite whatever the data.
//!
//! | rule | component | composition |
//! |---|---|---|
//! | SEND | `[φ] o[a,b]!x / A`, the queue from `a` to `b` holds `n` < bound messages | `[φ] o[a,b].x / qₙ₊₁ := x; A` or, hidden, `[φ] τ / qₙ₊₁ := x; A` |
//! | RECEIVE | `[ψ] o[a,b]?<y> / B`, the queue starts with `o` | `[ψ] o[a,b].q₁ / y := q₁; B; q₁ := q₂; …` or, hidden, `τ` with the same updates |
//! | TERM | each may terminate, and all queues are empty | may terminate |
//! | PAR | silent, raised, interaction | the same |
//!
//! Either sendings or receptions are visible ([`Visible`]), as the communication modes of Nguyen's thesis (2.2.3) ask.
//!
//! A hidden sending settles the values that it brings when it happens, not when they are received: it chooses them.
//! One parameter would do where they are bound at most once in every run; but that depends on how other uses of the
//! variable are called, and a composition asks about all values of it.
//!
//! Limits: where one message both binds a variable and carries a term over it, the term is read after the binding.
//! The time that all share does not pass (`χ` is left out); the clock of a role ticks for it alone, as silent steps do.

use choros_base::{Budget, Name, StopReason};
use choros_data::{Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::demand::Outstanding;
use super::graph::joint_label;
use super::half::{Half, half};
use super::hidden::{Unseen, silence};
use super::pace::{Pace, Plan};
use super::synchronise::Scratch;
use super::variables::make_disjoint;
use super::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};

/// Which half of an interaction an observer sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visible {
    /// Sendings; receptions are silent.
    Sendings,
    /// Receptions; sendings are silent.
    Receptions,
}

/// A composition over queues.
#[derive(Debug, Clone)]
pub struct QueuedComposition {
    /// The graph; labels are those of the components, and how many messages wait where any do: `3.4.2+1`.
    pub stg: Stg,
    /// For each node, how many messages wait in all queues together.
    pub in_flight: Vec<usize>,
    /// For each node, where the components stand and what waits.
    pub configurations: Vec<QueuedNode>,
    /// Sender and receiver of each queue.
    pub channels: Vec<(Role, Role)>,
    /// The operations of the messages that queues may hold, by their kind.
    pub kinds: Vec<Operation>,
    /// For each node what is sent in any case but was put off, where messages are sent on demand; otherwise empty.
    pub outstanding: Vec<Outstanding>,
    /// Nodes in which something was not sent because a queue was full.
    pub refused: Vec<NodeId>,
    /// Whether something was not sent because a queue was full: then the graph lacks behaviour.
    pub bound_reached: bool,
}

/// Composes graphs of roles over queues that hold at most `bound` messages each.
///
/// `budget` is spent by the node.
pub fn queues(
    name: impl Into<String>,
    components: &[&Stg],
    visible: Visible,
    bound: usize,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<QueuedComposition, StopReason> {
    compose(name, components, visible, bound, Pace::Any, budget, terms)
}

/// As [`queues`], but `None` as soon as a queue is full.
pub fn queues_unless_full(
    name: impl Into<String>,
    components: &[&Stg],
    visible: Visible,
    bound: usize,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Option<QueuedComposition>, StopReason> {
    let pace = Pace::AnyUnlessFull;
    let queued = compose(name, components, visible, bound, pace, budget, terms)?;
    Ok(Some(queued).filter(|it| !it.bound_reached))
}

/// As [`queues`] with visible sendings, but messages are received at once where no observer could tell the difference.
///
/// The composition is branching bisimilar to the one in which all receptions take their time, and it has fewer
/// configurations and shorter queues: where it does not reach the bound, it says what happens over unbounded queues.
/// A message can still be received, and a component can still move, in this composition iff they can in that one.
/// How many messages may be in flight at once it does not say.
pub fn prompt_queues(
    name: impl Into<String>,
    components: &[&Stg],
    bound: usize,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<QueuedComposition, StopReason> {
    let visible = Visible::Sendings;
    compose(
        name,
        components,
        visible,
        bound,
        Pace::Prompt,
        budget,
        terms,
    )
}

/// As [`queues`] with visible receptions, but where a component can do nothing but send, it does so only when someone
/// needs the message.
///
/// The composition is branching bisimilar to the one in which all sendings take their time, and it has fewer
/// configurations and shorter queues: where it does not reach the bound, it says what happens over unbounded queues.
/// What is sent in any case from a node is [`QueuedComposition::outstanding`]: with these messages in their queues, and the
/// components where they stand then, a message can still be received, and a component can still move, in this
/// composition iff they can in that one.
pub fn queues_on_demand(
    name: impl Into<String>,
    components: &[&Stg],
    bound: usize,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<QueuedComposition, StopReason> {
    let visible = Visible::Receptions;
    compose(
        name,
        components,
        visible,
        bound,
        Pace::Demand,
        budget,
        terms,
    )
}

fn compose(
    name: impl Into<String>,
    components: &[&Stg],
    visible: Visible,
    bound: usize,
    pace: Pace,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<QueuedComposition, StopReason> {
    let (components, scratch) = make_disjoint(components, terms);
    let ending = Ending::joint(&components);
    let mut channels: Vec<(Role, Role)> = Vec::new();
    for message in components.iter().flat_map(Stg::messages) {
        let ends = (message.from, message.to);
        if message.direction != Direction::Interaction && !channels.contains(&ends) {
            channels.push(ends);
        }
    }
    let mut composer = Composer {
        components: &components,
        channels,
        kinds: Vec::new(),
        slots: FxHashMap::default(),
        scratch,
        visible,
        bound,
        builder: StgBuilder::new(name, ending),
        ids: FxHashMap::default(),
        nodes: Vec::new(),
        brought: FxHashSet::default(),
        refused: Vec::new(),
        budget,
        terms,
    };
    let channels = composer.channels.len();
    let halves = composer.halves();
    let plan = Plan::of(pace, &components, halves, channels, composer.terms);
    composer.explore(&plan)?;
    let outstanding = plan.outstanding(&composer.nodes);
    let in_flight = composer.nodes.iter().map(QueuedNode::waiting).collect();
    let brought = composer.brought;
    let stg = composer.builder.finish_as_built(NodeId(0));
    let stg = if brought.is_empty() {
        stg
    } else {
        let hidden = |edge: &Edge| {
            let mut bound = edge.event.bound_variables();
            edge.event.is_silent() && bound.any(|variable| brought.contains(&variable))
        };
        silence(&stg, &hidden, Unseen::Chosen, composer.terms)
    };
    Ok(QueuedComposition {
        in_flight,
        channels: composer.channels,
        kinds: composer.kinds.iter().map(|kind| kind.operation).collect(),
        configurations: composer.nodes,
        outstanding,
        bound_reached: !composer.refused.is_empty(),
        refused: composer.refused,
        stg,
    })
}

/// A node of the composition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QueuedNode {
    /// For each component the node it is in.
    pub places: Vec<NodeId>,
    /// For each channel the kinds of messages that wait, the oldest first.
    pub queues: Vec<Vec<usize>>,
}

/// What a queue must know of a message besides its data.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    operation: Operation,
    fault: Option<Name>,
    fields: Vec<(Option<Name>, Sort)>,
}

struct Composer<'a> {
    components: &'a [Stg],
    channels: Vec<(Role, Role)>,
    kinds: Vec<Kind>,
    /// Channel, position, field, sort.
    slots: FxHashMap<(usize, usize, usize, Sort), Var>,
    scratch: Scratch,
    visible: Visible,
    bound: usize,
    builder: StgBuilder,
    ids: FxHashMap<QueuedNode, NodeId>,
    nodes: Vec<QueuedNode>,
    /// Variables that hidden sendings bind.
    brought: FxHashSet<Var>,
    refused: Vec<NodeId>,
    budget: &'a Budget,
    terms: &'a mut Terms,
}

impl<'a> Composer<'a> {
    /// For each edge of each component what it has to do with queues.
    fn halves(&mut self) -> Vec<Vec<Half>> {
        let mut halves = Vec::new();
        for component in self.components {
            let mut own = Vec::new();
            for edge in component.edges() {
                own.push(half(edge, |message| {
                    self.channel(message)
                        .map(|channel| (channel, self.kind(message)))
                }));
            }
            halves.push(own);
        }
        halves
    }

    fn explore(&mut self, plan: &Plan<'_>) -> Result<(), StopReason> {
        self.node(QueuedNode {
            places: self.components.iter().map(Stg::initial).collect(),
            queues: vec![Vec::new(); self.channels.len()],
        })?;
        let components = self.components;
        let mut next = 0;
        while next < self.nodes.len() && (self.refused.is_empty() || !plan.ends_when_full()) {
            let (source, here) = (NodeId(next as u32), self.nodes[next].clone());
            next += 1;
            if here.waiting() == 0 {
                self.terminate(source, &here);
            }
            if let Some((index, edge)) = plan.at_once(&here, self.terms) {
                let edge = components[index].edge(edge);
                if let Some(message) = edge.event.message() {
                    self.receive(source, &here, index, edge, message)?;
                }
                continue;
            }
            let put_off = plan.put_off(&here);
            for (index, &place) in here.places.iter().enumerate() {
                if put_off[index] {
                    continue;
                }
                for (_, edge) in components[index].outgoing(place) {
                    match &edge.event {
                        Event::Tick => {}
                        Event::Message(message) if message.direction == Direction::Send => {
                            self.send(source, &here, index, edge, message)?;
                        }
                        Event::Message(message) if message.direction == Direction::Receive => {
                            self.receive(source, &here, index, edge, message)?;
                        }
                        _ => {
                            let mut after = here.clone();
                            after.places[index] = edge.target;
                            self.step(source, after, edge.clone())?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, configuration: QueuedNode) -> Result<NodeId, StopReason> {
        if let Some(&id) = self.ids.get(&configuration) {
            return Ok(id);
        }
        self.budget.spend()?;
        let places = joint_label(&configuration.places, self.components);
        let label = match configuration.waiting() {
            0 => places,
            waiting => format!("{places}+{waiting}"),
        };
        let id = self.builder.node(label);
        self.ids.insert(configuration.clone(), id);
        self.nodes.push(configuration);
        Ok(id)
    }

    fn step(&mut self, source: NodeId, after: QueuedNode, edge: Edge) -> Result<(), StopReason> {
        let target = self.node(after)?;
        let edge = Edge {
            source,
            target,
            ..edge
        };
        self.builder.edge(self.terms, edge);
        Ok(())
    }

    /// TERM; a component with several ways to terminate may use any.
    fn terminate(&mut self, source: NodeId, here: &QueuedNode) {
        let mut guards = Vec::new();
        for (component, &place) in self.components.iter().zip(&here.places) {
            guards.push(component.termination(place, self.terms));
        }
        let guard = self.terms.and(guards);
        if guard != Term::FALSE {
            self.builder.terminate(self.terms, source, guard, None);
        }
    }

    fn send(
        &mut self,
        source: NodeId,
        here: &QueuedNode,
        index: usize,
        edge: &Edge,
        message: &Message,
    ) -> Result<(), StopReason> {
        let Some(channel) = self.channel(message) else {
            return Ok(());
        };
        let position = here.queues[channel].len();
        if position >= self.bound {
            if self.refused.last() != Some(&source) {
                self.refused.push(source);
            }
            return Ok(());
        }
        let kind = self.kind(message);
        let mut after = here.clone();
        after.places[index] = edge.target;
        after.queues[channel].push(kind);
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
        let event = match self.visible {
            Visible::Sendings => Event::Message(Message {
                direction: Direction::Interaction,
                ..message.clone()
            }),
            Visible::Receptions => {
                let bound: Vec<Var> = edge.event.bound_variables().collect();
                self.brought.extend(&bound);
                Event::silent(bound)
            }
        };
        let edge = Edge {
            event,
            updates,
            ..edge.clone()
        };
        self.step(source, after, edge)
    }

    fn receive(
        &mut self,
        source: NodeId,
        here: &QueuedNode,
        index: usize,
        edge: &Edge,
        message: &Message,
    ) -> Result<(), StopReason> {
        let Some(channel) = self.channel(message) else {
            return Ok(());
        };
        let queue = &here.queues[channel];
        let Some(&head) = queue.first() else {
            return Ok(());
        };
        if self.kinds[head] != self.kind_of(message) {
            return Ok(());
        }
        let mut updates = Vec::new();
        let mut conditions = vec![edge.guard];
        let mut fields = Vec::new();
        for (number, field) in message.fields.iter().enumerate() {
            let sort = self.kinds[head].fields[number].1;
            let slot = self.slot(channel, 0, number, sort);
            let value = self.terms.var(slot);
            fields.push(Field {
                label: field.label,
                value: FieldValue::Free(value),
            });
            match field.value {
                FieldValue::Bind(variable) => updates.push(Update { variable, value }),
                FieldValue::Free(asked) => conditions.push(self.terms.equal(value, asked)),
            }
        }
        updates.extend(&edge.updates);
        // Everyone in the queue moves up.
        for (position, &kind) in queue.iter().enumerate().skip(1) {
            for number in 0..self.kinds[kind].fields.len() {
                let sort = self.kinds[kind].fields[number].1;
                let from = self.slot(channel, position, number, sort);
                let variable = self.slot(channel, position - 1, number, sort);
                let value = self.terms.var(from);
                updates.push(Update { variable, value });
            }
        }
        let event = match self.visible {
            Visible::Sendings => Event::Silent,
            Visible::Receptions => Event::Message(Message {
                direction: Direction::Interaction,
                fields,
                ..message.clone()
            }),
        };
        let mut after = here.clone();
        after.places[index] = edge.target;
        after.queues[channel].remove(0);
        let edge = Edge {
            guard: self.terms.and(conditions),
            event,
            updates,
            ..edge.clone()
        };
        self.step(source, after, edge)
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

    fn slot(&mut self, channel: usize, position: usize, field: usize, sort: Sort) -> Var {
        if let Some(&known) = self.slots.get(&(channel, position, field, sort)) {
            return known;
        }
        let name = format!("queue{}_{}_{}", channel + 1, position + 1, field + 1);
        let name = self.scratch.name(&name);
        let name = self.terms.names.intern(&name);
        let variable = self.terms.variable(name, sort);
        self.slots
            .insert((channel, position, field, sort), variable);
        variable
    }
}

impl QueuedNode {
    fn waiting(&self) -> usize {
        self.queues.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::super::{read_stg, write_stg};
    use super::*;

    fn read(text: &str, terms: &mut Terms) -> Stg {
        let mut sources = SourceMap::new();
        let file = sources.add("test.stg", text);
        let (stg, diagnostics) = read_stg(file, text, terms);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        stg
    }

    fn compose(visible: Visible, bound: usize) -> (QueuedComposition, Terms) {
        let mut terms = Terms::new();
        let a = read(
            "stg a explicit\ninitial 0\n0 -> 1: m[a,b]!<x>\n1 -> 2: n[a,b]!x\n2: end\n",
            &mut terms,
        );
        let b = read(
            "stg b explicit\ninitial 0\n0 -> 1: m[a,b]?<y>\n1 -> 2: [y > 0] n[a,b]?<z>\n2: end\n",
            &mut terms,
        );
        let queued = queues(
            "q",
            &[&a, &b],
            visible,
            bound,
            &Budget::unlimited(),
            &mut terms,
        );
        (queued.expect("no bound"), terms)
    }

    #[test]
    fn sendings_are_seen_and_receptions_move_the_queue_up() {
        let (queued, terms) = compose(Visible::Sendings, 2);
        assert_eq!(
            write_stg(&queued.stg, &terms),
            "\
stg q explicit
variables queue1_1_1: Int, queue1_2_1: Int, x: Int, y: Int, z: Int
initial 0
node 0 \"0.0\"
node 1 \"1.0+1\"
node 2 \"2.0+2\"
node 3 \"1.1\"
node 4 \"2.1+1\"
node 5 \"2.2\"
0 -> 1: m[a,b].<x> / queue1_1_1 := x
1 -> 2: n[a,b].x / queue1_2_1 := x
1 -> 3: tau / y := queue1_1_1
2 -> 4: tau / y := queue1_1_1; queue1_1_1 := queue1_2_1
3 -> 4: n[a,b].x / queue1_1_1 := x
4 -> 5: [y > 0] tau / z := queue1_1_1
5: end
"
        );
        assert!(!queued.bound_reached);
        assert_eq!(queued.in_flight, [0, 1, 2, 0, 1, 0]);
    }

    #[test]
    fn a_full_queue_is_told() {
        let (queued, _) = compose(Visible::Receptions, 1);
        assert!(queued.bound_reached);
        assert!(queued.in_flight.iter().all(|&waiting| waiting <= 1));
    }
}
