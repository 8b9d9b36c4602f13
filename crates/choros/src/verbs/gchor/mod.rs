//! What the verbs say about g-choreographies.

mod check;
mod form;
mod machines;
mod project;
mod realize;
mod unfold;

pub(super) use check::check;
pub(super) use machines::machines;
pub(super) use project::project;
pub(super) use realize::realize;
pub(super) use unfold::unfolded_text;

use choros_base::{Diagnostic, has_errors};
use choros_model::gchor::Gchor;
use choros_report::Report;

use crate::diagnostics::{ill_formed, not_a_gchor};
use crate::{GchorSettings, Model, Request, Settings, Workspace};

/// Whether a file is a g-choreography, by its extension or as it is said to be read.
pub(super) fn is_gchor(request: &Request) -> bool {
    request.is_gchor()
}

/// What to say of options that mean nothing for a file that is no g-choreography.
pub(super) fn refusal(request: &Request, settings: &Settings) -> Option<Diagnostic> {
    let option = match settings.gchor {
        _ if is_gchor(request) => return None,
        GchorSettings { pomsets: true, .. } => "--pomsets",
        GchorSettings {
            unfold: Some(_), ..
        } => "--unfold",
        _ => return None,
    };
    Some(not_a_gchor::diagnostic(&request.path, option))
}

/// `None` when a file is a g-choreography that is not well-formed; the report is told.
///
/// Whatever else is wrong with the file is told by whoever reads it next.
pub(super) fn refuse_ill_formed(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<()> {
    if !is_gchor(request) {
        return Some(());
    }
    let mut scratch = Report::default();
    let Some(gchor) = load(workspace, request, settings, &mut scratch) else {
        return Some(());
    };
    let names = &workspace.terms.names;
    let judged = form::judge(&gchor, settings).ok()?;
    if judged.violations.is_empty() {
        return Some(());
    }
    let places = judged
        .violations
        .iter()
        .map(|it| (it.message(&gchor, names), gchor.node(it.at()).origin))
        .collect();
    let finding = ill_formed::diagnostic(&request.path, places);
    report.diagnostics.push(finding);
    None
}

/// The g-choreography of a file, for an option that means nothing for others; the report is told.
pub(super) fn only_gchor(
    workspace: &mut Workspace<'_>,
    request: &Request,
    option: &str,
    settings: &Settings,
    report: &mut Report,
) -> Option<Gchor> {
    if !is_gchor(request) {
        let finding = not_a_gchor::diagnostic(&request.path, option);
        report.diagnostics.push(finding);
        return None;
    }
    load(workspace, request, settings, report)
}

/// The g-choreography of a file, if it has one without errors; the report is told.
fn load(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<Gchor> {
    let before = report.diagnostics.len();
    let (kind, model) = workspace.load(request, settings, &mut report.diagnostics)?;
    report
        .semantics
        .inputs
        .insert(request.path.clone(), kind.name().to_owned());
    match model {
        Model::Gchor(gchor) if !has_errors(&report.diagnostics[before..]) => Some(*gchor),
        _ => None,
    }
}
