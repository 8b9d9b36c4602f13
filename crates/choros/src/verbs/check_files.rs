//! Is it sound? Models and questions of every kind together.

use choros_base::has_errors;
use choros_report::Report;

use super::check::check;
use super::formulas::check_formulas;
use super::properties::check_properties;
use super::symbolic::check_purposes;
use crate::{Request, Settings, Workspace};

/// Checks files of any kinds: models for themselves; properties, purposes and contracts against `model` where one is
/// named, following its runs no further than `depth`.
pub fn check_files(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    model: Option<&Request>,
    depth: usize,
    settings: &Settings,
) -> Report {
    // Where a model is named, a document in XML holds properties about it.
    let is_about_model = |it: &Request| model.is_some() && it.known_kind().is_none();
    let is_property = |it: &Request| it.is_properties() || is_about_model(it);
    let some = |wanted: &dyn Fn(&Request) -> bool| -> Vec<Request> {
        requests.iter().filter(|it| wanted(it)).cloned().collect()
    };
    let models = some(&|it| !is_property(it) && !it.is_formulas() && !it.is_purpose());
    let mut whole: Option<Report> = None;
    let mut add = |report: Report| match &mut whole {
        Some(whole) => join(whole, report),
        None => whole = Some(report),
    };
    if !models.is_empty() {
        add(check(workspace, &models, settings));
    }
    let formulas = some(&Request::is_formulas);
    if !formulas.is_empty() {
        add(check_formulas(workspace, &formulas, settings));
    }
    let purposes = some(&Request::is_purpose);
    if !purposes.is_empty() {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        add(check_purposes(workspace, &purposes, model, depth, settings));
    }
    let properties = some(&is_property);
    if !properties.is_empty() {
        let paths: Vec<String> = properties.into_iter().map(|it| it.path).collect();
        add(check_properties(workspace, &paths, model, depth, settings));
    }
    whole.unwrap_or_else(|| settings.report("check"))
}

/// One report of two.
fn join(whole: &mut Report, mut part: Report) {
    whole.outcomes.append(&mut part.outcomes);
    whole.diagnostics.append(&mut part.diagnostics);
    whole.interrupted |= part.interrupted;
    whole.world_failed = whole.world_failed.take().or(part.world_failed);
    let semantics = &mut whole.semantics;
    semantics.relation = match (semantics.relation.take(), part.semantics.relation) {
        (Some(one), Some(other)) => Some(format!("{one}; {other}")),
        (one, other) => one.or(other),
    };
    semantics.inputs.append(&mut part.semantics.inputs);
    semantics.bounds.append(&mut part.semantics.bounds);
    semantics.notes.append(&mut part.semantics.notes);
    semantics.solver = semantics.solver.take().or(part.semantics.solver);
    if has_errors(&whole.diagnostics) {
        whole.outcomes.clear();
    }
}
