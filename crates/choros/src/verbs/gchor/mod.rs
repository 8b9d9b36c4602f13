//! What the verbs say about g-choreographies.

mod check;
mod project;
mod realize;
mod unfold;

pub(super) use check::check;
pub(super) use project::project;
pub(super) use realize::realize;
pub(super) use unfold::unfolded_text;

use choros_base::{Diagnostic, StopReason, has_errors};
use choros_model::gchor::Gchor;
use choros_realize::gchor::{Strictness, WellFormedness, well_formedness};
use choros_report::answers::{RunNotes, Stop};

use crate::diagnostics::{ill_formed, not_a_gchor};
use crate::{GchorSettings, Model, Request, Settings, Workspace};

/// What to say of options that mean nothing for a file that is not a g-choreography.
pub(super) fn refusal(request: &Request, settings: &Settings) -> Option<Diagnostic> {
    let option = match settings.gchor {
        _ if request.is_gchor() => return None,
        GchorSettings { pomsets: true, .. } => "--pomsets",
        GchorSettings {
            unfold: Some(_), ..
        } => "--unfold",
        _ => return None,
    };
    Some(not_a_gchor::diagnostic(&request.path, option))
}

/// The form, as strictly as was asked.
fn form(gchor: &Gchor, settings: &Settings) -> Result<WellFormedness, StopReason> {
    let strictness = Strictness {
        tolerate_equal_branches: settings.gchor.tolerate_equal_branches,
        sequenced: settings.gchor.strict,
    };
    well_formedness(gchor, strictness, &settings.steps(10))
}

/// Stops where a file is a g-choreography that is not well-formed.
///
/// The next reader of the file reports what else is wrong with it.
pub(super) fn require_well_formed(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(), Stop> {
    if !request.is_gchor() {
        return Ok(());
    }
    let Ok(gchor) = load(workspace, request, settings, &mut RunNotes::default()) else {
        return Ok(());
    };
    let names = &workspace.terms.names;
    let form = form(&gchor, settings).map_err(|_| Stop::Mistakes)?;
    if form.holds() {
        return Ok(());
    }
    let places = form
        .violations
        .iter()
        .map(|it| (it.message(&gchor, names), gchor.node(it.at()).origin))
        .collect();
    run.findings
        .push(ill_formed::diagnostic(&request.path, places));
    Err(Stop::Mistakes)
}

/// The g-choreography of a file, for an option that means nothing for others.
pub(super) fn require_gchor(
    workspace: &mut Workspace<'_>,
    request: &Request,
    option: &str,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Gchor, Stop> {
    if !request.is_gchor() {
        let finding = not_a_gchor::diagnostic(&request.path, option);
        run.findings.push(finding);
        return Err(Stop::Mistakes);
    }
    load(workspace, request, settings, run)
}

/// The g-choreography of a file, if it has one without errors.
fn load(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Gchor, Stop> {
    let before = run.findings.len();
    match workspace.model(request, settings, run) {
        Some((_, Model::Gchor(gchor))) if !has_errors(&run.findings[before..]) => Ok(*gchor),
        _ => Err(Stop::Mistakes),
    }
}
