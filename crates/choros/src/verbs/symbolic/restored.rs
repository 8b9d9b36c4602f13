//! A suite that was read from a file: its model, its settings, its tests.

use choros_report::SavedSymbolicSuite;
use choros_report::answers::{RunNotes, Stop};
use choros_suite::{Origin, SymbolicTestOptions, restore};
use choros_symex::DerivedTests;

use super::derive::prepare;
use crate::{FileKind, Request, Settings, Workspace};

/// The model of a suite.
pub(in crate::verbs) fn model_of(saved: &SavedSymbolicSuite) -> Request {
    let Origin {
        model,
        kind,
        component,
        ..
    } = Origin::of(saved);
    Request {
        path: model,
        component,
        kind: kind.as_deref().and_then(FileKind::named),
    }
}

/// The settings with the parameters of a suite, where none are given.
pub(in crate::verbs) fn settings_of(saved: &SavedSymbolicSuite, settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    let origin = Origin::of(saved);
    settings.sessions = origin.sessions;
    for (name, value) in origin.parameters {
        if !settings.parameters.iter().any(|(known, _)| *known == name) {
            settings.parameters.push((name, value));
        }
    }
    settings
}

/// The tests of a suite that was read from a file, or why they are not tests of the model any more.
pub(in crate::verbs) fn restored(
    workspace: &mut Workspace<'_>,
    saved: &SavedSymbolicSuite,
    asked: &SymbolicTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Result<DerivedTests, String>, Stop> {
    let prepared = prepare(workspace, &model_of(saved), asked, settings, run)?;
    Ok(restore(prepared, saved, &mut workspace.terms))
}
