//! What does this diagnostic mean?

use choros_base::CodeInfo;
use choros_report::answers::{Answered, Explanation, RunNotes};

/// The documentation of a code.
pub fn explain(code: &'static CodeInfo) -> Answered<Explanation> {
    Answered {
        answer: Ok(Explanation { code }),
        run: RunNotes::default(),
    }
}
