//! Which values satisfy a constraint?
//!
//! The tool SWST of Bentakouk's thesis (section 4.2.5): typed variables and a constraint, and the answer *sat* with
//! values, *unsat*, or *unknown*.
//! As everywhere, *sat* is the verdict *holds* and *unsat* is *fails*.

use choros_base::has_errors;
use choros_report::answers::{Answered, RunNotes, Solution, SolvedVariable, Stop};
use choros_solve::{Problem, SolveAnswer, read, solve as look_for_values};

use crate::diagnostics::nothing_declared;
use crate::{Settings, Workspace};

/// What is asked of a problem.
#[derive(Debug, Clone, Default)]
pub struct SolveRequest {
    /// The file.
    pub path: String,
    /// The tree encoding as a script for solvers, beside the answer.
    #[cfg(feature = "theses")]
    pub script: Option<TreeScript>,
}

/// How the tree encoding is written.
#[cfg(feature = "theses")]
#[derive(Debug, Clone, Copy)]
pub struct TreeScript {
    /// The number of the first variable that it creates.
    pub first: usize,
}

/// Solves a problem.
pub fn solve(
    workspace: &mut Workspace<'_>,
    request: &SolveRequest,
    settings: &Settings,
) -> Answered<Solution> {
    settings.answered(|run| solution(workspace, request, settings, run))
}

fn solution(
    workspace: &mut Workspace<'_>,
    request: &SolveRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Solution, Stop> {
    let path = &request.path;
    let input = (path.clone(), "problem".to_owned());
    run.semantics.inputs.extend([input]);
    let (_, text) = workspace.required(path, run)?;
    let (problem, mut found) =
        workspace.with_library(|library, terms| read(library, terms, path, &text));
    run.findings.append(&mut found);
    let problem = problem.ok_or(Stop::Mistakes)?;
    if problem.variables.is_empty() && problem.assertions.is_empty() {
        run.findings.push(nothing_declared::diagnostic(path));
    }
    let script = script(&problem, request, workspace, run);
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let mut solver = settings.solver();
    settings
        .events
        .report(&run.clone().report("solve"), &workspace.sources);
    let found = look_for_values(&problem, &mut solver, &mut workspace.terms);
    settings.name_solver(&solver, &mut run.semantics);
    let SolveAnswer { verdict, values } = found.map_err(|error| Stop::World(error.to_string()))?;
    let values = values.into_iter().map(|it| SolvedVariable {
        name: it.name,
        value: it.value,
        xml: it.xml,
    });
    Ok(Solution {
        name: path.clone(),
        verdict,
        values: values.collect(),
        script,
    })
}

/// The tree encoding, where it is asked for and there is one.
#[cfg(feature = "theses")]
fn script(
    problem: &Problem,
    request: &SolveRequest,
    workspace: &Workspace<'_>,
    run: &mut RunNotes,
) -> Option<String> {
    use crate::diagnostics::no_tree_encoding;

    let script = choros_solve::tree_script(&workspace.terms, problem, request.script?.first);
    let told = script.map_err(|reason| {
        let finding = no_tree_encoding::diagnostic(&request.path, &reason.what);
        run.findings.push(finding);
    });
    told.ok()
}

#[cfg(not(feature = "theses"))]
fn script(_: &Problem, _: &SolveRequest, _: &Workspace<'_>, _: &mut RunNotes) -> Option<String> {
    None
}
