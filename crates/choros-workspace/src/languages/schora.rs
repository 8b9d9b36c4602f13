//! `.schora`: a SChorA script.

use choros_lang::read;

use super::{Inspection, Language, Opened, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "schora",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::components(read(it.file, it.text, it.terms))),
    formatter: None,
    lexicon: &choros_lang::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (model, findings) = read(opened.file, opened.text, opened.terms);
    let symbols = choros_lang::symbols(model.script(), opened.text, &opened.terms.names);
    Inspection { findings, symbols }
}
