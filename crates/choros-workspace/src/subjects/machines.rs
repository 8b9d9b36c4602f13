//! The machines of a g-choreography.

use choros_base::Diagnostic;
use choros_model::cfsm::Cfsm;
use choros_model::gchor::Gchor;
use choros_realize::gchor::project_all;

use crate::{Request, Settings};
use choros_codes::diagnostics::state_bound;

/// The machines of all participants, or that they are too large.
pub fn gchor_machines(
    request: &Request,
    gchor: &Gchor,
    settings: &Settings,
) -> Result<Vec<Cfsm>, Box<Diagnostic>> {
    let path = &request.path;
    settings.events.doing(format!("projecting `{path}`"));
    let projected = project_all(gchor, &settings.states());
    projected.map_err(|spent| Box::new(state_bound::diagnostic(path, spent)))
}
