//! How big is a g-choreography?

use choros_model::cfsm::{System, survey};
use choros_model::gchor::Gchor;
use choros_realize::gchor::project_all;
use choros_report::{GraphDrawing, Outcome, Report};

use super::draw::blocks;
use super::pomsets::pomsets;
use crate::diagnostics::state_bound;
use crate::verbs::Picture;
use crate::{Project, Settings};

/// Counts the configurations of its machines, or with `--pomsets` its pomsets and words.
pub(in crate::verbs) fn explore(
    path: &str,
    gchor: &Gchor,
    project: &Project<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    if settings.gchor.pomsets {
        pomsets(path, gchor, project, settings, report);
        return;
    }
    settings.progress.show(format!("projecting `{path}`"));
    match project_all(gchor, &settings.states()) {
        Ok(machines) => {
            crate::verbs::machines::explore(path, &machines, project, settings, report);
            if settings.picture != Picture::Report
                && let Some(outcome) = report.outcomes.pop()
            {
                let mut system = System::new(&machines, settings.discipline, &project.terms);
                survey(&mut system, &settings.states());
                let drawing = GraphDrawing::of_system(path, &mut system);
                let blocks = blocks(drawing, "a system of machines", settings.picture, report);
                report.outcomes.push(Outcome { blocks, ..outcome });
            }
        }
        Err(spent) => report
            .diagnostics
            .push(state_bound::diagnostic(path, spent)),
    }
}
