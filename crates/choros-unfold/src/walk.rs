//! Stepping through a model by hand.

use choros_base::has_errors;
use choros_data::Assignment;
use choros_model::cfsm::System;
use choros_model::stg::Stg;
use choros_model::walk::{RefusedChoice, Walk};
use choros_report::answers::{Answered, RunNotes, Stop, WalkAnswer};
use choros_symex::WalkChoice;

use crate::machine_tests::machine_tests;
use choros_codes::diagnostics::no_such_step;
use choros_workspace::{
    Behaviour, HeldModel, Request, Settings, VerifyRequest, Workspace, open_system,
};

/// Where does this run lead?
#[derive(Debug, Clone, Default)]
pub struct WalkRequest {
    pub model: Request,
    /// The steps to take: the number of each, from 1, and values for what it wants.
    pub steps: Vec<(usize, Vec<(String, String)>)>,
}

/// Takes steps from the start of a model and says what may follow.
pub fn walk(
    workspace: &mut Workspace<'_>,
    request: &WalkRequest,
    settings: &Settings,
) -> Answered<WalkAnswer> {
    let mut run = settings.run();
    let answer = walked(workspace, request, settings, &mut run);
    Answered { answer, run }
}

fn walked(
    workspace: &mut Workspace<'_>,
    request: &WalkRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<WalkAnswer, Stop> {
    let asked = VerifyRequest {
        model: request.model.clone(),
        ..VerifyRequest::default()
    };
    let numbers: Vec<usize> = request.steps.iter().map(|it| it.0).collect();
    let name = request.model.path.clone();
    let behaviour = open_system(workspace, &asked, settings, run)?.behaviour;
    let mut machines = None;
    let walked = match behaviour {
        Behaviour::System(mut system) => choros_model::walk::walk(&mut *system, &numbers),
        Behaviour::HeldModel(HeldModel::Graph(stg, ..)) => {
            graph(workspace, &stg, request, settings, run)?
        }
        Behaviour::HeldModel(HeldModel::Sessions(held)) => {
            let stg = held.together(workspace, settings, run)?;
            graph(workspace, &stg, request, settings, run)?
        }
        Behaviour::HeldModel(HeldModel::Machines(own, discipline, terms)) => {
            let walked =
                choros_model::walk::walk(&mut System::new(&own, discipline, &terms), &numbers);
            machines = Some((own, discipline));
            walked
        }
    };
    let walk = walked.map_err(|refused| {
        let finding = no_such_step::diagnostic(refused.position + 1, &refused.reason);
        run.findings.push(finding);
        Stop::Mistakes
    })?;
    let tests = machines.and_then(|(own, discipline)| {
        machine_tests(&own, discipline, &walk, &name, workspace, settings)
    });
    Ok(WalkAnswer { name, walk, tests })
}

/// Steps of a graph bring values, and its parameters have some.
fn graph(
    workspace: &mut Workspace<'_>,
    stg: &Stg,
    request: &WalkRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Result<Walk, RefusedChoice>, Stop> {
    let open = stg.parameters(&workspace.terms);
    if !open.is_empty() {
        let names = open.iter().map(|&it| workspace.terms.variable_text(it));
        let names: Vec<&str> = names.collect();
        run.findings.push(no_such_step::open_parameters(&names));
        return Err(Stop::Mistakes);
    }
    let mut taken = Vec::new();
    for (number, given) in &request.steps {
        let values = workspace.domains(stg, given, &mut run.findings);
        let first = values
            .into_iter()
            .filter_map(|(it, all)| Some((it, all.into_iter().next()?)));
        let (number, values) = (*number, first.collect());
        taken.push(WalkChoice { number, values });
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let mut solver = settings.solver();
    let terms = &mut workspace.terms;
    let walk = choros_symex::walk(stg, &Assignment::default(), &taken, terms, &mut solver);
    settings.name_solver(&solver, &mut run.semantics);
    Ok(walk)
}
