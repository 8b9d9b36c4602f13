//! `.contract`: contracts of partners.

use choros_codes::diagnostics::no_model;

use super::{Language, Reader, tp};

pub(super) static LANGUAGE: Language = Language {
    name: "contract",
    declares_integers: false,
    reader: Reader::NoModel(no_model::CONTRACTS),
    formatter: Some(tp::FORMATTER),
};
