//! What each role does: with or without memory, after additions where these are asked for.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::{Role, Stg};
use choros_smt::Solver;

use crate::diagnostics::no_choreography;
use crate::question::{Criterion, Question};
use crate::{AnalysisStop, Mode, Projection, knowable, part, project, realizability, without_dead};

/// What a role does with what it knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Memory {
    /// It keeps it: the part of the role, with values that it does not see as parameters.
    #[default]
    Part,
    /// It keeps it as far as it can, which is what a program does.
    Knowable,
    /// What it receives replaces it: the natural projection.
    Natural,
}

/// What became of a choreography that was to be projected.
#[derive(Debug, Clone)]
pub enum ProjectionAnswer {
    /// Its roles, in the order of first occurrence.
    Roles(Vec<Projection>),
    /// Messages were to be added first, and none are known to do, for this reason.
    NotMended(String),
}

/// Projects a graph of interactions on each of its roles, after the additions that `repair` asks for.
///
/// `budget` stops the work; a projection has at most `states` states.
pub fn projections(
    stg: &Stg,
    (mode, memory): (Mode, Memory),
    repair: Option<&Question>,
    states: u64,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<ProjectionAnswer, AnalysisStop> {
    no_choreography::refuse(stg, terms)?;
    let graph = match repair {
        None => without_dead(stg, terms, solver, budget)?.0,
        Some(question) => match repaired(stg, question, terms, solver, budget)? {
            Ok(graph) => graph,
            Err(reason) => return Ok(ProjectionAnswer::NotMended(reason)),
        },
    };
    let budget = &budget.part(states);
    if memory == Memory::Natural {
        let roles = project(&graph, mode, terms, solver, budget)?;
        let roles = roles.iter().map(|it| it.at_a_glance(terms)).collect();
        return Ok(ProjectionAnswer::Roles(roles));
    }
    let parameters = graph.parameters(terms);
    let mut parts = Vec::new();
    for role in graph.roles() {
        let part = part(&graph, role, terms, solver, budget)?;
        let part = match memory {
            Memory::Knowable => knowable(&part, &parameters, terms, solver, budget)?,
            _ => part,
        };
        parts.push(Projection {
            stg: part
                .stg
                .with_tick(stg.tick())
                .with_once(stg.once().to_vec()),
            ..part
        });
    }
    Ok(ProjectionAnswer::Roles(parts))
}

/// The part of one role in a graph of interactions, which may have dead transitions.
pub fn part_of(
    stg: &Stg,
    role: Role,
    states: u64,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Projection, AnalysisStop> {
    no_choreography::refuse(stg, terms)?;
    let (graph, _) = without_dead(stg, terms, solver, budget)?;
    part(&graph, role, terms, solver, &budget.part(states))
}

/// The graph with additions, or why none are known to do what is asked; the conditions promise no behaviour.
fn repaired(
    stg: &Stg,
    question: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<Stg, String>, AnalysisStop> {
    let question = Question {
        repair: true,
        ..question.clone()
    };
    let found = realizability(stg, &question, terms, solver, budget)?;
    let (verified, reason) = found.verified();
    Ok(
        if question.criterion == Criterion::Conditions || verified == "yes" {
            Ok(found.repaired().clone())
        } else {
            Err(reason.to_owned())
        },
    )
}
