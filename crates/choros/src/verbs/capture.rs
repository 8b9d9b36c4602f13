//! What do the services say to each other?

use choros_report::answers::{Answered, CaptureAnswer};
use choros_watch::capture::{self, CaptureRequest};

use super::monitor::world;
use crate::{Settings, Workspace};

/// Stands between services until it is stopped.
pub fn capture(
    workspace: &Workspace<'_>,
    request: &CaptureRequest,
    settings: &Settings,
) -> Answered<CaptureAnswer> {
    capture::capture(request, world(workspace, settings))
}
