//! A run of a graph with data that someone chooses step by step.
//!
//! An edge may be taken if its guard holds for the values so far; what its event binds is free to choose.
//! The solver proposes a choice for each step that may come next, and proves of the others that no choice allows them.
//! Every value that it proposes has been tried: the guard was evaluated with it.

use choros_data::{Assignment, Term, Terms, Value, Var};
use choros_model::evidence::{Binding, Configuration};
use choros_model::stg::run::{Refusal, RunState, RunStep, fire, may_end, replay};
use choros_model::stg::{Edge, EdgeId, FieldValue, Stg};
use choros_model::walk::{Proposal, RefusedChoice, Walk, WalkOption};
use choros_smt::{Satisfiability, Solver};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// One choice: the number of the step, from 1, and values by the names of variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WalkChoice {
    /// Which step.
    pub number: usize,
    /// What it brings.
    pub values: Assignment,
}

/// Goes through a graph whose parameters have values.
pub fn walk(
    stg: &Stg,
    parameters: &Assignment,
    taken: &[WalkChoice],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Walk, RefusedChoice> {
    let mut choices: Vec<RunStep> = Vec::new();
    let mut known: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut here = RunState {
        node: stg.initial(),
        values: parameters.clone(),
    };
    for (position, step) in taken.iter().enumerate() {
        let refused = |reason: String| RefusedChoice { position, reason };
        let edges: Vec<EdgeId> = stg.outgoing(here.node).map(|it| it.0).collect();
        let edge = step.number.checked_sub(1).and_then(|it| edges.get(it));
        let &edge = edge.ok_or_else(|| {
            refused(match edges.len() {
                0 => "nothing can follow there".to_owned(),
                count => format!("there is no step {}; the last is {count}", step.number),
            })
        })?;
        let mut brought = Vec::new();
        for variable in stg.edge(edge).event.bound_variables() {
            let value = step.values.get(&variable);
            let name = terms.variable_text(variable);
            let value = value.ok_or_else(|| refused(format!("`{name}` needs a value")))?;
            brought.push(value.clone());
        }
        let choice = RunStep {
            edge,
            bound_values: brought,
        };
        let fired = fire(stg, &here, &choice, terms)
            .map_err(|reason| refused(refusal(&reason, stg.edge(edge), terms)))?;
        learn(stg.edge(edge), &fired.carried, terms, &mut known);
        here = fired.state;
        choices.push(choice);
    }
    let (_, run) = replay(stg, parameters.clone(), &choices, terms).map_err(|(position, it)| {
        let reason = refusal(&it, stg.edge(choices[position].edge), terms);
        RefusedChoice { position, reason }
    })?;
    let edges: Vec<EdgeId> = stg.outgoing(here.node).map(|it| it.0).collect();
    let offers = edges
        .iter()
        .map(|&edge| offer(stg, edge, &here, terms, solver));
    let offers = offers.collect();
    Ok(Walk {
        run,
        configuration: situation(stg, &here, terms),
        known: known
            .into_iter()
            .map(|(role, values)| (role, values.into_iter().map(bound).collect()))
            .collect(),
        offers,
        may_end: may_end(stg, &here, terms).unwrap_or(false),
        cut: None,
    })
}

fn bound((variable, value): (String, String)) -> Binding {
    Binding { variable, value }
}

fn situation(stg: &Stg, here: &RunState, terms: &Terms) -> Configuration {
    let mut parts = vec![("state".to_owned(), stg.node(here.node).label.clone())];
    let values = here.values.iter();
    let mut values: Vec<(String, String)> = values
        .map(|(&it, value)| (terms.variable_text(it).to_owned(), terms.print_value(value)))
        .collect();
    values.sort();
    parts.append(&mut values);
    Configuration {
        parts,
        channels: Vec::new(),
    }
}

/// What sender and receiver of a message know after it: the values of variables that it carried.
fn learn(
    edge: &Edge,
    carried: &[Value],
    terms: &Terms,
    known: &mut BTreeMap<String, BTreeMap<String, String>>,
) {
    let Some(message) = edge.event.message() else {
        return;
    };
    for role in [message.from, message.to] {
        let role = known
            .entry(terms.names.text(role.0).to_owned())
            .or_default();
        for (field, value) in message.fields.iter().zip(carried) {
            let variable = match field.value {
                FieldValue::Bind(variable) => Some(variable),
                FieldValue::Free(term) => terms.as_variable(term),
            };
            if let Some(variable) = variable {
                let name = terms.variable_text(variable).to_owned();
                role.insert(name, terms.print_value(value));
            }
        }
    }
}

fn refusal(reason: &Refusal, edge: &Edge, terms: &Terms) -> String {
    match reason {
        Refusal::Elsewhere => "the step does not start here".to_owned(),
        Refusal::Guard => format!("`{}` does not hold", terms.print(edge.guard)),
        Refusal::Count { expected, given } => {
            format!("it needs {expected} values and got {given}")
        }
        Refusal::Sort(variable) => {
            let name = terms.variable_text(*variable);
            format!("`{name}` has another sort")
        }
        Refusal::NoValue(_) => "with these values, something in it is undefined".to_owned(),
    }
}

fn offer(
    stg: &Stg,
    id: EdgeId,
    here: &RunState,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> WalkOption {
    let edge = stg.edge(id);
    let wanted: Vec<Var> = edge.event.bound_variables().collect();
    let refused = match terms.evaluate_guard(edge.guard, &here.values) {
        Ok(true) => None,
        Ok(false) => Some(refusal(&Refusal::Guard, edge, terms)),
        Err(reason) => Some(refusal(&Refusal::NoValue(reason), edge, terms)),
    };
    let proposals = if refused.is_some() || wanted.is_empty() {
        Vec::new()
    } else {
        proposals(stg, id, &wanted, here, terms, solver)
    };
    let named = wanted.iter().map(|&it| {
        let sort = terms.sort_text(terms.variable_sort(it));
        (terms.variable_text(it).to_owned(), sort)
    });
    WalkOption {
        event: edge.event.shown(terms),
        target: stg.node(edge.target).label.clone(),
        open_variables: named.collect(),
        proposals,
        refused,
    }
}

/// For each step that may come after an edge, values that let it come; and for its end.
fn proposals(
    stg: &Stg,
    id: EdgeId,
    wanted: &[Var],
    here: &RunState,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Vec<Proposal> {
    let edge = stg.edge(id).clone();
    // What each variable is worth after the edge, in terms of what is to be chosen.
    let mut worth: FxHashMap<Var, Term> = here
        .values
        .iter()
        .filter(|(variable, _)| !wanted.contains(variable))
        .map(|(&variable, value)| (variable, terms.constant(value.clone())))
        .collect();
    for update in &edge.updates {
        let value = terms.substitute(update.value, &worth);
        worth.insert(update.variable, value);
    }
    let mut after: Vec<(String, Term)> = Vec::new();
    for (_, next) in stg.outgoing(edge.target) {
        after.push((next.event.shown(terms), next.guard));
    }
    for termination in &stg.node(edge.target).terminations {
        after.push(("the end".to_owned(), termination.guard));
    }
    let mut found: Vec<Proposal> = Vec::new();
    for (next, guard) in after {
        let guard = terms.substitute(guard, &worth);
        let formula = terms.close(guard);
        let values = match solver.satisfiable(terms, &[formula]) {
            Ok(Satisfiability::Sat) => match solver.model(terms, wanted) {
                Some(model) => tried(stg, id, wanted, here, &model, terms),
                None => Err("the solver found no values".to_owned()),
            },
            Ok(Satisfiability::Unsat) => Err("no value allows it".to_owned()),
            Ok(Satisfiability::Unknown(_)) | Err(_) => Err("not known".to_owned()),
        };
        found.push(Proposal { next, values });
    }
    found
}

/// A proposal, once the step has been taken with it.
fn tried(
    stg: &Stg,
    edge: EdgeId,
    wanted: &[Var],
    here: &RunState,
    model: &Assignment,
    terms: &Terms,
) -> Result<Vec<Binding>, String> {
    let brought: Option<Vec<Value>> = wanted.iter().map(|it| model.get(it).cloned()).collect();
    let brought = brought.ok_or("the solver found no values")?;
    let choice = RunStep {
        edge,
        bound_values: brought.clone(),
    };
    fire(stg, here, &choice, terms).map_err(|reason| refusal(&reason, stg.edge(edge), terms))?;
    let named = wanted
        .iter()
        .zip(&brought)
        .map(|(&variable, value)| Binding {
            variable: terms.variable_text(variable).to_owned(),
            value: terms.print_value(value),
        });
    Ok(named.collect())
}
