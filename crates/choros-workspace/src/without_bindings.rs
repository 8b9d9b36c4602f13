//! Bindings, where the façade is built without them.

use choros_report::answers::{RunNotes, Soundness, Stop};

use crate::{Request, Settings, Workspace};

impl Workspace<'_> {
    /// Says of each binding that it cannot be read.
    pub fn check_bindings(
        &mut self,
        requests: &[Request],
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Vec<Result<Soundness, Stop>>, Stop> {
        for request in requests {
            let _ = self.load(request, settings, &mut run.findings);
        }
        Err(Stop::Mistakes)
    }
}
