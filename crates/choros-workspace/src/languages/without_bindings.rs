//! Bindings, where the façade is built without them.

use choros_syntax::Lexicon;

use super::{Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "bind",
    declares_integers: false,
    reader: Reader::NoModel("this Choros was built without bindings (the feature `bindings`)"),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};
