//! Services as terms.

use choros_cows::syntax::Specification;
use choros_cows::{CowsLts, Options, Program};

use crate::Settings;

/// What a `.cows` file holds.
#[derive(Clone)]
pub struct Service {
    /// The text, read; its block of abstraction rules is still text.
    pub specification: Specification,
    /// The term to execute; absent when the text has mistakes.
    pub program: Option<Program>,
}

impl Service {
    /// Its behaviour, ready to be unfolded.
    pub fn system(&self, settings: &Settings) -> Option<CowsLts> {
        let options = Options {
            has_best_match: settings.best_match,
            most_bytes: settings.max_memory,
        };
        self.program
            .as_ref()
            .map(|program| CowsLts::new(program, options))
    }
}
