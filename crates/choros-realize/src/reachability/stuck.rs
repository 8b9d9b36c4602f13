//! Where can a run be in which nothing continues, and for which data?
//!
//! A node is *stuck* for some data if a run can come to it with values that satisfy no guard of what leaves it and no
//! condition of its terminations.
//! A visit says which values a run can bring, so the question is whether it allows the negation of all guards together.
//! Where conditions were forgotten, or the solver could not say whether an edge fires, a visit may allow values that no
//! run brings; what is found there is not claimed.

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms, Value, Var};
use choros_model::stg::{NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

use super::Reachability;

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct StuckStates {
    /// Nodes in which nothing continues for some data, in their order.
    pub stuck: Vec<StuckState>,
    /// Nodes of which that is not known.
    pub undecided: Vec<NodeId>,
    /// Why not all nodes were examined.
    pub cut: Option<StopReason>,
}

/// A node in which nothing continues for some data.
#[derive(Debug, Clone)]
pub struct StuckState {
    pub node: NodeId,
    /// Such data: values of the variables that its guards speak of, in the order of the guards.
    pub data: Vec<(Var, Value)>,
}

/// Finds the states in which nothing continues for some data, among those that were found reachable.
pub fn stuck_states(
    stg: &Stg,
    found: &Reachability,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<StuckStates, SolverError> {
    let mut result = StuckStates::default();
    for node in stg.node_ids() {
        let visits = &found.visits[node.index()].all;
        if visits.is_empty() {
            continue;
        }
        if let Err(spent) = budget.spend() {
            result.cut = Some(spent);
            return Ok(result);
        }
        let terminations = stg.node(node).terminations.iter().map(|it| it.guard);
        let guards: Vec<Term> = stg
            .outgoing(node)
            .map(|(_, edge)| edge.guard)
            .chain(terminations)
            .collect();
        if guards.contains(&Term::TRUE) {
            continue;
        }
        if guards.is_empty() {
            // What an orchestration calls its end is not a state in which it is stuck.
            if stg.is_stuck(node) {
                if visits.iter().any(|visit| !visit.guessed) {
                    result.stuck.push(StuckState {
                        node,
                        data: Vec::new(),
                    })
                } else {
                    result.undecided.push(node)
                }
            }
            continue;
        }
        let mut variables: Vec<Var> = Vec::new();
        for &guard in &guards {
            for variable in terms.free_variables(guard) {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
        let nothing = terms.or(guards);
        let nothing = terms.not(nothing);
        let mut undecided = false;
        let mut stuck = None;
        for visit in visits {
            let mut question = visit.formulas();
            question.push(nothing);
            match solver.satisfiable(terms, &question)? {
                Satisfiability::Unsat => {}
                Satisfiability::Unknown(_) => undecided = true,
                Satisfiability::Sat if visit.guessed => undecided = true,
                Satisfiability::Sat => {
                    let data = plain_data(&variables, question, terms, solver)?;
                    stuck = Some(StuckState { node, data });
                    break;
                }
            }
        }
        match stuck {
            Some(stuck) => result.stuck.push(stuck),
            None if undecided || found.cut.is_some() => result.undecided.push(node),
            None => {}
        }
    }
    Ok(result)
}

/// Values of these variables that satisfy the formulas, which the solver just found satisfiable.
///
/// Solvers differ in what they offer, so plain values are tried first, one variable after the other.
fn plain_data(
    variables: &[Var],
    mut formulas: Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Vec<(Var, Value)>, SolverError> {
    let mut data = Vec::new();
    for &variable in variables {
        let Some(found) = solver.model(terms, &[variable]) else {
            continue;
        };
        let Some(offered) = found.get(&variable) else {
            continue;
        };
        let mut candidates: Vec<Value> = match offered {
            Value::Int(_) => PLAIN.map(Value::int).to_vec(),
            Value::Bool(_) => vec![Value::Bool(false)],
            _ => Vec::new(),
        };
        candidates.push(offered.clone());
        for value in candidates {
            let term = terms.var(variable);
            let constant = terms.constant(value.clone());
            formulas.push(terms.equal(term, constant));
            if solver.satisfiable(terms, &formulas)? == Satisfiability::Sat {
                data.push((variable, value));
                break;
            }
            formulas.pop();
        }
    }
    Ok(data)
}

/// Numbers that people like in examples.
const PLAIN: [i64; 9] = [0, 1, -1, 2, 3, 5, 10, -10, 100];
