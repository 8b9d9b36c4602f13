//! A model as one observer sees it.
//!
//! The observer of everything sees interactions; the observer of a role sees its natural projection (Definition 6 and
//! Table 3.3 of Nguyen's thesis):
//!
//! | choreography | sender `a` | receiver `b` | any other role |
//! |---|---|---|---|
//! | `[φ] o[a,b].x` | `[φ] o[a,b]!x` | `o[a,b]?<x>` | `τ`, and `x` is unknown from there on |
//!
//! What the runs of the choreography let a role know is more: conditions and values of others are kept, as unknown
//! values shared along its history ([`View::Knows`]).
//!
//! Silent steps are not removed: the walk keeps the set of all places where the model may stand, so nothing has to be
//! determinised beforehand and only what the log reaches is ever built.

use choros_base::Name;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{Direction, Event, FieldValue, Message, Role, Stg, Update};
use rustc_hash::FxHashSet;

use super::alphabet::{Alphabet, LetterId};

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View<'v> {
    /// Everything, as it is written: a choreography, or the model of one role.
    Whole,
    /// All messages of a choreography that some observed role takes part in.
    Observed(&'v [Role]),
    /// One role of a choreography, by its natural projection.
    Of(Role),
    /// One role of a choreography, with everything that the runs of the choreography let it know.
    Knows(Role),
}

/// What an observer sees of a graph.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) initial: u32,
    pub(crate) nodes: Vec<AutomatonNode>,
    steps: Vec<AutomatonEdge>,
    /// `steps[first[n]..first[n + 1]]` leave node `n`.
    first: Vec<u32>,
    /// The parameters of the model, which keep one value through all sessions.
    pub(crate) parameters: FxHashSet<Var>,
    pub(crate) has_silent_steps: bool,
}

#[derive(Debug)]
pub(crate) struct AutomatonNode {
    /// When a run may end here.
    pub(crate) ends: Vec<Term>,
    /// The variables whose values matter here, in a fixed order.
    pub(crate) live: Vec<Var>,
}

#[derive(Debug, Clone)]
pub(crate) struct AutomatonEdge {
    pub(crate) target: u32,
    pub(crate) guard: Term,
    /// `None` if it is not seen.
    pub(crate) seen: Option<(LetterId, Direction)>,
    pub(crate) fields: Vec<Carried>,
    /// Variables that get values which the observer does not learn.
    pub(crate) forgets: Vec<Var>,
    pub(crate) updates: Vec<Update>,
}

/// One datum of a message that is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) label: Option<Name>,
    /// The variable that it is, by which logs may call a datum without a label.
    pub(crate) variable: Option<Var>,
    pub(crate) sort: Sort,
    /// The value it must have.
    pub(crate) test: Option<Term>,
    /// The variable that has its value from now on.
    pub(crate) keep: Option<Var>,
}

impl Automaton {
    /// What `view` sees of a graph.
    pub(crate) fn of(stg: &Stg, view: View<'_>, alphabet: &Alphabet, terms: &Terms) -> Automaton {
        let mut steps = Vec::with_capacity(stg.edges().len());
        let mut first = vec![0u32; stg.nodes().len() + 1];
        for edge in stg.edges() {
            let mut step = AutomatonEdge {
                target: edge.target.0,
                guard: edge.guard,
                seen: None,
                fields: Vec::new(),
                forgets: Vec::new(),
                updates: edge.updates.clone(),
            };
            if let Event::Message(message) = &edge.event {
                see(&mut step, message, view, alphabet, terms);
            }
            if let Event::Choose(chosen) = &edge.event {
                step.forgets.clone_from(chosen);
            }
            first[edge.source.index() + 1] += 1;
            steps.push(step);
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut automaton = Automaton {
            initial: stg.initial().0,
            nodes: stg
                .nodes()
                .iter()
                .map(|node| AutomatonNode {
                    ends: node.terminations.iter().map(|it| it.guard).collect(),
                    live: Vec::new(),
                })
                .collect(),
            has_silent_steps: steps.iter().any(|step: &AutomatonEdge| step.seen.is_none()),
            steps,
            first,
            parameters: stg.parameters(terms).into_iter().collect(),
        };
        automaton.find_live_variables(terms);
        automaton
    }

    /// The edges that leave a node.
    pub(crate) fn outgoing(&self, node: u32) -> &[AutomatonEdge] {
        let (from, to) = (self.first[node as usize], self.first[node as usize + 1]);
        &self.steps[from as usize..to as usize]
    }

    /// Backward data flow until nothing changes, as for the free variables of a graph.
    fn find_live_variables(&mut self, terms: &Terms) {
        let count = self.nodes.len();
        let mut incoming: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        for source in 0..count as u32 {
            let range = self.first[source as usize]..self.first[source as usize + 1];
            for index in range {
                let target = self.steps[index as usize].target;
                incoming[target as usize].push((source, index));
            }
        }
        let mut live: Vec<FxHashSet<Var>> = self
            .nodes
            .iter()
            .map(|node| {
                let ends = node.ends.iter();
                ends.flat_map(|&end| terms.free_variables(end)).collect()
            })
            .collect();
        let mut work: Vec<u32> = (0..count as u32).collect();
        let mut waiting = vec![true; count];
        while let Some(node) = work.pop() {
            waiting[node as usize] = false;
            for &(source, index) in &incoming[node as usize] {
                let needed = self.steps[index as usize].needs(&live[node as usize], terms);
                let before = live[source as usize].len();
                live[source as usize].extend(needed);
                if live[source as usize].len() > before && !waiting[source as usize] {
                    waiting[source as usize] = true;
                    work.push(source);
                }
            }
        }
        for (node, live) in self.nodes.iter_mut().zip(live) {
            let mut live: Vec<Var> = live.into_iter().collect();
            live.sort_by_key(|variable| variable.index());
            node.live = live;
        }
    }
}

impl AutomatonEdge {
    /// What must be known before the step, if `after` must be known after it.
    fn needs(&self, after: &FxHashSet<Var>, terms: &Terms) -> FxHashSet<Var> {
        let mut needed = after.clone();
        for update in self.updates.iter().rev() {
            if needed.remove(&update.variable) {
                needed.extend(terms.free_variables(update.value));
            }
        }
        for variable in &self.forgets {
            needed.remove(variable);
        }
        for field in &self.fields {
            if let Some(variable) = field.keep {
                needed.remove(&variable);
            }
        }
        for test in self.fields.iter().filter_map(|field| field.test) {
            needed.extend(terms.free_variables(test));
        }
        needed.extend(terms.free_variables(self.guard));
        needed
    }

    /// The variables it reads and those it writes.
    pub(crate) fn uses(&self, terms: &Terms) -> (FxHashSet<Var>, FxHashSet<Var>) {
        let mut reads: FxHashSet<Var> = terms.free_variables(self.guard).into_iter().collect();
        let mut writes: FxHashSet<Var> = self.forgets.iter().copied().collect();
        for field in &self.fields {
            if let Some(test) = field.test {
                reads.extend(terms.free_variables(test));
            }
            writes.extend(field.keep);
        }
        for update in &self.updates {
            reads.extend(terms.free_variables(update.value));
            writes.insert(update.variable);
        }
        (reads, writes)
    }
}

/// Fills in what the observer sees of a message.
fn see(
    step: &mut AutomatonEdge,
    message: &Message,
    view: View<'_>,
    alphabet: &Alphabet,
    terms: &Terms,
) {
    let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
    let takes_part = |role: Role| match message.direction {
        Direction::Interaction => role == message.from || role == message.to,
        Direction::Send => role == message.from,
        Direction::Receive => role == message.to,
    };
    let direction = match view {
        View::Whole => message.direction,
        View::Observed(roles) if roles.iter().any(|&role| takes_part(role)) => message.direction,
        View::Observed(_) => {
            // It happened, with some values, if its guard held.
            step.forgets = bound_variables(message);
            return;
        }
        View::Knows(role) if !takes_part(role) => {
            step.forgets = bound_variables(message);
            return;
        }
        View::Of(role) | View::Knows(role) if takes_part(role) => {
            if role == message.from {
                Direction::Send
            } else {
                Direction::Receive
            }
        }
        View::Of(_) | View::Knows(_) => {
            step.guard = Term::TRUE;
            step.forgets = bound_variables(message);
            let updated = step.updates.iter().map(|update| update.variable);
            step.forgets.extend(updated);
            step.updates.clear();
            return;
        }
    };
    step.seen = letter.map(|letter| (letter, direction));
    // A receiver takes what comes; only its own model says what it may be.
    let takes = matches!(view, View::Of(_)) && direction == Direction::Receive;
    if takes {
        step.guard = Term::TRUE;
    }
    for field in &message.fields {
        let (sort, test, keep) = match field.value {
            FieldValue::Bind(variable) => (terms.variable_sort(variable), None, Some(variable)),
            FieldValue::Free(term) if takes => (terms.sort_of(term), None, terms.as_variable(term)),
            FieldValue::Free(term) => (terms.sort_of(term), Some(term), None),
        };
        step.fields.push(Carried {
            label: field.label,
            variable: match field.value {
                FieldValue::Bind(variable) => Some(variable),
                FieldValue::Free(term) => terms.as_variable(term),
            },
            sort,
            test,
            keep,
        });
    }
}

fn bound_variables(message: &Message) -> Vec<Var> {
    let fields = message.fields.iter();
    fields
        .filter_map(|field| match field.value {
            FieldValue::Bind(variable) => Some(variable),
            FieldValue::Free(_) => None,
        })
        .collect()
}
