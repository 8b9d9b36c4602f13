//! Parts of verbs that still fill a report, for those that do not.

use choros_model::gchor::Gchor;
use choros_model::stg::Stg;
use choros_realize::Projection;
use choros_report::Report;
use choros_report::answers::{Run, Stop};

use super::{conform, gchor, no_graph};
use crate::{Component, Request, Settings, Workspace};

fn with_report<T>(run: &mut Run, ask: impl FnOnce(&mut Report) -> Option<T>) -> Result<T, Stop> {
    let mut report = Report {
        diagnostics: std::mem::take(&mut run.findings),
        semantics: std::mem::take(&mut run.semantics),
        ..Report::default()
    };
    let answer = ask(&mut report);
    run.findings = report.diagnostics;
    run.semantics = report.semantics;
    answer.ok_or_else(|| match (report.world_failed, report.outcomes.pop()) {
        (Some(reason), _) => Stop::World(reason),
        (None, Some(outcome)) => Stop::NamedResult(Box::new(outcome)),
        (None, None) => Stop::Mistakes,
    })
}

pub(super) fn graph(component: Component, run: &mut Run) -> Result<Stg, Stop> {
    with_report(run, |report| {
        no_graph::remark(&component, report);
        match component.stg {
            Ok(stg) => Some(stg),
            Err(ref reason) => {
                let outcome = no_graph::no_graph(&component, reason, report);
                report.outcomes.push(outcome);
                None
            }
        }
    })
}

pub(super) fn part(
    stg: &Stg,
    role: &str,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut Run,
) -> Result<Projection, Stop> {
    let mut solver = settings.solver();
    with_report(run, |report| {
        conform::local(stg, role, workspace, &mut solver, settings, report)
    })
}

pub(super) fn require_well_formed(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut Run,
) -> Result<(), Stop> {
    with_report(run, |report| {
        gchor::refuse_ill_formed(workspace, request, settings, report)
    })
}

pub(super) fn require_gchor(
    workspace: &mut Workspace<'_>,
    request: &Request,
    option: &str,
    settings: &Settings,
    run: &mut Run,
) -> Result<Gchor, Stop> {
    with_report(run, |report| {
        gchor::only_gchor(workspace, request, option, settings, report)
    })
}
