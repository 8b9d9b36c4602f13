//! How good are the tests?

use choros_report::answers::{Answered, Mutation, RunNotes, Stop};
use choros_suite::{MachineTestOptions, mutation_of};
use choros_testgen::{Operator, judge, mutants};

use super::findings::tell_discipline;
use super::suite::make_suite;
use crate::{Request, Settings, Workspace};

/// In what mistakes are made, and which.
#[derive(Debug, Clone)]
pub struct MutateRequest {
    pub model: Request,
    /// How tests are made, and for whom.
    pub tests: MachineTestOptions,
    /// The kinds of mistakes.
    pub operators: Vec<Operator>,
    /// The score below which the answer is no, in thousandths.
    pub min_score: Option<u32>,
}

impl Default for MutateRequest {
    fn default() -> Self {
        MutateRequest {
            model: Request::default(),
            tests: MachineTestOptions::default(),
            operators: Operator::TABLE.to_vec(),
            min_score: None,
        }
    }
}

/// Makes mistakes in the machines of a model and counts how many its tests find.
pub fn mutate(
    workspace: &mut Workspace<'_>,
    request: &MutateRequest,
    settings: &Settings,
) -> Answered<Mutation> {
    settings.answered(|run| {
        run.semantics.relation = Some("mutants that some test fails".to_owned());
        tell_discipline(&mut run.semantics, settings);
        mutated(workspace, request, settings, run)
    })
}

fn mutated(
    workspace: &mut Workspace<'_>,
    request: &MutateRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Mutation, Stop> {
    let made = make_suite(workspace, &request.model, &request.tests, settings, run)?;
    let operators = &request.operators;
    let mut found = Mutation::default();
    for role in made.roles() {
        let Some(original) = made.suite.machine(role) else {
            continue;
        };
        let tests: Vec<_> = made.suite.tests_of(role).collect();
        let mut judged = Vec::new();
        for mutant in mutants(original, operators, &mut workspace.terms.names) {
            if settings.is_cancelled() {
                break;
            }
            settings.events.doing(format!("judging {}", mutant.name));
            judged.push(judge(
                original,
                mutant,
                &tests,
                (settings.discipline, &made.watched),
                made.fairness,
                &workspace.terms,
                &settings.states(),
            ));
        }
        let names = &workspace.terms.names;
        let least = request.min_score;
        let mutated = mutation_of(original, &judged, operators, least, names);
        found.roles.push(mutated);
    }
    found.is_complete = made.is_complete && !settings.is_cancelled();
    Ok(found)
}
