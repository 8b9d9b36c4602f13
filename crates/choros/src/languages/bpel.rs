//! `.bpel`, and `.xml` with the root `process`: a process of WS-BPEL 2.0.

use choros_base::Diagnostic;

use super::{Content, Language, Reader};
use crate::contents::Model;
use crate::project::orchestration;
use crate::{Project, Request, Settings};

pub(super) static LANGUAGE: Language = Language {
    name: "bpel",
    words: "process of WS-BPEL",
    content: Content::Process,
    root: Some("process"),
    declares_integers: false,
    reader: Reader::Project(read),
    formatter: None,
};

fn read(
    project: &mut Project<'_>,
    request: &Request,
    settings: &Settings,
    findings: &mut Vec<Diagnostic>,
) -> Option<Model> {
    let component = orchestration::component(project, &request.path, settings, findings)?;
    Some(Model::Graphs(vec![component], Vec::new()))
}
