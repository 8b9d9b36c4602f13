//! Machines, whatever file they come from.

use choros_base::{Diagnostic, Name, Names, has_errors, nearest};
use choros_model::cfsm::Cfsm;
use choros_report::Report;
use choros_report::answers::{Run, Stop};

use crate::diagnostics::{no_machines, unknown_participant};
use crate::{Model, Request, Settings, Workspace};

/// The machines of a model; `None` when there are none to work with, and the report is told why.
pub(super) fn load_machines(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<Vec<Cfsm>> {
    let (kind, model) = workspace.load(request, settings, &mut report.diagnostics)?;
    report
        .semantics
        .inputs
        .insert(request.path.clone(), kind.name().to_owned());
    if has_errors(&report.diagnostics) {
        return None;
    }
    match model {
        Model::Machines(machines) => Some(machines),
        Model::Gchor(gchor) => {
            let machines = crate::verbs::gchor::machines(request, &gchor, settings);
            let told = machines.map_err(|finding| report.diagnostics.push(*finding));
            told.ok()
        }
        Model::Graphs(..) | Model::System(_) | Model::Service(_) => {
            let finding = no_machines::diagnostic(&request.path, kind.words());
            report.diagnostics.push(finding);
            None
        }
    }
}

/// The same of a run.
pub(in crate::verbs) fn machines_of(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut Run,
) -> Result<Vec<Cfsm>, Stop> {
    let model = workspace.model(request, settings, run);
    let (kind, model) = model
        .filter(|_| !has_errors(&run.findings))
        .ok_or(Stop::Mistakes)?;
    let machines = match model {
        Model::Machines(machines) => Ok(machines),
        Model::Gchor(gchor) => crate::verbs::gchor::machines(request, &gchor, settings),
        Model::Graphs(..) | Model::System(_) | Model::Service(_) => Err(Box::new(
            no_machines::diagnostic(&request.path, kind.words()),
        )),
    };
    machines.map_err(|finding| {
        run.findings.push(*finding);
        Stop::Mistakes
    })
}

/// The participant with this name, or that there is none.
pub(in crate::verbs) fn find_participant(
    role: &str,
    path: &str,
    machines: &[Cfsm],
    names: &Names,
) -> Result<Name, Box<Diagnostic>> {
    let all = machines.iter().map(Cfsm::participant);
    let found = all.clone().find(|&it| names.text(it) == role);
    found.ok_or_else(|| {
        let known: Vec<&str> = all.map(|it| names.text(it)).collect();
        let similar = nearest(role, known.iter().copied());
        Box::new(unknown_participant::diagnostic(path, role, similar, &known))
    })
}

/// The same; the report is told when there is none.
pub(super) fn participant(
    role: &str,
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    report: &mut Report,
) -> Option<Name> {
    let found = find_participant(role, path, machines, &workspace.terms.names);
    let told = found.map_err(|finding| report.diagnostics.push(*finding));
    told.ok()
}
