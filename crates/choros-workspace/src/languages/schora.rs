//! `.schora`: a SChorA script.

use choros_lang::read;

use super::{Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "schora",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::components(read(it.file, it.text, it.terms))),
    formatter: None,
};
