//! Closing guards: where an operation on an edge is undefined, the edge does not fire.
//!
//! The guard speaks of the values before the event, so the definedness of an update is carried back through the
//! updates before it.
//! What depends on a value that the event itself brings cannot be said in the guard; [`Edge::accepts`] says it.

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Edge;

impl Edge {
    /// The condition on the values that the event brings under which all updates are defined.
    ///
    /// In it, a variable that the event binds stands for its new value, every other for its value before the edge.
    /// It is *true* unless an update applies a partial operation to something received just now, such as
    /// `Request?<x> / y := 10 div x`; an engine conjoins it after binding.
    pub fn accepts(&self, terms: &mut Terms) -> Term {
        let (_, after) = update_values(self, terms);
        let conditions: Vec<Term> = after.into_iter().map(|term| terms.defined(term)).collect();
        terms.and(conditions)
    }
}

/// The guard of an edge, closed over everything on the edge.
pub(super) fn close_edge(edge: &Edge, terms: &mut Terms) -> Term {
    let (mut looked_at, _) = update_values(edge, terms);
    looked_at.extend(edge.event.free_terms());
    close(edge.guard, &looked_at, terms)
}

/// The guard with the definedness of itself and of other terms conjoined.
///
/// Closing a closed guard changes nothing, not even its text: that is what lets a printed graph be read back.
/// A conjunct that already is part of the definedness of another needs no closing itself, because `defined(t)`
/// implies `defined(defined(t))`.
pub(super) fn close(guard: Term, others: &[Term], terms: &mut Terms) -> Term {
    let own = conjuncts(guard, terms);
    if !own.iter().chain(others).any(|&term| terms.is_partial(term)) {
        return guard;
    }
    let mut conditions: Vec<(Term, Vec<Term>)> = Vec::new();
    for &term in own.iter().chain(others) {
        let defined = terms.defined(term);
        conditions.push((term, conjuncts(defined, terms)));
    }
    let known: FxHashSet<Term> = own.iter().copied().collect();
    let consequences: FxHashSet<Term> = conditions
        .iter()
        .flat_map(|(_, defined)| defined.iter().copied())
        .collect();
    let missing: Vec<Term> = conditions
        .iter()
        .filter(|(term, _)| !consequences.contains(term))
        .flat_map(|(_, defined)| defined.iter().copied())
        .filter(|term| !known.contains(term))
        .collect();
    terms.and(missing.into_iter().chain(own))
}

/// The values of partial updates in terms of what is there before the edge: first those that do not depend on what
/// the event binds, then the others.
fn update_values(edge: &Edge, terms: &mut Terms) -> (Vec<Term>, Vec<Term>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if !edge
        .updates
        .iter()
        .any(|update| terms.is_partial(update.value))
    {
        return (before, after);
    }
    let bound: FxHashSet<Var> = edge.event.bound_variables().collect();
    let mut current: FxHashMap<Var, Term> = FxHashMap::default();
    for update in &edge.updates {
        let value = terms.substitute(update.value, &current);
        if terms.is_partial(update.value) {
            let brought = terms
                .free_variables(value)
                .iter()
                .any(|variable| bound.contains(variable));
            if brought {
                after.push(value);
            } else {
                before.push(value);
            }
        }
        current.insert(update.variable, value);
    }
    (before, after)
}

/// The parts of a conjunction; none of *true*.
pub(super) fn conjuncts(term: Term, terms: &Terms) -> Vec<Term> {
    match terms.kind(term) {
        TermKind::Apply(Op::And, arguments) => arguments.to_vec(),
        _ if term == Term::TRUE => Vec::new(),
        _ => vec![term],
    }
}

#[cfg(test)]
mod tests {
    use choros_data::Sort;

    use super::*;
    use crate::stg::{
        Direction, Event, Field, FieldValue, Message, NodeId, Operation, Role, Update,
    };

    fn quotient(terms: &mut Terms, dividend: &str, divisor: Term) -> Term {
        let dividend = terms.named(dividend, Sort::INT);
        terms.arithmetic(Op::IntegerDivide, dividend, divisor)
    }

    fn edge(event: Event, updates: Vec<Update>) -> Edge {
        Edge {
            source: NodeId(0),
            target: NodeId(0),
            guard: Term::TRUE,
            event,
            updates,
            origin: None,
        }
    }

    #[test]
    fn definedness_of_an_update_is_carried_back_through_earlier_ones() {
        let mut terms = Terms::new();
        let [a, b, y, z] = ["a", "b", "y", "z"].map(|name| terms.named(name, Sort::INT));
        let variable = |terms: &Terms, term| terms.as_variable(term).expect("a variable");
        let sum = terms.arithmetic(Op::Add, a, b);
        let value = quotient(&mut terms, "a", y);
        let updates = vec![
            Update {
                variable: variable(&terms, y),
                value: sum,
            },
            Update {
                variable: variable(&terms, z),
                value,
            },
        ];
        let edge = edge(Event::Silent, updates);
        let guard = close_edge(&edge, &mut terms);
        assert_eq!(terms.print(guard), "a + b != 0");
        assert_eq!(edge.accepts(&mut terms), Term::TRUE);
    }

    #[test]
    fn what_depends_on_a_received_value_is_not_asked_before_it_is_there() {
        let mut terms = Terms::new();
        let x = terms.named("x", Sort::INT);
        let y = terms.named("y", Sort::INT);
        let received = terms.as_variable(x).expect("a variable");
        let assigned = terms.as_variable(y).expect("a variable");
        let value = quotient(&mut terms, "a", x);
        let [o, a, b] = ["o", "a", "b"].map(|name| terms.names.intern(name));
        let event = Event::Message(Message {
            operation: Operation(o),
            from: Role(a),
            to: Role(b),
            direction: Direction::Receive,
            fault: None,
            fields: vec![Field {
                label: None,
                value: FieldValue::Bind(received),
            }],
        });
        let edge = edge(
            event,
            vec![Update {
                variable: assigned,
                value,
            }],
        );
        assert_eq!(close_edge(&edge, &mut terms), Term::TRUE);
        let accepted = edge.accepts(&mut terms);
        assert_eq!(terms.print(accepted), "x != 0");
    }

    #[test]
    fn closing_twice_is_closing_once() {
        let mut terms = Terms::new();
        let c = terms.named("c", Sort::INT);
        let p = terms.named("p", Sort::BOOL);
        let inner = quotient(&mut terms, "b", c);
        let nested = quotient(&mut terms, "a", inner);
        let one = terms.int(1);
        let chosen = terms.if_then_else(p, nested, one);
        let guard = terms.compare(Op::Less, chosen, one);
        let once = close(guard, &[nested], &mut terms);
        assert_ne!(once, guard);
        assert_eq!(close(once, &[nested], &mut terms), once);
        assert_eq!(close(once, &[], &mut terms), once);
    }
}
