//! What do the services say to each other?

use choros_report::answers::{Answered, CaptureAnswer, RunNotes};
use choros_watch::capture::{self, CaptureRequest};

use super::monitor::world;
use crate::{Settings, Workspace};

/// Stands between services until it is stopped.
pub fn capture(
    workspace: &mut Workspace<'_>,
    request: &CaptureRequest,
    settings: &Settings,
) -> Answered<CaptureAnswer> {
    let mut run = RunNotes::default();
    let answer = match workspace.capture_binding(request.mapping.as_deref(), &mut run) {
        Ok(binding) => {
            let world = world(workspace, binding.as_ref(), settings);
            capture::capture(request, world, &mut run)
        }
        Err(stop) => Err(stop),
    };
    Answered { answer, run }
}
