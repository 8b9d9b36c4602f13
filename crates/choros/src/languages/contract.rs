//! `.contract`: contracts of partners.

use super::{Content, Language, Reader, tp};

pub(super) static LANGUAGE: Language = Language {
    name: "contract",
    words: "file of contracts",
    content: Content::Contracts,
    root: None,
    declares_integers: false,
    reader: Reader::NoModel("`choros tests MODEL --contracts FILE` uses them"),
    formatter: Some(tp::FORMATTER),
};
