//! `.gc`: a g-choreography, as ChorGram reads it.

use choros_lang::gchor;

use super::{Formatter, Inspection, Language, Opened, Parsed, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "gc",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, terms| {
        gchor::format(file, text, &mut terms.names)
    })),
    lexicon: &gchor::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let names = &mut opened.terms.names;
    let (_, findings) = gchor::read(opened.file, opened.text, names);
    let (program, _) = gchor::parse(opened.file, opened.text, names);
    let symbols = gchor::symbols(&program, names);
    Inspection { findings, symbols }
}

fn read(opened: &mut Opened<'_>) -> Parsed {
    let names = &mut opened.terms.names;
    let (gchor, findings) = gchor::read(opened.file, opened.text, names);
    Parsed::model(Model::Gchor(Box::new(gchor)), findings)
}
