//! `.fsa`: communicating machines, as ChorGram writes them.

use choros_model::cfsm::read_fsa;

use super::{Language, Opened, Read, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "fsa",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let names = &mut opened.terms.names;
    let (machines, findings) = read_fsa(opened.file, opened.text, names);
    Read::whole(Model::Machines(machines), findings)
}
