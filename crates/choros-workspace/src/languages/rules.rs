//! `.abs`: abstraction rules.

use std::ops::Range;

use choros_codes::diagnostics::no_model;
use choros_query::abstraction::{format_rules, parse_rules};
use choros_query::questions;

use super::{Formatter, Inspection, Language, Opened, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "abs",
    declares_integers: false,
    reader: Reader::NoModel(no_model::RULES),
    formatter: Some(Formatter::of(|file, text, terms| {
        format_rules(file, text, &mut terms.names)
    })),
    lexicon: &questions::RULES_LEXICON,
    inspect: Some(|it| inspect_part(it, 0..it.text.len())),
};

/// The rules in a part of a text.
pub(super) fn inspect_part(opened: &mut Opened<'_>, range: Range<usize>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let (_, findings) = parse_rules(file, text, range.clone(), &mut opened.terms.names);
    let symbols = questions::rule_symbols(file, text, range);
    Inspection { findings, symbols }
}
