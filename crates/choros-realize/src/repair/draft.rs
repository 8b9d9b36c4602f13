//! A choreography while messages are added to it.

use choros_base::Span;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, EdgeId, Ending, Event, Field, FieldValue, Message, Node, NodeId, Operation,
    Role, Stg, StgBuilder, Update,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Addition, Class};

/// A graph that grows; nodes and edges keep their numbers.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    name: String,
    ending: Ending,
    initial: usize,
    nodes: Vec<Node>,
    pub(super) edges: Vec<DraftEdge>,
    pub(super) additions: Vec<Addition>,
    labels: FxHashSet<String>,
    messages: FxHashSet<(Operation, Role, Role)>,
    /// How many names were tried for a class between two roles.
    numbers: FxHashMap<(String, Role, Role), usize>,
}

#[derive(Debug, Clone)]
pub(super) struct DraftEdge {
    pub(super) source: usize,
    pub(super) target: usize,
    guard: Term,
    event: Event,
    updates: Vec<Update>,
    origin: Option<Span>,
    /// The node it leaves in the original; of an addition, the node that came with it.
    home: usize,
    pub(super) addition: Option<usize>,
}

/// Where a message is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Before a transition, on its branch.
    Before(usize),
    /// Before everything that leaves a state.
    State(usize),
    /// After a transition.
    Behind(usize),
}

/// A message and where it goes.
#[derive(Debug, Clone)]
pub(super) struct Fix {
    pub(super) place: Place,
    pub(super) class: Class,
    pub(super) from: Role,
    pub(super) to: Role,
    pub(super) carries: Option<Var>,
    pub(super) reason: String,
}

impl Draft {
    pub(super) fn of(stg: &Stg) -> Draft {
        Draft {
            name: stg.name().to_owned(),
            ending: stg.ending(),
            initial: stg.initial().index(),
            nodes: stg.nodes().to_vec(),
            edges: stg
                .edges()
                .iter()
                .map(|edge| DraftEdge {
                    source: edge.source.index(),
                    target: edge.target.index(),
                    guard: edge.guard,
                    event: edge.event.clone(),
                    updates: edge.updates.clone(),
                    origin: edge.origin,
                    home: edge.source.index(),
                    addition: None,
                })
                .collect(),
            additions: Vec::new(),
            labels: stg.nodes().iter().map(|node| node.label.clone()).collect(),
            messages: stg.alphabet().into_iter().collect(),
            numbers: FxHashMap::default(),
        }
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn message(&self, edge: usize) -> Option<&Message> {
        self.edges[edge].event.message()
    }

    pub(super) fn guard(&self, edge: usize) -> Term {
        self.edges[edge].guard
    }

    pub(super) fn is_added(&self, edge: usize) -> bool {
        self.edges[edge].addition.is_some()
    }

    /// Which branch of its state in the original an edge is, from 1.
    pub(super) fn branch_number(&self, edge: usize) -> usize {
        let home = self.edges[edge].home;
        let before = self.edges[..edge].iter().filter(|other| other.home == home);
        before.count() + 1
    }

    /// [`Draft::branch_number`] of all edges.
    pub(super) fn branch_numbers(&self) -> Vec<usize> {
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        let number = |edge: &DraftEdge| {
            let count = counts.entry(edge.home).or_insert(0);
            *count += 1;
            *count
        };
        self.edges.iter().map(number).collect()
    }

    /// How many ways leave a node, termination included.
    pub(super) fn ways(&self, node: usize) -> usize {
        let leaving = self.edges.iter().filter(|edge| edge.source == node).count();
        leaving + usize::from(!self.nodes[node].terminations.is_empty())
    }

    /// The edges that arrive at a node.
    pub(super) fn arriving(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.edges.len()).filter(move |&edge| self.edges[edge].target == node)
    }

    /// The edges that leave a node.
    pub(super) fn leaving(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.edges.len()).filter(move |&edge| self.edges[edge].source == node)
    }

    /// All places for a message, each once: what is before the only way from a state is not also after the only way
    /// to it, nor before the state itself.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = (0..self.edges.len()).map(Place::Before).collect();
        places.extend((0..self.edges.len()).map(Place::Behind).filter(|&place| {
            let Place::Behind(edge) = place else {
                return false;
            };
            let node = self.edges[edge].target;
            self.arriving(node).count() > 1 || node == self.initial || !self.is_passage(node)
        }));
        let states = self.node_numbers().into_iter();
        places.extend(
            states
                .filter(|&node| {
                    let alone = self.arriving(node).count() == 1 && node != self.initial;
                    !self.is_passage(node) && !alone
                })
                .map(Place::State),
        );
        places
    }

    /// Whether the only way from a node is one transition without a guard.
    fn is_passage(&self, node: usize) -> bool {
        let mut leaving = self.leaving(node);
        self.ways(node) == 1
            && leaving
                .next()
                .is_some_and(|edge| self.edges[edge].guard == Term::TRUE)
    }

    /// The last edge of the chain of additions that starts with an edge, and the edge after the chain.
    pub(super) fn chain_end(&self, edge: usize) -> (Option<usize>, usize) {
        let (mut last, mut current) = (None, edge);
        while self.edges[current].addition.is_some() {
            let mut leaving = self.leaving(self.edges[current].target);
            match (leaving.next(), leaving.next()) {
                (Some(next), None) if next != edge => {
                    last = Some(current);
                    current = next;
                }
                _ => break,
            }
        }
        (last, current)
    }

    /// Inserts a message.
    pub(super) fn insert(&mut self, fix: &Fix, terms: &mut Terms) {
        let operation = self.operation(fix, terms);
        let before = self.place_text(fix.place, terms);
        let event = Event::Message(Message {
            operation,
            from: fix.from,
            to: fix.to,
            direction: Direction::Interaction,
            fault: None,
            fields: fix
                .carries
                .map(|variable| Field {
                    label: None,
                    value: FieldValue::Free(terms.var(variable)),
                })
                .into_iter()
                .collect(),
        });
        let new = self.nodes.len();
        let near: Vec<usize> = match fix.place {
            Place::Before(edge) | Place::Behind(edge) => vec![edge],
            Place::State(node) => self.leaving(node).collect(),
        };
        let places = near
            .iter()
            .filter_map(|&it| self.edges[it].origin)
            .collect();
        let (source, target, guard, origin) = match fix.place {
            Place::Before(edge) => {
                let edge = &mut self.edges[edge];
                let source = std::mem::replace(&mut edge.source, new);
                let guard = std::mem::replace(&mut edge.guard, Term::TRUE);
                (source, new, guard, edge.origin)
            }
            Place::State(node) => {
                let leaving: Vec<usize> = self.leaving(node).collect();
                let origin = leaving.first().and_then(|&edge| self.edges[edge].origin);
                for edge in leaving {
                    self.edges[edge].source = new;
                }
                (node, new, Term::TRUE, origin)
            }
            Place::Behind(edge) => {
                let edge = &mut self.edges[edge];
                let target = std::mem::replace(&mut edge.target, new);
                (new, target, Term::TRUE, edge.origin)
            }
        };
        let near = match fix.place {
            Place::Behind(_) => self.nodes[target].label.clone(),
            _ => self.nodes[source].label.clone(),
        };
        let mut node = Node {
            label: self.fresh_label(&near),
            terminations: Vec::new(),
        };
        if let Place::State(old) = fix.place {
            node.terminations = std::mem::take(&mut self.nodes[old].terminations);
        }
        self.nodes.push(node);
        self.edges.push(DraftEdge {
            source,
            target,
            guard,
            event,
            updates: Vec::new(),
            origin,
            home: new,
            addition: Some(self.additions.len()),
        });
        self.additions.push(Addition {
            operation,
            class: fix.class,
            from: fix.from,
            to: fix.to,
            carries: fix.carries,
            before,
            reason: fix.reason.clone(),
            places,
            is_behind: matches!(fix.place, Place::Behind(_)),
        });
    }

    /// The draft without one addition: its edge is contracted.
    pub(super) fn without(&self, addition: usize, terms: &mut Terms) -> Draft {
        let mut draft = self.clone();
        let Some(index) =
            (0..draft.edges.len()).find(|&edge| draft.edges[edge].addition == Some(addition))
        else {
            return draft;
        };
        let gone = draft.edges.remove(index);
        let only_arrival =
            draft.arriving(gone.target).next().is_none() && gone.target != draft.initial;
        if only_arrival {
            // What followed it follows its source, under its guard.
            for edge in &mut draft.edges {
                if edge.source == gone.target {
                    edge.source = gone.source;
                    edge.guard = terms.and([gone.guard, edge.guard]);
                }
            }
            for mut end in std::mem::take(&mut draft.nodes[gone.target].terminations) {
                end.guard = terms.and([gone.guard, end.guard]);
                draft.nodes[gone.source].terminations.push(end);
            }
        } else {
            // It was put after something, and is the only way on from there.
            for edge in &mut draft.edges {
                if edge.target == gone.source {
                    edge.target = gone.target;
                }
            }
            if draft.initial == gone.source {
                draft.initial = gone.target;
            }
        }
        for edge in &mut draft.edges {
            edge.addition = edge
                .addition
                .map(|number| number - usize::from(number > addition));
        }
        draft.additions.remove(addition);
        draft
    }

    /// For each node of the graph built from this, its number here.
    ///
    /// A node whose addition was taken out again is not part of the graph.
    pub(super) fn node_numbers(&self) -> Vec<usize> {
        let mut touched = vec![false; self.nodes.len()];
        touched[self.initial] = true;
        for edge in &self.edges {
            touched[edge.source] = true;
            touched[edge.target] = true;
        }
        (0..self.nodes.len())
            .filter(|&node| touched[node])
            .collect()
    }

    /// The edges in the order in which the graph built from this has them.
    pub(super) fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&edge| self.edges[edge].source);
        order
    }

    /// The graph, and for each of its edges the number here.
    pub(super) fn build(&self, terms: &mut Terms) -> (Stg, Vec<usize>) {
        let mut reached = vec![None; self.nodes.len()];
        let mut builder = StgBuilder::new(self.name.clone(), self.ending);
        for index in self.node_numbers() {
            let node = &self.nodes[index];
            let new = builder.node(node.label.clone());
            for termination in &node.terminations {
                builder.terminate(terms, new, termination.guard, termination.origin);
            }
            reached[index] = Some(new);
        }
        let order = self.sorted();
        for &index in &order {
            let edge = &self.edges[index];
            if let (Some(source), Some(target)) = (reached[edge.source], reached[edge.target]) {
                let edge = Edge {
                    source,
                    target,
                    guard: edge.guard,
                    event: edge.event.clone(),
                    updates: edge.updates.clone(),
                    origin: edge.origin,
                };
                builder.edge(terms, edge);
            }
        }
        let initial = reached[self.initial].unwrap_or(NodeId(0));
        (builder.finish_as_built(initial), order)
    }

    /// Where a message is inserted, in words.
    fn place_text(&self, place: Place, terms: &Terms) -> String {
        match place {
            Place::Before(edge) => format!("`{}`", self.edges[edge].event.shown(terms)),
            Place::State(node) => {
                let label = &self.nodes[node].label;
                match self.ways(node) {
                    0 | 1 => format!("what follows state {label}"),
                    _ => format!("the branching in state {label}"),
                }
            }
            Place::Behind(edge) => {
                format!("what follows `{}`", self.edges[edge].event.shown(terms))
            }
        }
    }

    /// An operation named for the class that nothing uses between these roles.
    fn operation(&mut self, fix: &Fix, terms: &mut Terms) -> Operation {
        let stem = fix.class.stem();
        loop {
            let used = self
                .numbers
                .entry((stem.clone(), fix.from, fix.to))
                .or_insert(0);
            *used += 1;
            let name = match *used {
                1 => stem.clone(),
                number => format!("{stem}_{number}"),
            };
            let operation = Operation(terms.names.intern(&name));
            if self.messages.insert((operation, fix.from, fix.to)) {
                return operation;
            }
        }
    }

    /// `7a`, `7b`, … for nodes next to the node 7.
    fn fresh_label(&mut self, near: &str) -> String {
        let stem = near.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        let stem = if stem.is_empty() { near } else { stem };
        let start = self.nodes.len();
        let letters = ('a'..='z').map(|letter| format!("{stem}{letter}"));
        let numbers = (start..).map(|number| format!("{stem}+{number}"));
        for label in letters.chain(numbers) {
            if self.labels.insert(label.clone()) {
                return label;
            }
        }
        near.to_owned()
    }
}

/// The number in a draft of an edge of the graph built from it.
pub(super) fn draft_edge(edges: &[usize], id: EdgeId) -> usize {
    edges[id.index()]
}
