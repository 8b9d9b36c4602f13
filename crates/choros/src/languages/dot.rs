//! `.dot`: a graph as SChorA writes it.

use choros_model::stg::read_dot;

use super::components::one_graph;
use super::{Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "dot",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (stg, findings) = read_dot(opened.file, opened.text, opened.terms);
    one_graph(stg, findings)
}
