//! Questions about a model, answered: of one system, or of many sessions.

use choros_model::stg::SessionCount;
use choros_report::answers::{RunNotes, Stop, Verification};
use choros_workspace::{Settings, VerifyRequest, Workspace, one_session};

use crate::answering::answered;
use crate::sessions::{about_any_number, about_each_session};

/// Opens the model, reads the questions and answers them; a graph whose data have no end is answered for all of them.
pub fn answered_questions(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Verification, Stop> {
    match one_session(workspace, request, settings) {
        Some(one) if request.per_session => {
            about_each_session(one, workspace, request, settings, run)
        }
        Some(one) if one.sessions.count == SessionCount::Any => {
            about_any_number(one, workspace, request, settings, run)
        }
        _ => answered(workspace, request, settings, run, &mut |_, _| {}),
    }
}
