//! `.socl`: formulas.

use choros_codes::diagnostics::no_model;
use choros_query::questions::format_questions;

use super::{Formatter, Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "socl",
    declares_integers: false,
    reader: Reader::NoModel(no_model::FORMULAS),
    formatter: Some(Formatter::of(|file, text, terms| {
        format_questions(file, text, &mut terms.names)
    })),
};
