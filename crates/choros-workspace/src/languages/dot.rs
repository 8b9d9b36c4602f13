//! `.dot`: a graph as SChorA writes it.

use choros_model::stg::read_dot;
use choros_syntax::Lexicon;

use super::{Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "dot",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::graph(read_dot(it.file, it.text, it.terms))),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};
