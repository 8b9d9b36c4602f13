//! How big is a g-choreography?

use choros_model::cfsm::Cfsm;
use choros_model::gchor::Gchor;
use choros_realize::gchor::project_all;
use choros_report::Report;

use super::pomsets::pomsets;
use crate::diagnostics::state_bound;
use crate::{Request, Settings, Workspace};

/// Counts the configurations of its machines, or with `--pomsets` its pomsets and words.
pub(in crate::verbs) fn explore(
    request: &Request,
    gchor: &Gchor,
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let path = &request.path;
    if settings.gchor.pomsets {
        pomsets(path, gchor, workspace, settings, report);
    } else if let Some(machines) = machines(request, gchor, settings, report) {
        crate::verbs::machines::explore(path, &machines, workspace, settings, report);
    }
}

/// The machines of all participants; `None` when they are too large, and the report is told.
pub(in crate::verbs) fn machines(
    request: &Request,
    gchor: &Gchor,
    settings: &Settings,
    report: &mut Report,
) -> Option<Vec<Cfsm>> {
    settings
        .progress
        .show(format!("projecting `{}`", request.path));
    match project_all(gchor, &settings.states()) {
        Ok(machines) => Some(machines),
        Err(spent) => {
            let finding = state_bound::diagnostic(&request.path, spent);
            report.diagnostics.push(finding);
            None
        }
    }
}
