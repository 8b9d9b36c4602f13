//! `.chor`: choreographies, roles and systems in the native language.

use choros_lang::chor;

use super::{Formatter, Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "chor",
    declares_integers: true,
    reader: Reader::Text(|it| Parsed::components(chor::read(it.file, it.text, it.terms))),
    formatter: Some(Formatter::of(|file, text, terms| {
        chor::format(file, text, &mut terms.names)
    })),
};
