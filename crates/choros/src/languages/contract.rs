//! `.contract`: contracts of partners.

use super::{Language, Reader, tp};

pub(super) static LANGUAGE: Language = Language {
    name: "contract",
    declares_integers: false,
    reader: Reader::NoModel("`choros tests MODEL --contracts FILE` uses them"),
    formatter: Some(tp::FORMATTER),
};
