//! `.contract`: contracts of partners.

use choros_codes::diagnostics::no_model;
use choros_query::purpose;

use super::{Language, Reader, tp};

pub(super) static LANGUAGE: Language = Language {
    name: "contract",
    declares_integers: false,
    reader: Reader::NoModel(no_model::CONTRACTS),
    formatter: Some(tp::FORMATTER),
    lexicon: &purpose::LEXICON,
    inspect: Some(tp::inspect),
};
