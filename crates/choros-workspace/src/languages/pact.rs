//! `.pact`: choreographies and roles in Chor, as PACT reads them.

use choros_lang::pact;

use super::{Formatter, Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "pact",
    declares_integers: false,
    // An activity without a name is called like its file.
    reader: Reader::Text(|it| Parsed::components(pact::read(it.file, it.text, it.stem, it.terms))),
    formatter: Some(Formatter::of(|file, text, terms| {
        pact::format(file, text, &mut terms.names)
    })),
};
