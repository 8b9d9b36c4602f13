//! Does the formula hold, and why?

use choros_proofs::answered_questions;
use choros_report::answers::{Answered, Verification};
pub use choros_workspace::{QuestionSource, VerifyRequest};

use crate::{Settings, Workspace};

/// Checks formulas against a model.
pub fn verify(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
) -> Answered<Verification> {
    settings.answered(|run| {
        run.semantics.relation = Some(RELATION.to_owned());
        if let Some(depth) = request.depth {
            let bounds = &mut run.semantics.bounds;
            bounds.insert("depth".to_owned(), u64::from(depth));
        }
        answered_questions(workspace, request, settings, run)
    })
}

const RELATION: &str = "SocL on maximal paths";
