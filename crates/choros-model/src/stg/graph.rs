//! The graph and its builder.

use choros_base::Span;
use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashSet;

use super::{Event, Message, Operation, Role, definedness};

/// Index of a node in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Index of an edge in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

choros_base::indices!(NodeId, EdgeId);

/// A symbolic transition graph.
///
/// Guards are closed ([`Terms::close`]): they are false where one of their operations, or one of those in the event
/// and the updates, is undefined.
#[derive(Debug, Clone)]
pub struct Stg {
    name: String,
    initial: NodeId,
    ending: Ending,
    nodes: Vec<Node>,
    /// Sorted by source, otherwise in the order of building.
    edges: Vec<Edge>,
    /// `edges[first[n]..first[n + 1]]` leave node `n`.
    first: Vec<u32>,
    unreached: Vec<Unreached>,
    /// How many milliseconds a tick has, where the model says so.
    tick: Option<u64>,
    /// The messages of which a receiver drops every copy but the first.
    once: Vec<(Operation, Role, Role)>,
}

/// A step that is written in the model and that no edge stands for, because no run comes to it, whatever the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// What it would do.
    pub event: Event,
    /// Where it is written.
    pub origin: Span,
}

/// How termination was given, which decides how it is counted and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By the language: `√` is a visible step, and counts as a transition to one more state.
    Explicit,
    /// By the language, as with [`Ending::Explicit`], and what has ended is the same state as what was stopped: `√`
    /// counts as a transition to the node without edges and terminations, if there is one (the `0` of an orchestration).
    Stopped,
    /// By convention: nodes without outgoing edges terminate, and nothing is counted for it.
    Sinks,
}

impl Ending {
    /// Whether `√` is a visible step, wherever it leads.
    pub fn is_step(self) -> bool {
        self != Ending::Sinks
    }

    /// How a composition of graphs ends: by the language as soon as one of them does.
    pub(super) fn joint(components: &[Stg]) -> Ending {
        if components.iter().any(|one| one.ending().is_step()) {
            Ending::Explicit
        } else {
            Ending::Sinks
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Node {
    /// How people call it: the number or label in the source, or its position.
    pub label: String,
    /// When it may terminate: under any of these conditions.
    pub terminations: Vec<Termination>,
}

/// One way for a node to terminate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Termination {
    /// The condition.
    pub guard: Term,
    /// Where it is written.
    pub origin: Option<Span>,
}

#[derive(Debug, Clone)]
pub struct Edge {
    /// Where it starts.
    pub source: NodeId,
    /// Where it leads.
    pub target: NodeId,
    /// When it may fire.
    pub guard: Term,
    /// What it does.
    pub event: Event,
    /// Assignments carried out after the event, in order.
    pub updates: Vec<Update>,
    /// Where it is written.
    pub origin: Option<Span>,
}

/// `variable := value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Update {
    /// What is assigned.
    pub variable: Var,
    /// The term whose value it gets.
    pub value: Term,
}

/// Sizes as they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StgCounts {
    /// Nodes, and one more for the target of `√` where endings are explicit.
    pub states: usize,
    /// Edges, and one more for each `√` where endings are explicit.
    pub transitions: usize,
    /// Distinct operation, sender and receiver.
    pub messages: usize,
}

impl Stg {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where runs start.
    pub fn initial(&self) -> NodeId {
        self.initial
    }

    /// How termination was given.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// All nodes; a [`NodeId`] is a position here.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All edges, sorted by source; an [`EdgeId`] is a position here.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The edges that leave a node, with their ids.
    pub fn outgoing(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let range = self.first[node.index()]..self.first[node.index() + 1];
        range.map(|index| (EdgeId(index), &self.edges[index as usize]))
    }

    /// All messages on edges, in the order of edges.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.edges.iter().filter_map(|edge| edge.event.message())
    }

    /// The roles in order of first occurrence.
    pub fn roles(&self) -> Vec<Role> {
        let mut seen = FxHashSet::default();
        self.messages()
            .flat_map(|message| [message.from, message.to])
            .filter(|&role| seen.insert(role))
            .collect()
    }

    /// The distinct triples of operation, sender and receiver, in order of first occurrence.
    pub fn alphabet(&self) -> Vec<(Operation, Role, Role)> {
        let mut seen = FxHashSet::default();
        self.messages()
            .map(|message| (message.operation, message.from, message.to))
            .filter(|&triple| seen.insert(triple))
            .collect()
    }

    /// The first node with neither edges nor terminations.
    pub fn stopped(&self) -> Option<NodeId> {
        self.node_ids().find(|&node| self.has_nothing(node))
    }

    /// Whether nothing leaves a node although it has not ended; what [`Ending::Stopped`] calls the end is one.
    pub fn is_stuck(&self, node: NodeId) -> bool {
        self.has_nothing(node) && !(self.ending == Ending::Stopped && self.stopped() == Some(node))
    }

    fn has_nothing(&self, node: NodeId) -> bool {
        self.outgoing(node).next().is_none() && self.node(node).terminations.is_empty()
    }

    /// Its sizes.
    pub fn counts(&self) -> StgCounts {
        let terminations: usize = match self.ending {
            Ending::Explicit | Ending::Stopped => {
                self.nodes.iter().map(|node| node.terminations.len()).sum()
            }
            Ending::Sinks => 0,
        };
        let counted_already = self.ending == Ending::Stopped && self.stopped().is_some();
        StgCounts {
            states: self.nodes.len() + usize::from(terminations > 0 && !counted_already),
            transitions: self.edges.len() + terminations,
            messages: self.alphabet().len(),
        }
    }

    /// The steps that are written and no part of the graph.
    pub fn unreached(&self) -> &[Unreached] {
        &self.unreached
    }

    /// The same graph, which leaves out these written steps.
    #[must_use]
    pub fn with_unreached(mut self, unreached: Vec<Unreached>) -> Self {
        self.unreached = unreached;
        self
    }

    /// How many milliseconds a tick has; `None` where the model leaves the unit of time open, or has no clocks.
    pub fn tick(&self) -> Option<u64> {
        self.tick
    }

    /// The same graph with ticks of this length.
    #[must_use]
    pub fn with_tick(mut self, milliseconds: Option<u64>) -> Self {
        self.tick = milliseconds;
        self
    }

    /// The messages of which a receiver drops every copy but the first, so that a network that doubles them does no harm.
    pub fn once(&self) -> &[(Operation, Role, Role)] {
        &self.once
    }

    /// The same graph, with messages that are taken once.
    #[must_use]
    pub fn with_once(mut self, once: Vec<(Operation, Role, Role)>) -> Self {
        self.once = once;
        self
    }

    /// The roles whose own clocks tick, in order of first occurrence.
    pub fn clocks(&self) -> Vec<Role> {
        let mut seen = FxHashSet::default();
        let ticks = self.edges.iter().filter_map(|edge| match edge.event {
            Event::TickOf(role) => Some(role),
            _ => None,
        });
        ticks.filter(|&role| seen.insert(role)).collect()
    }

    /// The same graph under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same graph with other edges and other guards of terminations; nodes and their order stay.
    pub fn map(
        &self,
        terms: &mut Terms,
        mut edge: impl FnMut(&mut Terms, &Edge) -> Edge,
        mut guard: impl FnMut(&mut Terms, Term) -> Term,
    ) -> Stg {
        let mut builder = StgBuilder::new(self.name.clone(), self.ending);
        for node in &self.nodes {
            let new = builder.node(node.label.clone());
            for termination in &node.terminations {
                let guard = guard(terms, termination.guard);
                builder.terminate(terms, new, guard, termination.origin);
            }
        }
        for old in &self.edges {
            let new = edge(terms, old);
            builder.edge(terms, new);
        }
        let mapped = builder.finish_as_built(self.initial);
        mapped
            .with_unreached(self.unreached.clone())
            .with_tick(self.tick)
            .with_once(self.once.clone())
    }

    /// The condition under which a node may terminate.
    pub fn termination(&self, node: NodeId, terms: &mut Terms) -> Term {
        terms.or(self
            .node(node)
            .terminations
            .iter()
            .map(|termination| termination.guard))
    }
}

/// The label of a tuple of nodes, one of each component: theirs joined by dots, as in `3.4.2`.
pub(super) fn joint_label(places: &[NodeId], components: &[Stg]) -> String {
    let labels: Vec<&str> = places
        .iter()
        .zip(components)
        .map(|(&node, component)| component.node(node).label.as_str())
        .collect();
    labels.join(".")
}

/// Puts a graph together.
///
/// Edges with the same source, guard, event, updates and target are one edge, as are terminations of one node with
/// the same guard.
#[derive(Debug)]
pub struct StgBuilder {
    name: String,
    ending: Ending,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl StgBuilder {
    /// An empty graph.
    pub fn new(name: impl Into<String>, ending: Ending) -> Self {
        Self {
            name: name.into(),
            ending,
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Adds a node.
    pub fn node(&mut self, label: impl Into<String>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            label: label.into(),
            terminations: Vec::new(),
        });
        id
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Adds an edge; its guard is closed here, over the event's and updates' operations too ([`Edge::accepts`] has
    /// what cannot be said before the event).
    ///
    /// An edge whose guard is the constant *false* is kept: that it is dead is for the analysis to say.
    pub fn edge(&mut self, terms: &mut Terms, mut edge: Edge) -> Term {
        edge.guard = definedness::close_edge(&edge, terms);
        let guard = edge.guard;
        self.edges.push(edge);
        guard
    }

    /// Lets a node terminate under a condition, which is closed here.
    pub fn terminate(
        &mut self,
        terms: &mut Terms,
        node: NodeId,
        guard: Term,
        origin: Option<Span>,
    ) {
        let guard = definedness::close(guard, &[], terms);
        let terminations = &mut self.nodes[node.index()].terminations;
        if !terminations
            .iter()
            .any(|termination| termination.guard == guard)
        {
            terminations.push(Termination { guard, origin });
        }
    }

    /// The graph; with [`Ending::Sinks`], nodes without outgoing edges terminate, whatever was said of them.
    pub fn finish(mut self, initial: NodeId) -> Stg {
        if self.ending == Ending::Sinks {
            let mut sink = vec![true; self.nodes.len()];
            for edge in &self.edges {
                sink[edge.source.index()] = false;
            }
            for (node, _) in self.nodes.iter_mut().zip(sink).filter(|(_, sink)| *sink) {
                node.terminations = vec![Termination {
                    guard: Term::TRUE,
                    origin: None,
                }];
            }
        }
        self.finish_as_built(initial)
    }

    /// The graph with the terminations that were added and no others.
    ///
    /// For graphs made from graphs: a node that a transformation leaves without outgoing edges is stuck, and must
    /// not be taken for one that terminates.
    pub fn finish_as_built(mut self, initial: NodeId) -> Stg {
        // Most graphs are built in this order, and sorting would ask for memory first.
        if !self.edges.is_sorted_by_key(|edge| edge.source) {
            self.edges.sort_by_key(|edge| edge.source);
        }
        self.drop_repeated();
        self.edges.shrink_to_fit();
        let mut first = vec![0; self.nodes.len() + 1];
        for edge in &self.edges {
            first[edge.source.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Stg {
            name: self.name,
            initial,
            ending: self.ending,
            nodes: self.nodes,
            edges: self.edges,
            first,
            unreached: Vec::new(),
            tick: None,
            once: Vec::new(),
        }
    }

    /// Keeps the first of equal edges; they are sorted by source.
    ///
    /// Done at the end, node by node, because a set of all edges would be as large as the graph.
    fn drop_repeated(&mut self) {
        let mut repeated = vec![false; self.edges.len()];
        let mut start = 0;
        for leaving in self.edges.chunk_by(|one, other| one.source == other.source) {
            let mut seen = FxHashSet::default();
            for (position, edge) in leaving.iter().enumerate() {
                let key = (edge.target, edge.guard, &edge.event, &edge.updates);
                repeated[start + position] = leaving.len() > 1 && !seen.insert(key);
            }
            start += leaving.len();
        }
        let mut position = 0;
        self.edges.retain(|_| {
            position += 1;
            !repeated[position - 1]
        });
    }
}
