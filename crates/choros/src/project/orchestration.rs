//! Processes of WS-BPEL with the documents that they import.

use choros_base::{Diagnostic, has_errors};
use choros_bpel::calculus::unfold;
use choros_bpel::process::{Options, Orchestration, read_process};
use choros_lang::NoGraph;
use choros_xml::document::Library;

use super::Project;
use crate::Settings;
use crate::contents::Component;

/// Reads a process; `None` when the document is none.
///
/// WSDL and schema documents come from where the process does; nothing is fetched from a network.
pub(crate) fn read(
    project: &mut Project<'_>,
    path: &str,
    settings: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Orchestration> {
    let options = Options {
        events: settings.orchestration.events,
        unit: settings.orchestration.unit,
    };
    let mut library = Library::new(project.from, &mut project.sources);
    let document = library.load(path, None);
    let found = document
        .and_then(|document| read_process(&mut library, &mut project.terms, &document, options));
    diagnostics.append(&mut library.diagnostics);
    found
}

/// The graph of a process.
pub(crate) fn component(
    project: &mut Project<'_>,
    path: &str,
    settings: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Component> {
    let own = diagnostics.len();
    let read = read(project, path, settings, diagnostics)?;
    settings.progress.show(format!("building `{}`", read.name));
    let mut remarks = Vec::new();
    if let Some(unit) = read.unit {
        remarks.push(format!("a tick is {unit}"));
    }
    let stg = match has_errors(&diagnostics[own..]) {
        true => Err(NoGraph::Mistakes),
        false => unfold(
            &mut project.terms,
            &read.process,
            &read.name,
            &settings.states(),
        )
        .map(|it| it.graph)
        .map_err(NoGraph::Spent),
    };
    Some(Component {
        name: read.name,
        stg,
        interface: Some(Box::new(read.interface)),
        remarks,
    })
}
