//! What happens when a test, or a component of one's own, runs?

use choros_base::has_errors;
use choros_model::cfsm::{Cfsm, System, survey};
use choros_model::lts::{explore as unfold, write_aut};
use choros_report::{Block, GraphDrawing, Report};

use super::explore::explore;
use super::load::{load_machines, participant};
use crate::diagnostics::no_such_form;
use crate::verbs::Picture;
use crate::verbs::draw::drawing_block;
use crate::{Request, Settings, Workspace};

/// Explores machines, one of which may be replaced by a component of one's own, and draws the configurations.
///
/// Configurations that nothing follows and that are no proper end are filled in the picture.
pub fn explore_system(
    workspace: &mut Workspace<'_>,
    request: &Request,
    component: Option<&Request>,
    picture: Option<Picture>,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("explore");
    let Some(mut machines) = load_machines(workspace, request, settings, &mut report) else {
        return report;
    };
    if let Some(component) = component {
        replace(
            &mut machines,
            request,
            component,
            workspace,
            settings,
            &mut report,
        );
    }
    if has_errors(&report.diagnostics) {
        return report;
    }
    explore(&request.path, &machines, workspace, settings, &mut report);
    if let Some(picture) = picture {
        let blocks = picture_blocks(
            &request.path,
            &machines,
            picture,
            workspace,
            settings,
            &mut report,
        );
        if let Some(outcome) = report.outcomes.last_mut() {
            outcome.blocks.extend(blocks);
        }
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// Puts the component of a file in the place of the machine with its name.
fn replace(
    machines: &mut [Cfsm],
    request: &Request,
    component: &Request,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let Some(candidates) = load_machines(workspace, component, settings, report) else {
        return;
    };
    let names: Vec<String> = match &component.component {
        Some(name) => vec![name.clone()],
        None => {
            let names = &workspace.terms.names;
            let called = candidates.iter().map(|it| names.text(it.participant()));
            called.map(str::to_owned).collect()
        }
    };
    for name in names {
        let there = participant(&name, &request.path, machines, workspace, report);
        let new = participant(&name, &component.path, &candidates, workspace, report);
        let (Some(there), Some(_)) = (there, new) else {
            return;
        };
        let own = |it: &&Cfsm| it.participant() == there;
        if let Some(new) = candidates.iter().find(own)
            && let Some(old) = machines.iter_mut().find(|it| it.participant() == there)
        {
            *old = new.clone();
        }
    }
}

fn picture_blocks(
    path: &str,
    machines: &[Cfsm],
    picture: Picture,
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Vec<Block> {
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    let form = match picture {
        Picture::Aut => {
            let explored = unfold(&mut system, &settings.states());
            return vec![Block::Picture {
                format: "aut",
                text: write_aut(&explored.lts),
            }];
        }
        Picture::Stg => ".stg",
        Picture::Schora => ".schora",
        Picture::Chor => ".chor",
        Picture::Fsa => ".fsa",
        Picture::Gc => ".gc",
        other => {
            survey(&mut system, &settings.states());
            let drawing = GraphDrawing::of_system(path, &mut system);
            return drawing_block(drawing, other, &mut report.diagnostics);
        }
    };
    let finding = no_such_form::diagnostic(path, "a system of machines", form);
    report.diagnostics.push(finding);
    Vec::new()
}
