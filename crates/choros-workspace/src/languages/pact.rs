//! `.pact`: choreographies and roles in Chor, as PACT reads them.

use choros_lang::pact;

use super::{Formatter, Inspection, Language, Opened, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "pact",
    declares_integers: false,
    // An activity without a name is called like its file.
    reader: Reader::Text(|it| Parsed::components(pact::read(it.file, it.text, it.stem, it.terms))),
    formatter: Some(Formatter::of(|file, text, terms| {
        pact::format(file, text, &mut terms.names)
    })),
    lexicon: &choros_lang::PACT_LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text, stem) = (opened.file, opened.text, opened.stem);
    let (_, findings) = pact::read(file, text, stem, opened.terms);
    let (script, _) = pact::parse(file, text, stem, &mut opened.terms.names);
    let symbols = choros_lang::symbols(&script, text, &opened.terms.names);
    Inspection { findings, symbols }
}
