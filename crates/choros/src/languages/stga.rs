//! `.stga`, and `.xml` with the root `STGA`: a graph with assignments, as Prop-tester writes it.

use choros_model::stg::read_stga;

use super::components::one_graph;
use super::{Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "stga",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (stg, findings) = read_stga(opened.file, opened.text, opened.terms);
    one_graph(stg, findings)
}
