//! `.gc`: a g-choreography, as ChorGram reads it.

use choros_lang::gchor;

use super::{Formatter, Language, Opened, Parsed, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "gc",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, terms| {
        gchor::format(file, text, &mut terms.names)
    })),
};

fn read(opened: &mut Opened<'_>) -> Parsed {
    let names = &mut opened.terms.names;
    let (gchor, findings) = gchor::read(opened.file, opened.text, names);
    Parsed::model(Model::Gchor(Box::new(gchor)), findings)
}
