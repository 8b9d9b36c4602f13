//! Processes of WS-BPEL, where the façade is built without them.

use choros_syntax::Lexicon;

use super::{Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "bpel",
    declares_integers: false,
    reader: Reader::NoModel("this Choros was built without WS-BPEL (the feature `bpel`)"),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};
