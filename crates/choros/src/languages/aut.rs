//! `.aut`: a labelled transition system in Aldebaran's form.

use choros_model::lts::read_aut;

use super::{Language, Opened, Read, Reader};
use crate::contents::Model;

pub(super) static LANGUAGE: Language = Language {
    name: "aut",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (system, findings) = read_aut(opened.file, opened.text);
    Read::whole(Model::System(Box::new(system)), findings)
}
