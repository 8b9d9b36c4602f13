//! `.stg`: our text form of a symbolic transition graph.

use choros_model::stg::read_stg;
use choros_syntax::Lexicon;

use super::{Language, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "stg",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::graph(read_stg(it.file, it.text, it.terms))),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};
