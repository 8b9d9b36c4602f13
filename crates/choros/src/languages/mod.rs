//! The languages that files are written in, each with a file of its own here.
//!
//! A new language is a row in [`FileKind::ALL`] and its file: the verbs ask what a file holds, not what it is written in.

mod aut;
mod bpel;
mod chor;
mod components;
mod contract;
mod cows;
mod dot;
mod fsa;
mod gc;
mod pact;
mod prop;
mod rules;
mod schora;
mod socl;
mod stg;
mod stga;
mod tp;

use choros_base::{Diagnostic, FileId, NotFormatted};
use choros_data::Terms;

use crate::contents::Model;
use crate::diagnostics::{no_model, unreadable};
use crate::{Project, Request, Settings, stem};

/// A kind of input, known by its extension.
#[derive(Clone, Copy)]
pub struct FileKind(&'static Language);

/// What a file holds, whatever its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Choreographies, roles and systems: graphs with data.
    Graphs,
    /// A process with its interface: a graph with data too.
    Process,
    /// A system of states.
    States,
    /// Machines that talk over channels.
    Machines,
    /// A g-choreography.
    Gchor,
    /// A term of services.
    Service,
    /// Properties of logs.
    Properties,
    /// A test purpose.
    Purpose,
    /// Contracts of partners.
    Contracts,
    /// Formulas.
    Formulas,
    /// Abstraction rules.
    Rules,
}

/// All that Choros knows of a language.
struct Language {
    /// Its name, which is its extension too.
    name: &'static str,
    /// What it holds, in words.
    words: &'static str,
    content: Content,
    /// The root element by which a `.xml` file is recognised.
    root: Option<&'static str>,
    /// Whether integers are declared, so that a number in a log must be one.
    declares_integers: bool,
    reader: Reader,
    formatter: Option<Formatter>,
}

/// How a model comes out of a file.
enum Reader {
    /// Out of its text alone.
    Text(fn(&mut Opened<'_>) -> Read),
    /// Together with the files that it names.
    Project(ReadProject),
    /// It holds no model; the hint says what it is for, `FILE` standing for its path.
    NoModel(&'static str),
}

type ReadProject = fn(&mut Project<'_>, &Request, &Settings, &mut Vec<Diagnostic>) -> Option<Model>;

/// The one form of a text.
struct Formatter {
    format: fn(FileId, &str, &mut Terms) -> Result<String, NotFormatted>,
    /// What the form has no place for, if the text has it.
    loses: fn(&str) -> Option<&'static str>,
    /// Whether a text is in an older notation that is translated rather than formatted.
    translates: fn(&str) -> bool,
}

/// A text that is about to be read.
pub(crate) struct Opened<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The name of the file without folder and extension.
    pub(crate) stem: &'a str,
    /// The one component that is asked for; the others are not built.
    pub(crate) wanted: Option<&'a str>,
    pub(crate) settings: &'a Settings,
    pub(crate) terms: &'a mut Terms,
}

/// What a file holds, what is wrong with it, and the names of all its components.
pub(crate) struct Read {
    pub(crate) model: Model,
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) names: Vec<String>,
}

impl Read {
    /// A model that has no components with names.
    fn whole(model: Model, findings: Vec<Diagnostic>) -> Read {
        Read {
            model,
            findings,
            names: Vec::new(),
        }
    }
}

impl FileKind {
    /// All kinds, in the order in which they are listed to people.
    pub const ALL: [FileKind; 16] = [
        FileKind(&chor::LANGUAGE),
        FileKind(&schora::LANGUAGE),
        FileKind(&pact::LANGUAGE),
        FileKind(&gc::LANGUAGE),
        FileKind(&stg::LANGUAGE),
        FileKind(&dot::LANGUAGE),
        FileKind(&stga::LANGUAGE),
        FileKind(&aut::LANGUAGE),
        FileKind(&fsa::LANGUAGE),
        FileKind(&prop::LANGUAGE),
        FileKind(&tp::LANGUAGE),
        FileKind(&contract::LANGUAGE),
        FileKind(&cows::LANGUAGE),
        FileKind(&socl::LANGUAGE),
        FileKind(&rules::LANGUAGE),
        FileKind(&bpel::LANGUAGE),
    ];

    /// What a graph that was built in code counts as.
    pub(crate) const GRAPH: FileKind = FileKind(&stg::LANGUAGE);

    /// What a system of states that was built in code counts as.
    pub(crate) const SYSTEM: FileKind = FileKind(&aut::LANGUAGE);

    /// Its name, which is its extension too.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it holds, in words.
    pub fn words(self) -> &'static str {
        self.0.words
    }

    /// What it holds.
    pub fn content(self) -> Content {
        self.0.content
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<FileKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kinds that hold this.
    pub fn holding(contents: &[Content]) -> Vec<FileKind> {
        let mut kinds = Self::ALL.to_vec();
        kinds.retain(|kind| contents.contains(&kind.content()));
        kinds
    }

    /// The kind of a path, by its extension.
    pub fn of_path(path: &str) -> Option<FileKind> {
        let (_, extension) = path.rsplit_once('.')?;
        Self::named(&extension.to_ascii_lowercase())
    }

    /// The kind of a document in XML, by its root element.
    pub fn of_xml(text: &str) -> Option<FileKind> {
        let root = root_element(text)?;
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| kind.0.root == Some(root))
    }

    /// Whether it holds graphs with data.
    pub fn has_graphs(self) -> bool {
        matches!(self.content(), Content::Graphs | Content::Process)
    }

    /// Whether a number in a log must be an integer where the model says so.
    pub(crate) fn declares_integers(self) -> bool {
        self.0.declares_integers
    }

    /// Whether there is a formatter for it.
    pub(crate) fn has_form(self) -> bool {
        self.0.formatter.is_some()
    }

    /// The text in its form; the kind has one.
    pub(crate) fn format(
        self,
        file: FileId,
        text: &str,
        terms: &mut Terms,
    ) -> Result<Form, NotFormatted> {
        let Some(formatter) = &self.0.formatter else {
            return Ok(Form::Same(text.to_owned()));
        };
        let is_translation = (formatter.translates)(text);
        if !is_translation && let Some(what) = (formatter.loses)(text) {
            return Ok(Form::Loses(what));
        }
        let formatted = (formatter.format)(file, text, terms)?;
        Ok(match is_translation {
            true => Form::Translation(formatted),
            false => Form::Same(formatted),
        })
    }

    /// The model of a text, or the model of a project; a hint where there is none.
    pub(crate) fn open(
        self,
        project: &mut Project<'_>,
        request: &Request,
        settings: &Settings,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<(Model, Vec<String>)> {
        let read = match self.0.reader {
            Reader::Text(read) => read,
            Reader::Project(read) => {
                let model = read(project, request, settings, findings)?;
                let names = model.names();
                return Some((model, names));
            }
            Reader::NoModel(hint) => {
                findings.push(no_model::diagnostic(&request.path, self.words(), hint));
                return None;
            }
        };
        let (file, text) = match project.source(&request.path) {
            Ok(source) => source,
            Err(error) => {
                findings.push(unreadable::diagnostic(&error));
                return None;
            }
        };
        let mut read = read(&mut Opened {
            file,
            text: &text,
            stem: stem(&request.path),
            wanted: request.component.as_deref(),
            settings,
            terms: &mut project.terms,
        });
        findings.append(&mut read.findings);
        Some((read.model, read.names))
    }
}

/// A text that was brought into its form.
pub(crate) enum Form {
    /// In the same language.
    Same(String),
    /// Out of an older notation.
    Translation(String),
    /// It has something that the form has no place for.
    Loses(&'static str),
}

impl PartialEq for FileKind {
    fn eq(&self, other: &FileKind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for FileKind {}

impl std::fmt::Debug for FileKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Formatter {
    /// A form that has a place for everything.
    const fn of(format: fn(FileId, &str, &mut Terms) -> Result<String, NotFormatted>) -> Formatter {
        Formatter {
            format,
            loses: |_| None,
            translates: |_| false,
        }
    }
}

/// The extensions of kinds, as a sentence lists them.
pub(crate) fn extensions(kinds: &[FileKind]) -> String {
    let names: Vec<String> = kinds.iter().map(|it| format!("`.{}`", it.name())).collect();
    match &names[..] {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// The local name of the root element.
fn root_element(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let (opening, closing) = match rest {
            _ if rest.starts_with("<?") => ("<?", "?>"),
            _ if rest.starts_with("<!--") => ("<!--", "-->"),
            _ if rest.starts_with("<!") => ("<!", ">"),
            _ => break,
        };
        let end = rest[opening.len()..].find(closing)?;
        rest = rest[opening.len() + end + closing.len()..].trim_start();
    }
    let name = rest.strip_prefix('<')?;
    let name = name.split(|it: char| it.is_whitespace() || it == '>' || it == '/');
    name.into_iter().next()?.rsplit(':').next()
}
