//! `.abs`: abstraction rules.

use choros_codes::diagnostics::no_model;
use choros_query::abstraction::format_rules;

use super::{Formatter, Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "abs",
    declares_integers: false,
    reader: Reader::NoModel(no_model::RULES),
    formatter: Some(Formatter::of(|file, text, terms| {
        format_rules(file, text, &mut terms.names)
    })),
};
