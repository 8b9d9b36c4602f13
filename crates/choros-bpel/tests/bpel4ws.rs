//! Processes of BPEL4WS 1.1 have the graphs of what they mean in WS-BPEL 2.0.
//!
//! The pairs are those of the spec, written by hand after the two standards.

use choros_base::{Budget, MemorySources, SourceMap, has_errors};
use choros_bpel::calculus::unfold;
use choros_bpel::process::{Options, read_process};
use choros_data::Terms;
use choros_model::stg::write_graph_aut;
use choros_xml::document::Library;

const SPEC: &str = include_str!("../../../specs/bpel/bpel4ws.md");

/// The files of the spec with this name, in order.
fn files(name: &str) -> Vec<&'static str> {
    let begin = format!(" {name}\n");
    SPEC.split("```")
        .filter_map(|block| {
            let (head, text) = block.split_once('\n')?;
            format!("{head}\n").ends_with(&begin).then_some(text)
        })
        .collect()
}

/// The graph of a process as text, without its numbers of lines.
fn graph(definitions: &str, process: &str) -> String {
    let mut documents = MemorySources::default();
    documents.add("p.wsdl", definitions.to_owned());
    let mut sources = SourceMap::new();
    let mut library = Library::new(&documents, &mut sources);
    let mut terms = Terms::new();
    let document = library.add("p.bpel", process.into()).expect("a document");
    let read = read_process(&mut library, &mut terms, &document, Options::default());
    assert!(
        !has_errors(&library.diagnostics),
        "{:?}\n{process}",
        library.diagnostics
    );
    let read = read.expect("a process");
    let unfolded = unfold(&mut terms, &read.process, &read.name, &Budget::steps(5000));
    let graph = unfolded.expect("a small graph").graph;
    // In 2.0 an event has a variable of its own.
    write_graph_aut(&graph, &terms).replace("e := va_m", "y := va_m")
}

#[test]
fn both_versions_have_one_graph() {
    let definitions = files("p.wsdl")[0];
    let (older, newer) = (files("p.bpel"), files("q.bpel"));
    assert_eq!(older.len(), newer.len());
    assert!(older.len() >= 9);
    for (one, other) in older.into_iter().zip(newer) {
        assert_eq!(graph(definitions, one), graph(definitions, other), "{one}");
    }
}
