//! A graph of interactions without its data.

use choros_data::{Sort, Term, Terms};
use choros_model::stg::{Direction, Event, FieldValue, Message, Operation, Role, Stg};
use rustc_hash::FxHashMap;

/// A set of nodes, one bit each.
pub(super) type Nodes = u128;

/// The nodes of a set.
pub(super) fn each(nodes: Nodes) -> impl Iterator<Item = usize> {
    (0..128).filter(move |node| nodes & (1 << node) != 0)
}

/// Whether something is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Never,
    /// For some data, perhaps.
    Perhaps,
    /// Whatever the data.
    Always,
}

/// The messages of a choreography and those that are added to it, by numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Messages {
    numbers: FxHashMap<(Operation, Role, Role), usize>,
    pub(super) all: Vec<Ends>,
    /// The sorts of the fields of each.
    sorts: Vec<Vec<Sort>>,
    pub(super) roles: Vec<Role>,
    pub(super) channels: Vec<(usize, usize)>,
    /// The messages before this one are visible.
    pub(super) visible: usize,
}

/// Who exchanges a message, and over which channel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) channel: usize,
}

impl Messages {
    /// What is known so far is visible, and what comes later is not.
    pub(super) fn show_all(&mut self) {
        self.visible = self.all.len();
    }

    fn role(&mut self, role: Role) -> usize {
        let known = self.roles.iter().position(|&it| it == role);
        known.unwrap_or_else(|| {
            self.roles.push(role);
            self.roles.len() - 1
        })
    }

    /// The number of a message; `None` if it carries other data elsewhere.
    fn number(&mut self, message: &Message, terms: &Terms) -> Option<usize> {
        let sorts: Vec<Sort> = message
            .fields
            .iter()
            .map(|field| match field.value {
                FieldValue::Bind(variable) => terms.variable_sort(variable),
                FieldValue::Free(term) => terms.sort_of(term),
            })
            .collect();
        let key = (message.operation, message.from, message.to);
        if let Some(&known) = self.numbers.get(&key) {
            return (self.sorts[known] == sorts).then_some(known);
        }
        let (from, to) = (self.role(message.from), self.role(message.to));
        let known = self.channels.iter().position(|&it| it == (from, to));
        let channel = known.unwrap_or_else(|| {
            self.channels.push((from, to));
            self.channels.len() - 1
        });
        self.numbers.insert(key, self.all.len());
        self.all.push(Ends { from, to, channel });
        self.sorts.push(sorts);
        Some(self.all.len() - 1)
    }
}

/// A graph of interactions without its data.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) initial: usize,
    pub(super) steps: Vec<Vec<OutlineStep>>,
    pub(super) ends: Vec<Certainty>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineStep {
    pub(super) message: usize,
    pub(super) target: usize,
    /// Whether it is possible whatever the data.
    pub(super) certainly: bool,
    /// Steps with the same number have the same data and do the same with them.
    pub(super) shape: usize,
}

impl Outline {
    /// `None` if it is too large, or there is more in it than messages between two roles.
    pub(super) fn of(stg: &Stg, messages: &mut Messages, terms: &Terms) -> Option<Outline> {
        let count = stg.nodes().len();
        if count > 128 {
            return None;
        }
        let mut shapes: FxHashMap<_, usize> = FxHashMap::default();
        let mut steps = vec![Vec::new(); count];
        for edge in stg.edges().iter().filter(|it| it.guard != Term::FALSE) {
            let Event::Message(message) = &edge.event else {
                return None;
            };
            if message.direction != Direction::Interaction || message.fault.is_some() {
                return None;
            }
            let next = shapes.len();
            steps[edge.source.index()].push(OutlineStep {
                message: messages.number(message, terms)?,
                target: edge.target.index(),
                certainly: edge.guard == Term::TRUE,
                shape: *shapes.entry((&edge.event, &edge.updates)).or_insert(next),
            });
        }
        // The last bit is the end's.
        if messages.all.len() > 127 {
            return None;
        }
        let end = |guards: &mut dyn Iterator<Item = Term>| {
            guards
                .map(|guard| match guard {
                    Term::TRUE => Certainty::Always,
                    Term::FALSE => Certainty::Never,
                    _ => Certainty::Perhaps,
                })
                .max()
                .unwrap_or(Certainty::Never)
        };
        let nodes = stg.nodes().iter();
        Some(Outline {
            initial: stg.initial().index(),
            steps,
            ends: nodes
                .map(|node| end(&mut node.terminations.iter().map(|it| it.guard)))
                .collect(),
        })
    }

    /// Where a message may lead from one of the nodes.
    pub(super) fn after(&self, nodes: Nodes, message: usize) -> Nodes {
        each(nodes)
            .flat_map(|node| &self.steps[node])
            .filter(|step| step.message == message)
            .fold(0, |all, step| all | 1 << step.target)
    }

    /// What a node can certainly do, one bit for each message; `end` if it may end.
    pub(super) fn challenges(&self, node: usize, end: u128) -> u128 {
        let certain = self.steps[node].iter().filter(|step| step.certainly);
        let ends = match self.ends[node] {
            Certainty::Always => end,
            _ => 0,
        };
        certain.fold(ends, |all, step| all | 1 << step.message)
    }
}
