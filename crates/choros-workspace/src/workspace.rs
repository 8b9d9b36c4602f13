//! What is read, and from where.

#[cfg(feature = "bpel")]
mod processes;
mod sessions;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use choros_base::{Diagnostic, FileId, SourceError, SourceMap, Sources, has_errors, nearest};
use choros_codes::{Content, FileKind};
use choros_data::{Notation, Terms, read_term};
use choros_model::lts::ExplicitLts;
use choros_model::stg::{Stg, fix_parameter};
use choros_report::answers::{RunNotes, Stop};

#[cfg(feature = "bpel")]
use self::processes::ReadProcess;
use crate::Settings;
use crate::contents::{Component, Model};
use crate::languages::{Opened, Parsed, Reader, language};
use choros_codes::diagnostics::{
    no_model, no_such_component, no_such_parameter, nothing_declared, unknown_kind, unreadable,
    which_component,
};

/// The texts and terms of a run.
pub struct Workspace<'s> {
    /// Where texts come from.
    pub from: &'s dyn Sources,
    /// Models that were built in code, by name.
    given: BTreeMap<String, Given>,
    /// The texts that were read or given, by path.
    texts: BTreeMap<String, (FileId, Arc<str>)>,
    /// The processes that were read.
    #[cfg(feature = "bpel")]
    processes: Vec<ReadProcess>,
    /// What was parsed of them, by the name of the language; a text that changes is another file.
    parsed: BTreeMap<(FileId, &'static str), Rc<Parsed>>,
    /// The texts that were read.
    pub sources: SourceMap,
    /// Names, sorts and terms.
    pub terms: Terms,
}

/// A file, and perhaps one component of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The file.
    pub path: String,
    /// The component after `#`.
    pub component: Option<String>,
    /// How to read it, where the extension does not say.
    pub kind: Option<FileKind>,
}

impl From<&str> for Request {
    /// `FILE` or `FILE#component`.
    fn from(text: &str) -> Request {
        Request::parse(text, None)
    }
}

impl Request {
    /// `FILE` or `FILE#component`.
    pub fn parse(text: &str, kind: Option<FileKind>) -> Request {
        match text.rsplit_once('#') {
            Some((path, component)) if !path.is_empty() => Request {
                path: path.to_owned(),
                component: Some(component.to_owned()),
                kind,
            },
            _ => Request {
                path: text.to_owned(),
                component: None,
                kind,
            },
        }
    }

    /// The kind that is said or that the extension says.
    pub fn known_kind(&self) -> Option<FileKind> {
        self.kind.or_else(|| FileKind::of_path(&self.path))
    }

    /// Whether the file holds properties.
    pub fn is_properties(&self) -> bool {
        self.holds(&[Content::Properties])
    }

    /// Whether the file holds formulas or abstraction rules.
    pub fn is_formulas(&self) -> bool {
        self.holds(&[Content::Formulas, Content::Rules])
    }

    /// Whether the file holds a test purpose or contracts.
    pub fn is_purpose(&self) -> bool {
        self.holds(&[Content::Purpose, Content::Contracts])
    }

    /// Whether the file holds a binding.
    pub fn is_binding(&self) -> bool {
        self.holds(&[Content::Binding])
    }

    /// Whether the file holds a process of WS-BPEL.
    pub fn is_process(&self) -> bool {
        self.holds(&[Content::Process])
    }

    /// Whether the file holds a g-choreography.
    pub fn is_gchor(&self) -> bool {
        self.holds(&[Content::Gchor])
    }

    /// Whether the file is known to hold one of these.
    pub fn holds(&self, contents: &[Content]) -> bool {
        let kind = self.known_kind();
        kind.is_some_and(|kind| contents.contains(&kind.content()))
    }

    /// A whole file.
    pub fn file(path: &str) -> Request {
        Request {
            path: path.to_owned(),
            component: None,
            kind: None,
        }
    }
}

/// A model that was built in code.
#[derive(Clone)]
enum Given {
    Graph(Stg),
    System(Box<ExplicitLts>),
}

/// What was given or read before comes before what the sources have.
impl Sources for Workspace<'_> {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        Workspace::read(self, path)
    }

    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.from.read_reference(path)
    }
}

impl<'s> Workspace<'s> {
    /// A workspace that reads from `sources`.
    pub fn new(from: &'s dyn Sources) -> Self {
        Self {
            from,
            given: BTreeMap::new(),
            texts: BTreeMap::new(),
            #[cfg(feature = "bpel")]
            processes: Vec::new(),
            parsed: BTreeMap::new(),
            sources: SourceMap::new(),
            terms: Terms::new(),
        }
    }

    /// A graph that was built in code, under a name that requests use like a path.
    pub fn add_graph(&mut self, name: impl Into<String>, graph: Stg) {
        self.given.insert(name.into(), Given::Graph(graph));
    }

    /// A system of states that was built in code, under a name that requests use like a path.
    pub fn add_system(&mut self, name: impl Into<String>, system: ExplicitLts) {
        self.given
            .insert(name.into(), Given::System(Box::new(system)));
    }

    /// The graph of the one component that a request names, or what is wrong with it.
    pub fn graph(
        &mut self,
        request: &Request,
        settings: &Settings,
    ) -> Result<Stg, Vec<Diagnostic>> {
        let mut run = RunNotes::default();
        let component = self.component(request, settings, &mut run);
        let sound = component.filter(|_| !has_errors(&run.findings));
        let graph = sound.and_then(|it| it.built(settings, &mut run).ok());
        graph.ok_or(run.findings)
    }

    /// The one component that a request names; the run is told how its file was read, and what is wrong with it.
    ///
    /// What is wrong with a file that is named twice is told once.
    pub fn component(
        &mut self,
        request: &Request,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Option<Component> {
        let mut aside = RunNotes::default();
        let loaded = self.model(request, settings, &mut aside);
        run.semantics.absorb(aside.semantics);
        run.silence.absorb(aside.silence);
        for one in aside.findings {
            if !run.findings.contains(&one) {
                run.findings.push(one);
            }
        }
        let found = match loaded? {
            (_, Model::Graphs(components, _)) => {
                let names: Vec<String> = components.iter().map(|it| it.name.clone()).collect();
                match <[Component; 1]>::try_from(components) {
                    Ok([only]) => return Some(only),
                    // A name that is not there has been reported.
                    Err(none) if request.component.is_some() && none.is_empty() => return None,
                    Err(_) => which_component::diagnostic(&request.path, &names),
                }
            }
            (kind, _) => {
                let found = which_component::no_graphs(&request.path, kind);
                run.findings.retain(|it| *it != found);
                found
            }
        };
        run.findings.push(found);
        None
    }

    /// Puts a text in place of what the sources have under this path, such as an editor's buffer.
    ///
    /// What is opened from now on sees it; what was opened before stays what it was.
    pub fn set_text(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) {
        self.keep(&path.into(), text.into());
        // A process may name it.
        #[cfg(feature = "bpel")]
        self.processes.clear();
    }

    /// What a file holds, or what is wrong with it.
    ///
    /// A text is read once; what it holds is as it was when it was opened, also after `set_text`.
    pub fn open(
        &mut self,
        request: &Request,
        settings: &Settings,
    ) -> Result<Model, Vec<Diagnostic>> {
        let mut found = Vec::new();
        match self.load(request, settings, &mut found) {
            Some((_, model)) if !has_errors(&found) => Ok(model),
            _ => Err(found),
        }
    }

    /// A text and its place among the sources; it is read once.
    pub fn source(&mut self, path: &str) -> Result<(FileId, Arc<str>), SourceError> {
        if let Some(known) = self.texts.get(path) {
            return Ok(known.clone());
        }
        let text = self.from.read(path)?;
        Ok(self.keep(path, text))
    }

    /// A text that has to be there.
    pub fn required(&mut self, path: &str, run: &mut RunNotes) -> Result<(FileId, Arc<str>), Stop> {
        let source = self.source(path);
        source.map_err(|error| run.mistake(unreadable::diagnostic(&error)))
    }

    /// Gives a text its place among the sources.
    fn keep(&mut self, path: &str, text: Arc<str>) -> (FileId, Arc<str>) {
        let file = self.sources.add(path.to_owned(), text.clone());
        self.texts.insert(path.to_owned(), (file, text.clone()));
        (file, text)
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        match self.texts.get(path) {
            Some((_, text)) => Ok(text.clone()),
            None => self.from.read(path),
        }
    }

    /// The texts that were read or given, in the order of paths.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts.iter();
        texts.map(|(path, (_, text))| (path.as_str(), &**text))
    }

    /// A text that another file names, and its place among the sources.
    pub fn referred(&mut self, path: &str) -> Result<(FileId, Arc<str>), SourceError> {
        if let Some(known) = self.texts.get(path) {
            return Ok(known.clone());
        }
        let text = self.from.read_reference(path)?;
        Ok(self.keep(path, text))
    }

    /// What a file holds; `None` when it cannot be read at all.
    ///
    /// A file with errors is read as far as it goes.
    pub fn load(
        &mut self,
        request: &Request,
        settings: &Settings,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(FileKind, Model)> {
        match self.given.get(&request.path).cloned() {
            Some(Given::System(system)) => {
                return Some((FileKind::SYSTEM, Model::System(system)));
            }
            Some(Given::Graph(stg)) => {
                let mut components = vec![Component::of(stg)];
                self.seat_sessions(&mut components, settings, diagnostics);
                self.fix_parameters(&mut components, settings, diagnostics);
                return Some((FileKind::GRAPH, Model::Graphs(components, Vec::new())));
            }
            None => {}
        }
        let known = request
            .known_kind()
            .or_else(|| self.kind_of_xml(&request.path));
        let Some(kind) = known else {
            // What cannot be read at all is no question of kinds.
            diagnostics.push(match self.read(&request.path) {
                Ok(_) => unknown_kind::diagnostic(&request.path),
                Err(error) => unreadable::diagnostic(&error),
            });
            return None;
        };
        self.note_notation(kind);
        let own = diagnostics.len();
        let (mut model, known) = self.read_model(kind, request, settings, diagnostics)?;
        if let (Some(wanted), Model::Graphs(components, _)) = (&request.component, &mut model) {
            components.retain(|component| component.name == *wanted);
            if components.is_empty() {
                let similar = nearest(wanted, known.iter().map(String::as_str));
                let finding = no_such_component::diagnostic(&request.path, wanted, similar);
                diagnostics.push(finding);
            }
        }
        if let Model::Graphs(components, _) = &mut model {
            if components.is_empty() && diagnostics.len() == own {
                diagnostics.push(nothing_declared::diagnostic(&request.path));
            }
            self.seat_sessions(components, settings, diagnostics);
            self.fix_parameters(components, settings, diagnostics);
        }
        Some((kind, model))
    }

    /// Messages are shown as the file of the question writes them, whatever was read before.
    ///
    /// So a finding has the same words, and the same fingerprint, in every run.
    fn note_notation(&mut self, kind: FileKind) {
        if matches!(kind.content(), Content::Graphs | Content::Process) {
            self.terms.notation = match kind.name() {
                "chor" => Notation::Native,
                _ => Notation::Calculus,
            };
        }
    }

    /// What a file holds; the run is told how it was read, and what is wrong with it.
    pub fn model(
        &mut self,
        request: &Request,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Option<(FileKind, Model)> {
        let (kind, model) = self.load(request, settings, &mut run.findings)?;
        let input = (request.path.clone(), kind.name().to_owned());
        run.semantics.inputs.extend([input]);
        let names = match model.names() {
            names if names.is_empty() => vec![request.path.clone()],
            names => names,
        };
        run.silence.opened(names, model.has_messages());
        Some((kind, model))
    }

    /// The model of a file, and the names of all its components.
    fn read_model(
        &mut self,
        kind: FileKind,
        request: &Request,
        settings: &Settings,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<(Model, Vec<String>)> {
        let path = request.path.as_str();
        let mut read = match &language(kind).reader {
            Reader::Text(read) => match self.source(path) {
                Ok((file, text)) => {
                    let known = self.parsed.entry((file, kind.name())).or_insert_with(|| {
                        settings.events.doing(format!("reading `{path}`"));
                        Rc::new(read(&mut Opened {
                            file,
                            text: &text,
                            stem: stem(path),
                            terms: &mut self.terms,
                        }))
                    });
                    let wanted = request.component.as_deref();
                    known.clone().build(wanted, settings, &mut self.terms)
                }
                Err(error) => {
                    findings.push(unreadable::diagnostic(&error));
                    return None;
                }
            },
            #[cfg(feature = "bpel")]
            Reader::Process(build) => {
                let own = findings.len();
                let process = self.process(path, settings, findings)?;
                let has_mistakes = has_errors(&findings[own..]);
                build(&process, has_mistakes, settings, &mut self.terms)
            }
            Reader::NoModel(hint) => {
                findings.push(no_model::diagnostic(path, kind.words(), hint));
                return None;
            }
        };
        findings.append(&mut read.findings);
        Some((read.model, read.names))
    }

    /// The kind of a `.xml` file, whose extension says nothing.
    fn kind_of_xml(&mut self, path: &str) -> Option<FileKind> {
        let (_, extension) = path.rsplit_once('.')?;
        if !extension.eq_ignore_ascii_case("xml") {
            return None;
        }
        let (_, text) = self.source(path).ok()?;
        FileKind::of_xml(&text)
    }

    /// Gives parameters the values of `--param`.
    pub fn fix_parameters(
        &mut self,
        components: &mut [Component],
        settings: &Settings,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for (name, text) in &settings.parameters {
            let mut known: Vec<String> = Vec::new();
            let mut used = false;
            for component in components.iter_mut() {
                let Ok(stg) = &component.stg else { continue };
                let parameters = stg.parameters(&self.terms);
                known.extend(
                    parameters
                        .iter()
                        .map(|&parameter| self.terms.variable_text(parameter).to_owned()),
                );
                let Some(&parameter) = parameters
                    .iter()
                    .find(|&&parameter| self.terms.variable_text(parameter) == name)
                else {
                    continue;
                };
                used = true;
                if sessions::is_for_all(&component.sessions, name) {
                    continue;
                }
                let sort = self.terms.variable_sort(parameter);
                let source = no_such_parameter::source_of(name);
                match read_term(
                    &mut self.terms,
                    &mut self.sources,
                    &source,
                    text,
                    &[],
                    Some(sort),
                ) {
                    Ok(value) => {
                        component.stg = Ok(fix_parameter(stg, parameter, value, &mut self.terms));
                    }
                    Err(mut found) => {
                        diagnostics.append(&mut found);
                        return;
                    }
                }
            }
            if !used {
                let similar = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                diagnostics.push(no_such_parameter::diagnostic(name, similar.as_deref()));
            }
        }
    }
}

/// The name of a file without its folder and extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
