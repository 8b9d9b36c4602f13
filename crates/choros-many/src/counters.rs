//! Any number of sessions as a machine with counters.
//!
//! A session is somewhere in its graph, so it is enough to count how many are where (S. M. German and A. P. Sistla,
//! *Reasoning about systems with many processes*, 1992).
//! A shared variable is one more counter if it starts with a known number and every step that lowers it is only taken
//! where enough is left.
//! Everything else is forgotten: a condition that is not a lower bound of such a counter is taken to hold, and what a
//! session has for itself to be anything.
//! So the machine does whatever the sessions can do, and perhaps more: if it does nothing bad, neither do they.

use choros_base::Names;
use choros_data::{Op, Term, TermKind, Terms, Value, Var};
use choros_model::stg::{Edge, Event, Sessions, Stg};
use num_traits::ToPrimitive;

use crate::observer::{Observer, Seen};

/// A machine with a control state and counters that are never tested for zero.
#[derive(Debug, Clone)]
pub struct CounterMachine {
    /// The number of places of a session; the counters of shared variables come after them.
    pub places: usize,
    /// Where a session begins: any number of sessions is there at first.
    pub entry: usize,
    /// The first values of the counters after the places.
    pub initial: Vec<u64>,
    /// What these counters are called.
    pub names: Vec<String>,
    /// The control states in which it may start.
    pub start: Vec<usize>,
    /// Those that must not be reached.
    pub bad: Vec<usize>,
    pub steps: Vec<CounterStep>,
}

/// A step: what it takes from the counters and what it gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterStep {
    pub from: usize,
    pub to: usize,
    pub takes: Vec<u64>,
    pub gives: Vec<u64>,
}

/// A control state and the least of each counter from which a bad state can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Least {
    pub control: usize,
    pub counters: Vec<u64>,
}

impl Least {
    /// Whether all that is above the other is above this.
    pub(crate) fn covers(&self, other: &Least) -> bool {
        self.control == other.control
            && self
                .counters
                .iter()
                .zip(&other.counters)
                .all(|(a, b)| a <= b)
    }
}

impl CounterMachine {
    /// The machine of any number of sessions of a graph, watched by the observer of a formula.
    pub fn of(
        stg: &Stg,
        sessions: &Sessions,
        initial: &[(Var, Value)],
        observer: &Observer,
        (of_formula, terms): (&Names, &Terms),
    ) -> CounterMachine {
        let kept: Vec<(Var, u64)> = sessions
            .shared_variables(stg, terms)
            .into_iter()
            .filter_map(|variable| {
                let (_, value) = initial.iter().find(|it| it.0 == variable)?;
                let Value::Int(value) = value else {
                    return None;
                };
                let counts = stg
                    .edges()
                    .iter()
                    .all(|it| change(it, variable, terms).is_some());
                Some((variable, value.to_u64().filter(|_| counts)?))
            })
            .collect();
        let places = stg.nodes().len();
        let mut steps = Vec::new();
        for edge in stg.edges().iter().filter(|it| it.guard != Term::FALSE) {
            let mut takes = vec![0; places + kept.len()];
            let mut gives = takes.clone();
            takes[edge.source.index()] += 1;
            gives[edge.target.index()] += 1;
            for (position, &(variable, _)) in kept.iter().enumerate() {
                if let Some((least, after)) = change(edge, variable, terms) {
                    takes[places + position] = least;
                    gives[places + position] = after;
                }
            }
            let text = edge.event.text(terms);
            let seen = match &edge.event {
                Event::Message(message) => Seen::Action(terms.names.text(message.operation.0)),
                Event::Silent | Event::Choose(_) => Seen::Nothing,
                Event::Tick | Event::TickOf(_) | Event::Raise(_) | Event::Disturbance(_) => {
                    Seen::Action(&text)
                }
            };
            watch(observer, seen, of_formula, (&takes, &gives), &mut steps);
        }
        // All may have ended, which is a step of its own; whether they have is not looked at.
        let nothing = vec![0; places + kept.len()];
        let end = Seen::Action("end");
        watch(observer, end, of_formula, (&nothing, &nothing), &mut steps);
        CounterMachine {
            places,
            entry: stg.initial().index(),
            initial: kept.iter().map(|it| it.1).collect(),
            names: kept
                .iter()
                .map(|it| terms.variable_text(it.0).to_owned())
                .collect(),
            start: observer.start.clone(),
            bad: observer.bad.clone(),
            steps,
        }
    }
}

/// Adds a step of the sessions for each step that the observer may do with it.
fn watch(
    observer: &Observer,
    seen: Seen<'_>,
    names: &Names,
    (takes, gives): (&[u64], &[u64]),
    steps: &mut Vec<CounterStep>,
) {
    for from in 0..observer.len() {
        for to in observer.after(from, seen, names) {
            let step = CounterStep {
                from,
                to,
                takes: takes.to_vec(),
                gives: gives.to_vec(),
            };
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
}

/// How much of a variable an edge needs, and what it leaves of just that; none if it does more than count.
fn change(edge: &Edge, variable: Var, terms: &Terms) -> Option<(u64, u64)> {
    let mut least = 0;
    for conjunct in conjuncts(edge.guard, terms) {
        least = least.max(lower_bound(conjunct, variable, terms).unwrap_or(0));
    }
    if edge.event.bound_variables().any(|it| it == variable) {
        return None;
    }
    let mut after = i128::from(least);
    for update in edge.updates.iter().filter(|it| it.variable == variable) {
        after += i128::from(difference(update.value, variable, terms)?);
        // It must not fall below what there is, not even on the way.
        if after < 0 {
            return None;
        }
    }
    Some((least, u64::try_from(after).ok()?))
}

fn conjuncts(term: Term, terms: &Terms) -> Vec<Term> {
    match terms.kind(term) {
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ => vec![term],
    }
}

/// `n` where the term says `variable >= n`.
fn lower_bound(term: Term, variable: Var, terms: &Terms) -> Option<u64> {
    let TermKind::Apply(op, &[left, right]) = terms.kind(term) else {
        return None;
    };
    let (op, bound) = match (terms.as_variable(left), terms.as_variable(right)) {
        (Some(it), _) if it == variable => (op, number(right, terms)?),
        (_, Some(it)) if it == variable => (op.mirrored(), number(left, terms)?),
        _ => return None,
    };
    let bound = match op {
        Op::GreaterEqual | Op::Equal => bound,
        Op::Greater => bound.checked_add(1)?,
        _ => return None,
    };
    u64::try_from(bound).ok()
}

/// `n` where the term is `variable + n`.
fn difference(term: Term, variable: Var, terms: &Terms) -> Option<i64> {
    let own = |it: Term| terms.as_variable(it) == Some(variable);
    match terms.kind(term) {
        TermKind::Variable(it) if it == variable => Some(0),
        TermKind::Apply(Op::Add, &[left, right]) if own(left) => number(right, terms),
        TermKind::Apply(Op::Add, &[left, right]) if own(right) => number(left, terms),
        TermKind::Apply(Op::Subtract, &[left, right]) if own(left) => {
            number(right, terms)?.checked_neg()
        }
        _ => None,
    }
}

fn number(term: Term, terms: &Terms) -> Option<i64> {
    match terms.kind(term) {
        TermKind::Constant(Value::Int(value)) => value.to_i64(),
        _ => None,
    }
}
