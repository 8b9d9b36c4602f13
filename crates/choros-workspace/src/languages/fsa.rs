//! `.fsa`: communicating machines, as ChorGram writes them.

use choros_model::cfsm::{FSA_LEXICON, fsa_symbols, read_fsa};

use super::{Inspection, Language, Opened, Parsed, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "fsa",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
    lexicon: &FSA_LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let (_, findings) = read_fsa(file, text, &mut opened.terms.names);
    let symbols = fsa_symbols(file, text);
    Inspection { findings, symbols }
}

fn read(opened: &mut Opened<'_>) -> Parsed {
    let names = &mut opened.terms.names;
    let (machines, findings) = read_fsa(opened.file, opened.text, names);
    Parsed::model(Model::Machines(machines), findings)
}
