//! What the verbs say about terms of services.

use choros_base::{Diagnostic, has_errors};
use choros_cows::Stepper;
use choros_report::answers::{RunNotes, Soundness, SoundnessKind};

use crate::Service;
use crate::diagnostics::no_states;
use crate::{Model, Request, Settings, Workspace};

/// Mistakes have been reported by the reader: a term without any is well formed.
pub(super) fn check(path: &str, service: &Service, run: &mut RunNotes) -> Option<Soundness> {
    run.semantics.relation = Some("static rules of COWS".to_owned());
    let _ = service.program.as_ref()?;
    Some(Soundness::new(path, SoundnessKind::WellFormed))
}

/// Starts to step through a term of services by hand, in its first state.
pub fn step(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
) -> Result<Stepper, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let loaded = workspace.load(request, settings, &mut findings);
    let Some((kind, model)) = loaded.filter(|_| !has_errors(&findings)) else {
        return Err(findings);
    };
    let system = match model {
        Model::Service(service) => service.system(settings),
        _ => None,
    };
    system.map(Stepper::new).ok_or_else(|| {
        findings.push(no_states::not_stepped(&request.path, kind.words()));
        findings
    })
}
