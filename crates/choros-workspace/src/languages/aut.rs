//! `.aut`: a labelled transition system in Aldebaran's form.

use choros_model::lts::read_aut;
use choros_syntax::Lexicon;

use super::{Language, Opened, Parsed, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "aut",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};

fn read(opened: &mut Opened<'_>) -> Parsed {
    let (system, findings) = read_aut(opened.file, opened.text);
    Parsed::model(Model::System(Box::new(system)), findings)
}
