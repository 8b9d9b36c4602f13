//! Is a recorded conversation judged again as it was?

use choros_report::answers::{Answered, Rejudgement, RunNotes, Stop};
use choros_report::{SavedDriving, SavedReport};
use choros_suite::SymbolicTestOptions;

use crate::diagnostics::unusable_drive_input;
use crate::verbs::symbolic::{DerivedTests, derive, model_of, restored, settings_of};
use crate::{Request, Settings, Workspace};

/// Judges the conversations of a saved report of `drive` again: against its model, or another, without any service.
pub fn judge(
    workspace: &mut Workspace<'_>,
    path: &str,
    saved: &SavedReport,
    model: Option<&Request>,
    settings: &Settings,
) -> Answered<Rejudgement> {
    let mut run = settings.run();
    run.semantics.relation = Some("recorded conversations against all branches".to_owned());
    let answer = judged(workspace, path, saved, model, settings, &mut run);
    Answered { answer, run }
}

fn judged(
    workspace: &mut Workspace<'_>,
    path: &str,
    saved: &SavedReport,
    model: Option<&Request>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Rejudgement, Stop> {
    let Some(driving) = &saved.driving else {
        let reason =
            "it holds no conversations with a service; `choros drive --format json` writes them";
        return Err(run.mistake(unusable_drive_input::diagnostic(path, reason)));
    };
    let settings = &settings_of(&driving.suite, settings);
    let derived = match model {
        Some(model) => derive(workspace, model, &testing(driving), settings, run)?,
        None => as_recorded(workspace, driving, settings, run)?,
    };
    let mut solver = settings.solver();
    let (cancel, terms) = (&settings.cancel, &mut workspace.terms);
    let judged = choros_drive::judge(&derived, (saved, driving), cancel, run, &mut solver, terms);
    settings.name_solver(&solver, &mut run.semantics);
    Ok(judged)
}

fn testing(driving: &SavedDriving) -> SymbolicTestOptions {
    SymbolicTestOptions {
        play_all: driving.mock_partners,
        ..SymbolicTestOptions::of(&driving.suite)
    }
}

/// The paths of the record, or those of its model where that has changed: what was recorded may follow one of them.
fn as_recorded(
    workspace: &mut Workspace<'_>,
    driving: &SavedDriving,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<DerivedTests, Stop> {
    let testing = testing(driving);
    match restored(workspace, &driving.suite, &testing, settings, run)? {
        Ok(derived) => Ok(derived),
        Err(reason) => {
            let note = format!("judged by the current model: {reason}");
            run.semantics.notes.push(note);
            derive(
                workspace,
                &model_of(&driving.suite),
                &testing,
                settings,
                run,
            )
        }
    }
}
