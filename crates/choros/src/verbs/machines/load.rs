//! Machines, whatever file they come from.

use choros_base::{Name, has_errors, nearest};
use choros_model::cfsm::Cfsm;
use choros_report::Report;

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
        Model::Gchor(gchor) => crate::verbs::gchor::machines(request, &gchor, settings, report),
        Model::Graphs(..) | Model::System(_) | Model::Service(_) => {
            let finding = no_machines::diagnostic(&request.path, kind.words());
            report.diagnostics.push(finding);
            None
        }
    }
}

/// The participant with this name; the report is told when there is none.
pub(super) fn participant(
    role: &str,
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    report: &mut Report,
) -> Option<Name> {
    let names = &workspace.terms.names;
    let found = machines
        .iter()
        .map(Cfsm::participant)
        .find(|&it| names.text(it) == role);
    if found.is_none() {
        let known: Vec<&str> = machines
            .iter()
            .map(|it| names.text(it.participant()))
            .collect();
        let similar = nearest(role, known.iter().copied());
        let finding = unknown_participant::diagnostic(path, role, similar, &known);
        report.diagnostics.push(finding);
    }
    found
}
