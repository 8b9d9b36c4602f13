//! A few lines of the language *L* of Nguyen's thesis (Figure 3.2), enough to write its examples down as graphs.
//!
//! It shares nothing with the real front end.
#![allow(dead_code, unreachable_pub)]

pub mod random;

use std::collections::BTreeMap;
use std::rc::Rc;

use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder,
};

/// A description; `Zero` is the empty one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum L {
    Zero,
    Skip,
    Act(Event),
    Seq(Rc<L>, Rc<L>),
    Choice(Rc<L>, Rc<L>),
    Par(Rc<L>, Rc<L>),
    Guard(Term, Rc<L>),
}

/// `None` is termination.
type LStep = (Term, Option<Event>, L);

impl L {
    fn steps(&self, terms: &mut Terms) -> Vec<LStep> {
        match self {
            L::Zero => vec![],
            L::Skip => vec![(Term::TRUE, None, L::Zero)],
            L::Act(event) => vec![(Term::TRUE, Some(event.clone()), L::Skip)],
            L::Seq(first, second) => {
                let mut all = Vec::new();
                for (guard, event, next) in first.steps(terms) {
                    match event {
                        Some(event) => {
                            all.push((guard, Some(event), L::Seq(Rc::new(next), second.clone())))
                        }
                        None => {
                            for (other, event, next) in second.steps(terms) {
                                all.push((terms.and([guard, other]), event, next));
                            }
                        }
                    }
                }
                all
            }
            L::Choice(left, right) => {
                let mut all = left.steps(terms);
                all.extend(right.steps(terms));
                all
            }
            L::Par(left, right) => {
                let (lefts, rights) = (left.steps(terms), right.steps(terms));
                let mut all = Vec::new();
                for (guard, event, next) in &lefts {
                    if event.is_some() {
                        let next = L::Par(Rc::new(next.clone()), right.clone());
                        all.push((*guard, event.clone(), next));
                    } else {
                        for (other, _, _) in rights.iter().filter(|step| step.1.is_none()) {
                            all.push((terms.and([*guard, *other]), None, L::Zero));
                        }
                    }
                }
                for (guard, event, next) in rights {
                    if event.is_some() {
                        let next = L::Par(left.clone(), Rc::new(next));
                        all.push((guard, event, next));
                    }
                }
                all
            }
            L::Guard(condition, body) => body
                .steps(terms)
                .into_iter()
                .map(|(guard, event, next)| (terms.and([*condition, guard]), event, next))
                .collect(),
        }
    }

    /// The graph, nodes numbered from 1 in the order of discovery.
    pub fn graph(&self, name: &str, terms: &mut Terms) -> Stg {
        let mut builder = StgBuilder::new(name, Ending::Explicit);
        let mut known: Vec<(L, NodeId)> = vec![(self.clone(), builder.node("1"))];
        let mut next = 0;
        while next < known.len() {
            let (term, source) = known[next].clone();
            next += 1;
            for (guard, event, after) in term.steps(terms) {
                let Some(event) = event else {
                    builder.terminate(terms, source, guard, None);
                    continue;
                };
                let target = match known.iter().find(|(term, _)| *term == after) {
                    Some((_, id)) => *id,
                    None => {
                        let id = builder.node((known.len() + 1).to_string());
                        known.push((after, id));
                        id
                    }
                };
                let edge = Edge {
                    source,
                    target,
                    guard,
                    event,
                    updates: vec![],
                    origin: None,
                };
                builder.edge(terms, edge);
            }
        }
        builder.finish(NodeId(0))
    }
}

/// One after the other.
pub fn seq(parts: impl IntoIterator<Item = L, IntoIter: DoubleEndedIterator>) -> L {
    parts
        .into_iter()
        .rev()
        .reduce(|rest, part| L::Seq(Rc::new(part), Rc::new(rest)))
        .unwrap_or(L::Skip)
}

/// One or the other.
pub fn choice(left: L, right: L) -> L {
    L::Choice(Rc::new(left), Rc::new(right))
}

/// Both.
pub fn par(left: L, right: L) -> L {
    L::Par(Rc::new(left), Rc::new(right))
}

/// Only if.
pub fn when(condition: Term, body: L) -> L {
    L::Guard(condition, Rc::new(body))
}

/// An event such as `Request[b,v]!<x>`, `Request[b,v].x`, `Confirm[v,b]`, `tau`; a variable that ends in `S` is a
/// symbol, any other an integer.
pub fn act(terms: &mut Terms, text: &str) -> L {
    L::Act(event(terms, text))
}

/// See [`act`].
pub fn event(terms: &mut Terms, text: &str) -> Event {
    if text == "tau" {
        return Event::Silent;
    }
    let (operation, rest) = text.split_once('[').expect("an operation");
    let (roles, datum) = rest.split_once(']').expect("roles");
    let (from, to) = roles.split_once(',').expect("two roles");
    let direction = match datum.chars().next() {
        None | Some('.') => Direction::Interaction,
        Some('!') => Direction::Send,
        Some('?') => Direction::Receive,
        other => panic!("no direction: {other:?}"),
    };
    let fields = match datum.get(1..).unwrap_or("") {
        "" => vec![],
        datum => vec![Field {
            label: None,
            value: match datum.strip_prefix('<') {
                Some(bound) => FieldValue::Bind(var(terms, bound.trim_end_matches('>'))),
                None => {
                    let variable = var(terms, datum);
                    FieldValue::Free(terms.var(variable))
                }
            },
        }],
    };
    let mut name = |text: &str| terms.names.intern(text);
    Event::Message(Message {
        operation: Operation(name(operation)),
        from: Role(name(from)),
        to: Role(name(to)),
        direction,
        fault: None,
        fields,
    })
}

/// The variable of a name.
pub fn var(terms: &mut Terms, name: &str) -> Var {
    let sort = if name.ends_with('S') {
        Sort::SYMBOL
    } else {
        Sort::INT
    };
    let name = terms.names.intern(name);
    terms.variable(name, sort)
}

/// Each edge as `source -[guard] event / updates-> target`, and each termination as `source -[guard] end`.
pub fn lines(stg: &Stg, terms: &Terms) -> Vec<String> {
    let mut lines = Vec::new();
    let guard = |guard: Term| match guard {
        Term::TRUE => String::new(),
        other => format!("[{}] ", terms.print(other)),
    };
    for node in stg.node_ids() {
        let label = &stg.node(node).label;
        for (_, edge) in stg.outgoing(node) {
            let updates: Vec<String> = edge
                .updates
                .iter()
                .map(|update| {
                    format!(
                        "{} := {}",
                        terms.variable_text(update.variable),
                        terms.print(update.value)
                    )
                })
                .collect();
            let updates = if updates.is_empty() {
                String::new()
            } else {
                format!(" / {}", updates.join("; "))
            };
            lines.push(format!(
                "{label} -{}{}{updates}-> {}",
                guard(edge.guard),
                edge.event.text(terms),
                stg.node(edge.target).label
            ));
        }
        for termination in &stg.node(node).terminations {
            lines.push(format!("{label} -{}end", guard(termination.guard)));
        }
    }
    lines
}

/// Counts of something by its text, for comparing unordered collections.
pub fn multiset(texts: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_insert(0) += 1;
    }
    counts
}
