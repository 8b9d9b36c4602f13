//! The graph that is executed: a model, or a model in step with a test purpose.
//!
//! It differs from [`Stg`] in three things that the rules of the product and of the tree need: termination is an
//! edge (`√`) with a target, acceptance (`#`) is a label, and a state remembers which node of the model it belongs to.

use choros_base::{Name, Span};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{EdgeId, Ending, Event, Message, NodeId, Stg, StgCounts, Update};
use rustc_hash::FxHashSet;

/// A state of the graph that is executed; a position in [`Graph::states`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

choros_base::indices!(StateId);

/// A graph that can be executed symbolically.
#[derive(Debug, Clone)]
pub struct Graph {
    pub name: String,
    /// Where runs start.
    pub initial: StateId,
    pub states: Vec<State>,
    /// Its variables, in order of first occurrence: those of the model, then those of the purpose.
    pub variables: Vec<Var>,
    /// Whether `√` is counted as a transition.
    pub ending: Ending,
    edges: Vec<GraphEdge>,
    /// `edges[first[s]..first[s + 1]]` leave state `s`.
    first: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The node of the model; none after `√`, where the model has no node for it.
    pub node: Option<NodeId>,
    /// The state of the purpose, a position among its states.
    pub purpose: Option<usize>,
    /// How people call it.
    pub label: String,
}

#[derive(Debug, Clone)]
pub struct GraphEdge {
    /// Where it starts.
    pub source: StateId,
    /// Where it leads.
    pub target: StateId,
    /// When it may be taken.
    pub guard: Term,
    /// What it does.
    pub label: EdgeLabel,
    /// Assignments carried out after the event, in order.
    pub updates: Vec<Update>,
    /// What must hold of the values that the event brings, see [`choros_model::stg::Edge::accepts`].
    pub accepts: Term,
    /// Where it comes from in the model.
    pub of: EdgeOrigin,
    /// The transition of the purpose that is taken with it, a position among its transitions.
    pub purpose: Option<usize>,
    /// Where it is written: in the model, or in the purpose.
    pub origin: Option<Span>,
}

/// Which part of the model an edge stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeOrigin {
    Edge(EdgeId),
    /// The termination at this position of this node.
    Termination(NodeId, usize),
    /// None: a step of the purpose alone.
    Purpose,
}

/// What an edge does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EdgeLabel {
    /// `τ`.
    Silent,
    /// `τ` that gives variables new values.
    Choose(Vec<Var>),
    /// `χ`.
    Tick,
    /// A fault is raised.
    Raise(Name),
    Message(Message),
    /// `√`.
    End,
    /// `#`.
    Accept,
}

/// Puts a graph together.
#[derive(Debug)]
pub(crate) struct GraphBuilder {
    pub states: Vec<State>,
    pub edges: Vec<GraphEdge>,
}

impl Graph {
    /// The graph of a model on its own.
    pub fn of_model(stg: &Stg, terms: &mut Terms) -> Graph {
        let mut builder = GraphBuilder {
            states: stg
                .node_ids()
                .map(|node| State {
                    node: Some(node),
                    purpose: None,
                    label: stg.node(node).label.clone(),
                })
                .collect(),
            edges: Vec::new(),
        };
        let stopped = match stg.ending() {
            Ending::Stopped => stg.stopped(),
            Ending::Explicit | Ending::Sinks => None,
        };
        let ends = stg.nodes().iter().any(|node| !node.terminations.is_empty());
        let ended = match stopped {
            Some(node) => StateId(node.0),
            None => {
                let next = StateId(builder.states.len() as u32);
                if ends {
                    builder.states.push(State {
                        node: None,
                        purpose: None,
                        label: "√".to_owned(),
                    });
                }
                next
            }
        };
        for node in stg.node_ids() {
            for (id, edge) in stg.outgoing(node) {
                builder.edges.push(GraphEdge {
                    source: StateId(node.0),
                    target: StateId(edge.target.0),
                    guard: edge.guard,
                    label: EdgeLabel::of(&edge.event),
                    updates: edge.updates.clone(),
                    accepts: edge.accepts(terms),
                    of: EdgeOrigin::Edge(id),
                    purpose: None,
                    origin: edge.origin,
                });
            }
            for (position, termination) in stg.node(node).terminations.iter().enumerate() {
                builder.edges.push(GraphEdge {
                    source: StateId(node.0),
                    target: ended,
                    guard: termination.guard,
                    label: EdgeLabel::End,
                    updates: Vec::new(),
                    accepts: Term::TRUE,
                    of: EdgeOrigin::Termination(node, position),
                    purpose: None,
                    origin: termination.origin,
                });
            }
        }
        builder.finish(
            stg.name().to_owned(),
            StateId(stg.initial().0),
            stg.variables(terms),
            stg.ending(),
        )
    }

    /// The same without edges: nothing but the first state.
    #[must_use]
    pub fn root(&self) -> Graph {
        let builder = GraphBuilder {
            states: vec![self.state(self.initial).clone()],
            edges: Vec::new(),
        };
        builder.finish(
            self.name.clone(),
            StateId(0),
            self.variables.clone(),
            self.ending,
        )
    }

    /// All edges, sorted by source.
    pub fn edges(&self) -> &[GraphEdge] {
        &self.edges
    }

    pub fn edge(&self, index: usize) -> &GraphEdge {
        &self.edges[index]
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The edges that leave a state, with their positions.
    pub fn outgoing(&self, state: StateId) -> impl Iterator<Item = (usize, &GraphEdge)> {
        let range = self.first[state.index()]..self.first[state.index() + 1];
        range.map(|index| (index as usize, &self.edges[index as usize]))
    }

    /// Its sizes, in the way in which those of its model are counted.
    pub fn counts(&self) -> StgCounts {
        let counted = |edge: &&GraphEdge| self.ending.is_step() || edge.label != EdgeLabel::End;
        let messages: FxHashSet<_> = self
            .edges
            .iter()
            .filter_map(|edge| match &edge.label {
                EdgeLabel::Message(message) => Some((message.operation, message.from, message.to)),
                _ => None,
            })
            .collect();
        StgCounts {
            states: self
                .states
                .iter()
                .filter(|state| self.ending.is_step() || state.node.is_some())
                .count(),
            transitions: self.edges.iter().filter(counted).count(),
            messages: messages.len(),
        }
    }
}

impl GraphBuilder {
    pub(crate) fn finish(
        mut self,
        name: String,
        initial: StateId,
        variables: Vec<Var>,
        ending: Ending,
    ) -> Graph {
        self.edges.sort_by_key(|edge| edge.source);
        let mut first = vec![0; self.states.len() + 1];
        for edge in &self.edges {
            first[edge.source.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Graph {
            name,
            initial,
            states: self.states,
            variables,
            ending,
            edges: self.edges,
            first,
        }
    }
}

impl EdgeLabel {
    fn of(event: &Event) -> EdgeLabel {
        match event {
            Event::Silent => EdgeLabel::Silent,
            Event::Choose(chosen) => EdgeLabel::Choose(chosen.clone()),
            Event::Tick | Event::TickOf(_) => EdgeLabel::Tick,
            Event::Raise(fault) => EdgeLabel::Raise(*fault),
            // A test cannot tell whether a partner has crashed or is slow.
            Event::Disturbance(_) => EdgeLabel::Silent,
            Event::Message(message) => EdgeLabel::Message(message.clone()),
        }
    }

    /// Whether it is `τ`.
    pub fn is_silent(&self) -> bool {
        matches!(self, EdgeLabel::Silent | EdgeLabel::Choose(_))
    }

    /// Whether it counts for the depth of a tree: everything does but `τ` and `#`.
    pub fn counts(&self) -> bool {
        !self.is_silent() && *self != EdgeLabel::Accept
    }
}
