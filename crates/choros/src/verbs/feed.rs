//! What was put into a stream?

use choros_base::has_errors;
use choros_query::property::MessageSchema;
use choros_report::answers::{Answered, FeedAnswer, RunNotes, Stop};
use choros_watch::monitor::{self as watch, FeedRequest};

use super::monitor::world;
use crate::{Settings, Workspace};

/// Puts logs into a stream, and the properties that are judged from there on.
pub fn feed(
    workspace: &mut Workspace<'_>,
    request: &FeedRequest,
    properties: &[String],
    settings: &Settings,
) -> Answered<FeedAnswer> {
    let mut run = RunNotes {
        deny_warnings: settings.deny_warnings,
        ..RunNotes::default()
    };
    let answer = answer(workspace, request, properties, settings, &mut run);
    run.interrupted = settings.is_cancelled();
    Answered { answer, run }
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &FeedRequest,
    properties: &[String],
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<FeedAnswer, Stop> {
    let schema = MessageSchema::default();
    let read = workspace.properties(properties, &schema, &mut run.findings);
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let binding = workspace.log_binding(request.reading.mapping.as_deref(), run)?;
    let world = world(workspace, binding.as_ref(), settings);
    watch::feed(request, Some(&read), world, run)
}
