//! Is a term of services well formed?

use choros_report::answers::{Run, Soundness, Standing};

use crate::Service;

/// Mistakes have been reported by the reader: a term without any is well formed.
pub(in crate::verbs) fn check(path: &str, service: &Service, run: &mut Run) -> Option<Soundness> {
    run.semantics.relation = Some("static rules of COWS".to_owned());
    let _ = service.program.as_ref()?;
    Some(Soundness::new(path, Standing::WellFormed))
}
