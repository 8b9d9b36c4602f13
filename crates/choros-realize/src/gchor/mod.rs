//! G-choreographies: their language, their form, their machines, and whether these realise them.

mod automaton;
mod diagnostics;
mod enumerate;
mod event_graph;
mod first;
mod language;
mod projection;
mod realises;
mod residual;
mod violation;
mod well_formed;
mod word_proof;

pub use diagnostics::CODES;
pub use enumerate::{pomsets, resolutions};
pub use event_graph::event_graph;
pub use language::{GchorLanguage, WordCounts, WordState};
pub use projection::{Reduction, project_all, project_gchor};
pub use realises::{RealisedWords, ample_bound, realises, system_words, words_of_both};
pub use residual::{EventId, Residual, Residuals};
pub use violation::{Confusion, GchorViolation};
pub use well_formed::{Strictness, WellFormedness, well_formedness};
pub use word_proof::word_proof;
