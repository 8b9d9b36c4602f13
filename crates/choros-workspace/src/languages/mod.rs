//! The languages that files are written in, each with a file of its own here.
//!
//! A new language is a file here and a row in [`FileKind::ALL`]: the verbs ask what a file holds, not what it is
//! written in.

mod aut;
#[cfg(feature = "bindings")]
mod bind;
#[cfg(not(feature = "bindings"))]
#[path = "without_bindings.rs"]
mod bind;
#[cfg(feature = "bpel")]
mod bpel;
#[cfg(not(feature = "bpel"))]
#[path = "without_bpel.rs"]
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
#[cfg(feature = "bpel")]
use choros_bpel::process::Orchestration;
use choros_codes::FileKind;
use choros_data::Terms;
use choros_model::stg::Stg;
use choros_model::symbols::Symbols;
use choros_syntax::Lexicon;

use self::components::{Components, build};
use crate::Settings;
use crate::contents::{Component, Model};

/// How a language is read and written.
pub struct Language {
    /// The name of its kind.
    name: &'static str,
    /// Whether integers are declared, so that a number in a log must be one.
    pub declares_integers: bool,
    pub(crate) reader: Reader,
    /// Its form, if it has one.
    pub formatter: Option<Formatter>,
    /// Its words; documents in XML have none of ours, and editors know theirs.
    pub lexicon: &'static Lexicon,
    /// What reading shows before anything is built; where there is nothing to say, reading is all there is to building.
    pub(crate) inspect: Option<fn(&mut Opened<'_>) -> Inspection>,
}

/// What reading a text shows.
#[derive(Debug, Default)]
pub struct Inspection {
    /// What is wrong with it, in the order of the text as far as the language keeps it.
    pub findings: Vec<Diagnostic>,
    /// Its names; none where the language does not say them.
    pub symbols: Symbols,
}

/// How a model comes out of a file.
pub(crate) enum Reader {
    /// Out of its text.
    Text(fn(&mut Opened<'_>) -> Parsed),
    /// Out of a process and the documents that it names; it is said whether that has mistakes.
    #[cfg(feature = "bpel")]
    Process(fn(&Orchestration, bool, &Settings, &mut Terms) -> Read),
    /// It holds no model; the hint says what it is for, `FILE` standing for its path.
    NoModel(&'static str),
}

/// The one form of a text.
pub struct Formatter {
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
    pub(crate) terms: &'a mut Terms,
}

/// A text that was parsed; what it holds is built from it as often as someone asks.
pub(crate) struct Parsed {
    contents: Contents,
    findings: Vec<Diagnostic>,
}

enum Contents {
    /// There is nothing to build.
    Model(Model),
    Components(Box<dyn Components>),
}

/// What a file holds, what is wrong with it, and the names of all its components.
pub(crate) struct Read {
    pub(crate) model: Model,
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) names: Vec<String>,
}

impl Read {
    /// A model that is one whole, or of which all components were built.
    fn whole(model: Model, findings: Vec<Diagnostic>) -> Read {
        let names = model.names();
        Read {
            model,
            findings,
            names,
        }
    }
}

impl Parsed {
    /// A text that is one model.
    fn model(model: Model, findings: Vec<Diagnostic>) -> Parsed {
        Parsed {
            contents: Contents::Model(model),
            findings,
        }
    }

    /// A text that is one graph.
    fn graph((stg, findings): (Stg, Vec<Diagnostic>)) -> Parsed {
        Parsed::model(
            Model::Graphs(vec![Component::of(stg)], Vec::new()),
            findings,
        )
    }

    /// A text that declares components.
    fn components((declared, findings): (impl Components + 'static, Vec<Diagnostic>)) -> Parsed {
        Parsed {
            contents: Contents::Components(Box::new(declared)),
            findings,
        }
    }

    /// What it holds; of several components the one that is wanted, or all of them.
    pub(crate) fn build(
        &self,
        wanted: Option<&str>,
        settings: &Settings,
        terms: &mut Terms,
    ) -> Read {
        let mut read = match &self.contents {
            Contents::Model(model) => Read::whole(model.clone(), Vec::new()),
            Contents::Components(declared) => build(&**declared, wanted, settings, terms),
        };
        read.findings.splice(0..0, self.findings.iter().cloned());
        read
    }
}

/// The language of a kind.
pub fn language(kind: FileKind) -> &'static Language {
    let known = LANGUAGES.iter().find(|it| it.name == kind.name());
    known.expect("a test compares the two tables")
}

static LANGUAGES: [&Language; 17] = [
    &chor::LANGUAGE,
    &schora::LANGUAGE,
    &pact::LANGUAGE,
    &gc::LANGUAGE,
    &stg::LANGUAGE,
    &dot::LANGUAGE,
    &stga::LANGUAGE,
    &aut::LANGUAGE,
    &fsa::LANGUAGE,
    &prop::LANGUAGE,
    &tp::LANGUAGE,
    &contract::LANGUAGE,
    &cows::LANGUAGE,
    &socl::LANGUAGE,
    &rules::LANGUAGE,
    &bpel::LANGUAGE,
    &bind::LANGUAGE,
];

/// The kinds that have one form.
pub fn formatted_kinds() -> Vec<FileKind> {
    let mut kinds = FileKind::ALL.to_vec();
    kinds.retain(|&kind| language(kind).formatter.is_some());
    kinds
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

    /// Brings a text into its form.
    pub fn form(
        &self,
        file: FileId,
        text: &str,
        terms: &mut Terms,
    ) -> Result<FormattedText, NotFormatted> {
        if (self.translates)(text) {
            return (self.format)(file, text, terms).map(FormattedText::Translation);
        }
        match (self.loses)(text) {
            Some(what) => Ok(FormattedText::Loses(what)),
            None => (self.format)(file, text, terms).map(FormattedText::Same),
        }
    }
}

/// A text that was brought into its form.
pub enum FormattedText {
    /// In the same language.
    Same(String),
    /// Out of an older notation.
    Translation(String),
    /// It has something that the form has no place for.
    Loses(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_language() {
        let names = LANGUAGES.map(|it| it.name);
        assert_eq!(names, FileKind::ALL.map(FileKind::name));
    }
}
