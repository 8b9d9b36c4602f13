//! Whether a challenge really has no answer, by the naive semantics and with values.

use choros_certify::{ChoiceNames, MAX_SILENT, PathValues, silent_paths};
use choros_data::{Term, Terms, Value};
use choros_model::stg::run::{RunState, RunStep, enabled, fire, may_end};
use choros_model::stg::{EdgeId, Event, FieldValue, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::clauses::{Challenge, System};
use crate::matching::{pair_fields, same_heading};

/// Whether one side can do what the challenge says and the other, whatever it does in silence, cannot.
pub(crate) fn unanswered(
    system: &System<'_>,
    challenge: Challenge,
    left: &RunState,
    right: &RunState,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<bool, SolverError> {
    let answer = match challenge {
        // A silent step is answered by standing still.
        Challenge::Silent(_) => return Ok(false),
        Challenge::LeftEnds => {
            return Ok(may_end(system.left, left, terms) == Ok(true)
                && may_end(system.right, right, terms) == Ok(false));
        }
        Challenge::Left(edge) => {
            return Ok(can(system.left, left, edge, terms)
                && enabled(system.right, right, terms).is_ok_and(|others| {
                    !others
                        .iter()
                        .any(|&other| same(system, (left, edge), (right, other), terms))
                }));
        }
        Challenge::RightEnds => {
            if may_end(system.right, right, terms) != Ok(true) {
                return Ok(false);
            }
            None
        }
        Challenge::Right(edge) => {
            if !can(system.right, right, edge, terms) {
                return Ok(false);
            }
            Some(edge)
        }
    };
    if chooses(system.left, left) {
        return unanswered_by_choice(system, answer, left, right, terms, solver);
    }
    let Some(situations) = in_silence(system.left, left, terms) else {
        return Ok(false);
    };
    Ok(situations.iter().all(|situation| match answer {
        None => may_end(system.left, situation, terms) == Ok(false),
        Some(edge) => enabled(system.left, situation, terms).is_ok_and(|own| {
            !own.iter()
                .any(|&own| same(system, (situation, own), (right, edge), terms))
        }),
    }))
}

/// Whether silence from here comes by a step that chooses values.
pub(crate) fn chooses(stg: &Stg, from: &RunState) -> bool {
    let mut seen = vec![from.node];
    let mut next = 0;
    while next < seen.len() {
        for (_, edge) in stg.outgoing(seen[next]) {
            if matches!(edge.event, Event::Choose(_)) {
                return true;
            }
            if edge.event.is_silent() && !seen.contains(&edge.target) {
                seen.push(edge.target);
            }
        }
        next += 1;
    }
    false
}

/// Whether no choice of values leads in silence to an answer: infinitely many values cannot be tried, so a solver is
/// asked, path by path.
fn unanswered_by_choice(
    system: &System<'_>,
    answer: Option<EdgeId>,
    left: &RunState,
    right: &RunState,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<bool, SolverError> {
    let start = constants(left, terms);
    let paths = silent_paths(
        system.left,
        left.node,
        &start,
        &mut ChoiceNames::default(),
        terms,
    );
    if !paths.complete {
        return Ok(false);
    }
    for path in &paths.all {
        let mut ways = Vec::new();
        match answer {
            None => {
                let ends = system.left.termination(path.node, terms);
                ways.push(terms.substitute(ends, &path.values));
            }
            Some(other) => {
                for (_, own) in system.left.outgoing(path.node) {
                    let Some(conditions) =
                        agreement(system, (&own.event, &path.values), (right, other), terms)
                    else {
                        continue;
                    };
                    let guard = terms.substitute(own.guard, &path.values);
                    ways.push(terms.and(conditions.into_iter().chain([guard])));
                }
            }
        }
        let ways = terms.or(ways);
        let conditions = path.conditions.iter().copied().chain([ways]);
        let possible = terms.and(conditions);
        let possible = terms.simplify(possible);
        if possible != Term::FALSE
            && solver.satisfiable(terms, &[possible])? != Satisfiability::Unsat
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What must hold for two events to be the same with the same data; nothing if they cannot be.
fn agreement(
    system: &System<'_>,
    (own, values): (&Event, &PathValues),
    (right, other): (&RunState, EdgeId),
    terms: &mut Terms,
) -> Option<Vec<Term>> {
    let other = &system.right.edge(other).event;
    let (Event::Message(own), Event::Message(other)) = (own, other) else {
        return (own == other && !own.is_silent()).then(Vec::new);
    };
    let fields = pair_fields(own, other).filter(|_| same_heading(own, other))?;
    let theirs = constants(right, terms);
    let mut conditions = Vec::new();
    for (own, other) in fields {
        match (own.value, other.value) {
            (FieldValue::Free(own), FieldValue::Free(other)) => {
                if terms.sort_of(own) != terms.sort_of(other) {
                    return None;
                }
                let own = terms.substitute(own, values);
                let other = terms.substitute(other, &theirs);
                conditions.push(terms.equal(own, other));
            }
            (FieldValue::Bind(own), FieldValue::Bind(other)) => {
                if terms.variable_sort(own) != terms.variable_sort(other) {
                    return None;
                }
            }
            (FieldValue::Free(_), FieldValue::Bind(_)) if system.allows_fixed() => {}
            _ => return None,
        }
    }
    Some(conditions)
}

/// The values of a situation as terms.
pub(crate) fn constants(situation: &RunState, terms: &mut Terms) -> PathValues {
    situation
        .values
        .iter()
        .map(|(&variable, value)| (variable, terms.constant(value.clone())))
        .collect()
}

fn can(stg: &Stg, situation: &RunState, edge: EdgeId, terms: &Terms) -> bool {
    enabled(stg, situation, terms).is_ok_and(|edges| edges.contains(&edge))
}

/// Whether two steps that can be taken are the same event with the same data.
fn same(
    system: &System<'_>,
    (left, own): (&RunState, EdgeId),
    (right, other): (&RunState, EdgeId),
    terms: &Terms,
) -> bool {
    let (own, other) = (
        &system.left.edge(own).event,
        &system.right.edge(other).event,
    );
    let (Event::Message(own), Event::Message(other)) = (own, other) else {
        return own == other && !own.is_silent();
    };
    let Some(fields) = pair_fields(own, other).filter(|_| same_heading(own, other)) else {
        return false;
    };
    let value = |term, situation: &RunState| -> Option<Value> {
        terms.evaluate(term, &situation.values).ok()
    };
    fields
        .iter()
        .all(|(own, other)| match (own.value, other.value) {
            (FieldValue::Free(own), FieldValue::Free(other)) => {
                value(own, left) == value(other, right)
            }
            (FieldValue::Bind(own), FieldValue::Bind(other)) => {
                terms.variable_sort(own) == terms.variable_sort(other)
            }
            (FieldValue::Free(_), FieldValue::Bind(_)) => system.allows_fixed(),
            (FieldValue::Bind(_), FieldValue::Free(_)) => false,
        })
}

/// All situations that silence leads to; `None` when there are too many.
fn in_silence(stg: &Stg, from: &RunState, terms: &Terms) -> Option<Vec<RunState>> {
    let mut seen = vec![from.clone()];
    let mut next = 0;
    while next < seen.len() {
        let situation = seen[next].clone();
        next += 1;
        for (edge, it) in stg.outgoing(situation.node) {
            if !it.event.is_silent() {
                continue;
            }
            let choice = RunStep {
                edge,
                bound_values: Vec::new(),
            };
            if let Ok(fired) = fire(stg, &situation, &choice, terms)
                && !seen.contains(&fired.state)
            {
                if seen.len() >= MAX_SILENT {
                    return None;
                }
                seen.push(fired.state);
            }
        }
    }
    Some(seen)
}
