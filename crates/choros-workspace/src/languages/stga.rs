//! `.stga`, and `.xml` with the root `STGA`: a graph with assignments, as Prop-tester writes it.

use choros_model::stg::read_stga;
use choros_syntax::Lexicon;

use super::{Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "stga",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::graph(read_stga(it.file, it.text, it.terms))),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};
