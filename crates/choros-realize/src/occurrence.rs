//! Under which condition a transition happens, as far as the guards on the ways to it say.
//!
//! A way to a node is known by the guards that were passed on it, about values that have not changed since: a guard over
//! a variable that was bound or assigned again is forgotten.
//! So what it says is *necessary*: whenever the transition happens, the condition holds.
//! That the condition is enough is not claimed.
//! Two ways that differ in a guard and its complement are one without it, and where more than [`MAX_WAYS`] meet, only
//! what all of them say is kept; both make the condition weaker or leave it as it is, never stronger.

use std::collections::VecDeque;

use choros_base::{Budget, Span};
use choros_data::{Op, Term, TermKind, Terms, Var};
use choros_model::stg::{Edge, NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

/// When the transitions of one place of the text happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The place.
    pub origin: Span,
    /// Holds whenever one of its transitions happens; over the values before it.
    pub condition: Term,
}

/// More ways to one node than this are made one.
const MAX_WAYS: usize = 8;
/// Graphs with more edges are not examined: the user is waiting.
const MAX_EDGES: usize = 20_000;
/// More questions to the solver than this are not worth a shorter text.
const MAX_QUESTIONS: usize = 400;

/// The guards that were passed on a way, in its order, each once.
type Way = Vec<Term>;

/// Ways of which one was gone; none where nothing is known to lead there.
#[derive(Debug, Clone, Default)]
struct Ways {
    all: Vec<Way>,
    /// There were too many: now there is one, which says what all of them say.
    is_one: bool,
}

/// The conditions under which the transitions of a graph happen, in the order of their places.
///
/// A place whose transitions happen whatever the data are, or never, is left out; so is everything where the budget
/// does not last.
pub fn occurrences(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Vec<Occurrence>, SolverError> {
    if stg.edges().len() > MAX_EDGES {
        return Ok(Vec::new());
    }
    let Some(reached) = ways(stg, terms, budget) else {
        return Ok(Vec::new());
    };
    let mut places: Vec<(Span, Ways)> = Vec::new();
    for edge in stg.edges() {
        let Some(origin) = edge.origin else {
            continue;
        };
        let at = match places.binary_search_by_key(&origin, |it| it.0) {
            Ok(at) => at,
            Err(at) => {
                places.insert(at, (origin, Ways::default()));
                at
            }
        };
        for way in &reached[edge.source.index()].all {
            places[at].1.add(passed(way, edge.guard, terms), terms);
        }
    }
    let mut questions = 0;
    let mut found = Vec::new();
    for (origin, ways) in places {
        let mut parts = Vec::new();
        for way in ways.all {
            let way = without_implied(way, terms, solver, &mut questions)?;
            parts.push(terms.and(way));
        }
        let condition = terms.or(parts);
        let condition = terms.simplify(condition);
        if condition != Term::TRUE && condition != Term::FALSE {
            found.push(Occurrence { origin, condition });
        }
    }
    Ok(found)
}

/// The ways to each node; none where the budget does not last.
fn ways(stg: &Stg, terms: &mut Terms, budget: &Budget) -> Option<Vec<Ways>> {
    let mut reached = vec![Ways::default(); stg.nodes().len()];
    reached[stg.initial().index()].all.push(Way::new());
    let mut waiting: VecDeque<NodeId> = VecDeque::from([stg.initial()]);
    while let Some(node) = waiting.pop_front() {
        budget.spend().ok()?;
        let here = reached[node.index()].all.clone();
        for (_, edge) in stg.outgoing(node) {
            let mut is_new = false;
            for way in &here {
                let next = after(way, edge, terms);
                is_new |= reached[edge.target.index()].add(next, terms);
            }
            if is_new && !waiting.contains(&edge.target) {
                waiting.push_back(edge.target);
            }
        }
    }
    Some(reached)
}

/// The way with a guard that is passed.
fn passed(way: &Way, guard: Term, terms: &Terms) -> Way {
    let mut way = way.clone();
    let parts = match terms.kind(guard) {
        _ if guard == Term::TRUE => &[][..],
        TermKind::Apply(Op::And, parts) => parts,
        _ => std::slice::from_ref(&guard),
    };
    for part in parts {
        if !way.contains(part) {
            way.push(*part);
        }
    }
    way
}

/// The way after an edge.
fn after(way: &Way, edge: &Edge, terms: &Terms) -> Way {
    let mut changed: Vec<Var> = edge.event.bound_variables().collect();
    changed.extend(edge.updates.iter().map(|it| it.variable));
    let mut next = passed(way, edge.guard, terms);
    next.retain(|&it| {
        let mut variables = terms.free_variables(it).into_iter();
        !variables.any(|it| changed.contains(&it))
    });
    next
}

impl Ways {
    /// Takes note of a way; whether that says anything new.
    fn add(&mut self, mut way: Way, terms: &mut Terms) -> bool {
        if self.is_one {
            let Some(only) = self.all.first_mut() else {
                return false;
            };
            let before = only.len();
            only.retain(|it| way.contains(it));
            return only.len() < before;
        }
        loop {
            if self.all.iter().any(|it| says_less(it, &way)) {
                return false;
            }
            let joined = self
                .all
                .iter()
                .enumerate()
                .find_map(|(at, it)| Some((at, without_difference(it, &way, terms)?)));
            match joined {
                Some((at, both)) => {
                    self.all.remove(at);
                    way = both;
                }
                None => break,
            }
        }
        self.all.retain(|it| !says_less(&way, it));
        self.all.push(way);
        if self.all.len() > MAX_WAYS {
            let mut common = self.all.pop().unwrap_or_default();
            for other in self.all.drain(..) {
                common.retain(|it| other.contains(it));
            }
            self.all.push(common);
            self.is_one = true;
        }
        true
    }
}

/// Whether all that one way says the other says too.
fn says_less(one: &Way, other: &Way) -> bool {
    one.iter().all(|it| other.contains(it))
}

/// What two ways say that differ in one guard and its complement.
fn without_difference(one: &Way, other: &Way, terms: &mut Terms) -> Option<Way> {
    if one.len() != other.len() {
        return None;
    }
    let mut own = one.iter().filter(|it| !other.contains(it));
    let (&guard, None) = (own.next()?, own.next()) else {
        return None;
    };
    let &opposite = other.iter().find(|it| !one.contains(it))?;
    let is_complement = terms.complement(guard) == opposite || terms.complement(opposite) == guard;
    is_complement.then(|| one.iter().copied().filter(|it| *it != guard).collect())
}

/// The way without guards that follow from its others.
fn without_implied(
    way: Way,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    questions: &mut usize,
) -> Result<Way, SolverError> {
    let mut kept = way;
    let mut at = 0;
    while kept.len() > 1 && at < kept.len() && *questions < MAX_QUESTIONS {
        *questions += 1;
        let mut rest = kept.clone();
        let guard = rest.remove(at);
        let mut asked = rest.clone();
        asked.push(terms.not(guard));
        if solver.check_assuming(terms, &asked)? == Satisfiability::Unsat {
            kept = rest;
        } else {
            at += 1;
        }
    }
    Ok(kept)
}
