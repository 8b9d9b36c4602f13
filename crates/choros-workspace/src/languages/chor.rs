//! `.chor`: choreographies, roles and systems in the native language.

use choros_lang::chor;

use super::{Formatter, Inspection, Language, Opened, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "chor",
    declares_integers: true,
    reader: Reader::Text(|it| Parsed::components(chor::read(it.file, it.text, it.terms))),
    formatter: Some(Formatter::of(|file, text, terms| {
        chor::format(file, text, &mut terms.names)
    })),
    lexicon: &chor::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (model, findings) = chor::read(opened.file, opened.text, opened.terms);
    let symbols = chor::symbols(&model, opened.terms);
    Inspection { findings, symbols }
}
