//! `.stg`: our text form of a symbolic transition graph.

use choros_model::stg::read_stg;

use super::components::one_graph;
use super::{Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "stg",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (stg, findings) = read_stg(opened.file, opened.text, opened.terms);
    one_graph(stg, findings)
}
