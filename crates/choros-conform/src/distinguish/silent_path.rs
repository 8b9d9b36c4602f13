//! The silent steps after which an implementation answers.

use std::collections::VecDeque;

use choros_certify::{ChoiceNames, MAX_SILENT, silent_paths};
use choros_data::{Assignment, Terms, Value, Var};
use choros_model::stg::NodeId;
use choros_model::stg::run::{RunState, RunStep, fire};
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::clauses::{System, Then};
use crate::replay::{chooses, constants};

/// The silent steps from where the implementation stands to the situation in which it answers.
pub(super) fn silent_path(
    system: &System<'_>,
    from: &RunState,
    then: &Then,
    values: &Assignment,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<RunStep>>, SolverError> {
    let (node, changed) = &then.from;
    if *node == from.node && changed.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut wanted = Assignment::default();
    for variable in system.left_free.at(*node) {
        let value = match changed.get(&variable) {
            Some(&term) => terms.evaluate(term, values).ok(),
            None => from.values.get(&variable).cloned(),
        };
        let Some(value) = value else {
            return Ok(None);
        };
        wanted.insert(variable, value);
    }
    if chooses(system.left, from) {
        return chosen_path(system, from, *node, &wanted, terms, solver);
    }
    let arrived = |situation: &RunState| {
        situation.node == *node
            && system
                .left_free
                .at(*node)
                .iter()
                .all(|variable| situation.values.get(variable) == wanted.get(variable))
    };
    let mut seen = vec![from.clone()];
    let mut work: VecDeque<(RunState, Vec<RunStep>)> = VecDeque::from([(from.clone(), Vec::new())]);
    while let Some((situation, path)) = work.pop_front() {
        if arrived(&situation) {
            return Ok(Some(path));
        }
        for (edge, it) in system.left.outgoing(situation.node) {
            if !it.event.is_silent() || seen.len() > MAX_SILENT {
                continue;
            }
            let choice = RunStep {
                edge,
                bound_values: Vec::new(),
            };
            if let Ok(fired) = fire(system.left, &situation, &choice, terms)
                && !seen.contains(&fired.state)
            {
                seen.push(fired.state.clone());
                let mut path = path.clone();
                path.push(choice);
                work.push_back((fired.state, path));
            }
        }
    }
    Ok(None)
}

/// The same where silent steps choose values: a path for which a solver finds some.
fn chosen_path(
    system: &System<'_>,
    from: &RunState,
    node: NodeId,
    wanted: &Assignment,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<RunStep>>, SolverError> {
    let start = constants(from, terms);
    let names = &mut ChoiceNames::default();
    let paths = silent_paths(system.left, from.node, &start, names, terms);
    for path in paths.all.iter().filter(|path| path.node == node) {
        let mut conditions = path.way.conditions.clone();
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (variable, value) in wanted {
            let held = match path.way.values.get(variable) {
                Some(&held) => held,
                None => terms.var(*variable),
            };
            let value = terms.constant(value.clone());
            conditions.push(terms.equal(held, value));
        }
        let condition = terms.and(conditions);
        if solver.satisfiable(terms, &[condition])? != Satisfiability::Sat {
            continue;
        }
        let all: Vec<Var> = path.way.steps.iter().flat_map(|it| it.1.clone()).collect();
        let Some(values) = solver.model(terms, &all) else {
            continue;
        };
        let choices = path.way.steps.iter().map(|(edge, brought)| {
            let brought: Option<Vec<Value>> =
                brought.iter().map(|it| values.get(it).cloned()).collect();
            Some(RunStep {
                edge: *edge,
                bound_values: brought?,
            })
        });
        return Ok(choices.collect());
    }
    Ok(None)
}
