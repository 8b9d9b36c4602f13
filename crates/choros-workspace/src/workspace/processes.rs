//! Processes of WS-BPEL and the documents that they name, each read once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use choros_base::{Diagnostic, FileId, SourceError, Sources};
use choros_bpel::process::{Options, Orchestration, read_process};
use choros_data::Terms;
use choros_xml::document::Library;

use super::Workspace;
use crate::Settings;

/// A process that was read, and what is wrong with it.
pub(super) struct ReadProcess {
    file: FileId,
    options: Options,
    process: Option<Rc<Orchestration>>,
    findings: Vec<Diagnostic>,
}

impl Workspace<'_> {
    /// A process with its interface, as it is written; `None` when the document is none.
    ///
    /// WSDL and schema documents come from where the process does; nothing is fetched from a network.
    pub fn process(
        &mut self,
        path: &str,
        settings: &Settings,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Rc<Orchestration>> {
        let options = Options {
            events: settings.orchestration.events,
            reading: settings.orchestration.reading,
            unit: settings.orchestration.unit,
        };
        let file = self.source(path).ok().map(|(file, _)| file);
        let mut known = self.processes.iter();
        if let Some(known) = known.find(|it| Some(it.file) == file && it.options == options) {
            findings.extend(known.findings.iter().cloned());
            return known.process.clone();
        }
        settings.events.doing(format!("reading `{path}`"));
        let (process, found) = self.with_library(|library, terms| {
            let document = library.load(path, None)?;
            read_process(library, terms, &document, options).map(Rc::new)
        });
        findings.extend(found.iter().cloned());
        if let Some(file) = file {
            self.processes.push(ReadProcess {
                file,
                options,
                process: process.clone(),
                findings: found,
            });
        }
        process
    }

    /// Reads documents that name each other, and says what is wrong with them; each is asked for once.
    pub fn with_library<T>(
        &mut self,
        read: impl FnOnce(&mut Library<'_>, &mut Terms) -> T,
    ) -> (T, Vec<Diagnostic>) {
        let once = Once {
            from: self.from,
            known: &self.texts,
            read: RefCell::default(),
        };
        let mut library = Library::new(&once, &mut self.sources);
        let found = read(&mut library, &mut self.terms);
        let diagnostics = library.diagnostics;
        for (path, text) in once.read.into_inner() {
            let mut files = self.sources.files();
            let file = files.find(|(_, it)| Arc::ptr_eq(it.text(), &text));
            if let Some((file, _)) = file {
                self.texts.insert(path, (file, text));
            }
        }
        (found, diagnostics)
    }
}

/// What was read before comes before what the sources have, and what is read now is remembered.
struct Once<'a> {
    from: &'a dyn Sources,
    known: &'a BTreeMap<String, (FileId, Arc<str>)>,
    read: RefCell<BTreeMap<String, Arc<str>>>,
}

impl Once<'_> {
    fn once(
        &self,
        path: &str,
        read: impl FnOnce() -> Result<Arc<str>, SourceError>,
    ) -> Result<Arc<str>, SourceError> {
        if let Some((_, text)) = self.known.get(path) {
            return Ok(text.clone());
        }
        if let Some(text) = self.read.borrow().get(path) {
            return Ok(text.clone());
        }
        let text = read()?;
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        Ok(text)
    }
}

impl Sources for Once<'_> {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.once(path, || self.from.read(path))
    }

    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.once(path, || self.from.read_reference(path))
    }
}
