//! `.fsa`: communicating machines, as ChorGram writes them.

use choros_model::cfsm::read_fsa;

use super::{Language, Opened, Parsed, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "fsa",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Parsed {
    let names = &mut opened.terms.names;
    let (machines, findings) = read_fsa(opened.file, opened.text, names);
    Parsed::model(Model::Machines(machines), findings)
}
