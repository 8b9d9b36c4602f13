//! `.bpel`, and `.xml` with the root `process`: a process of WS-BPEL 2.0.

use choros_base::has_errors;
use choros_bpel::calculus::unfold;
use choros_bpel::process::{Options, Orchestration, read_process};
use choros_lang::NoGraph;
use choros_xml::document::Library;

use super::{Documents, Language, Read, Reader};
use crate::contents::{Component, Model};

pub(super) static LANGUAGE: Language = Language {
    name: "bpel",
    declares_integers: false,
    reader: Reader::Documents(read),
    formatter: None,
};

/// Reads a process; `None` when the document is none.
///
/// WSDL and schema documents come from where the process does; nothing is fetched from a network.
pub(crate) fn process(documents: &mut Documents<'_>) -> Option<Orchestration> {
    let options = Options {
        events: documents.settings.orchestration.events,
        unit: documents.settings.orchestration.unit,
    };
    let mut library = Library::new(documents.from, documents.sources);
    let document = library.load(documents.path, None);
    let found = document
        .and_then(|document| read_process(&mut library, documents.terms, &document, options));
    documents.findings.append(&mut library.diagnostics);
    found
}

/// The graph of a process.
fn read(documents: &mut Documents<'_>) -> Option<Read> {
    let own = documents.findings.len();
    let read = process(documents)?;
    let settings = documents.settings;
    settings.events.doing(format!("building `{}`", read.name));
    let unit = read.unit.map(|unit| format!("a tick is {unit}"));
    let stg = if has_errors(&documents.findings[own..]) {
        Err(NoGraph::Mistakes)
    } else {
        let budget = settings.states();
        let unfolded = unfold(documents.terms, &read.process, &read.name, &budget);
        unfolded.map(|it| it.graph).map_err(NoGraph::Spent)
    };
    let component = Component {
        name: read.name,
        stg,
        interface: Some(Box::new(read.interface)),
        diagram: None,
        services: Vec::new(),
        remarks: unit.into_iter().collect(),
    };
    Some(Read::whole(
        Model::Graphs(vec![component], Vec::new()),
        Vec::new(),
    ))
}
