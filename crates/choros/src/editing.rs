//! What an editor asks of a text: its mistakes, its names, its words.
//!
//! Reading shows them; no graph is built and no solver asked, so that a keystroke is answered at once.
//! What only `check` finds comes later, and from there.

use choros_base::{Diagnostic, FileId, SourceMap};
use choros_lang::{chor, gchor, pact};
use choros_model::cfsm::{FSA_LEXICON, fsa_symbols};
use choros_model::symbols::Symbols;
use choros_project::{PROJECT_FILE, read as read_project};
use choros_query::{abstraction, property, purpose, questions};
use choros_syntax::Lexicon;

use crate::{FileKind, Request, Settings, Workspace, stem};
use choros_codes::diagnostics::unreadable;

/// What reading a text shows.
#[derive(Debug, Default)]
pub struct Inspection {
    /// What is wrong with it, in the order of the text as far as the language keeps it.
    pub findings: Vec<Diagnostic>,
    /// Its names; none where the language does not tell them.
    pub symbols: Symbols,
}

/// The words of the language of a file.
///
/// Documents in XML have none of ours, and editors know theirs.
pub fn lexicon(file: &Request) -> &'static Lexicon {
    match file.known_kind().map_or("", FileKind::name) {
        "chor" => &chor::LEXICON,
        "schora" => &choros_lang::LEXICON,
        "pact" => &choros_lang::PACT_LEXICON,
        "gc" => &gchor::LEXICON,
        "fsa" => &FSA_LEXICON,
        "cows" => &choros_cows::syntax::LEXICON,
        "socl" => &questions::LEXICON,
        "abs" => &questions::RULES_LEXICON,
        "prop" => &property::LEXICON,
        "tp" | "contract" => &purpose::LEXICON,
        #[cfg(feature = "bpel")]
        "" if file.path.ends_with(PROBLEM) => &choros_solve::LEXICON,
        _ => &Lexicon::EMPTY,
    }
}

/// The files that the entries of a project file bring together: a model and what is asked about it.
pub fn named_together(project: &str) -> Vec<Vec<String>> {
    let file = SourceMap::new().add(PROJECT_FILE, project);
    let Some(described) = read_project(file, project, crate::code, &mut Vec::new()) else {
        return Vec::new();
    };
    let rows = described.items.iter().map(|(_, row)| {
        let keys: &[&str] = match row.text("model") {
            Some(_) => &["model", "files", "formulas", "rules"],
            None => &["implementation", "specification"],
        };
        let named = keys.iter().flat_map(|key| row.texts(key));
        named.map(|it| Request::parse(it, None).path).collect()
    });
    rows.filter(|row: &Vec<String>| row.len() > 1).collect()
}

/// What reading a file shows, whatever it holds.
pub fn inspect(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
) -> Inspection {
    let path = request.path.as_str();
    let (file, text) = match workspace.source(path) {
        Ok(known) => known,
        Err(error) => {
            return Inspection {
                findings: vec![unreadable::diagnostic(&error)],
                symbols: Symbols::default(),
            };
        }
    };
    let kind = request.known_kind();
    match kind.map_or("", FileKind::name) {
        "bpel" => inspect_process(workspace, path, settings),
        "" if path.ends_with(PROJECT_FILE) => {
            let mut findings = Vec::new();
            let _ = read_project(file, &text, crate::code, &mut findings);
            Inspection {
                findings,
                symbols: Symbols::default(),
            }
        }
        "" if path.ends_with(PROBLEM) => inspect_problem(workspace, path, &text),
        name => match inspect_text(workspace, name, file, &text, stem(path)) {
            Some((findings, symbols)) => Inspection { findings, symbols },
            None => {
                // These languages say what they mean state by state: reading is all there is to building.
                let mut findings = Vec::new();
                let _ = workspace.load(request, settings, &mut findings);
                Inspection {
                    findings,
                    symbols: Symbols::default(),
                }
            }
        },
    }
}

/// The languages that are read before anything is built.
fn inspect_text(
    workspace: &mut Workspace<'_>,
    kind: &str,
    file: FileId,
    text: &str,
    stem: &str,
) -> Option<(Vec<Diagnostic>, Symbols)> {
    let terms = &mut workspace.terms;
    Some(match kind {
        "chor" => {
            let (model, findings) = chor::read(file, text, terms);
            (findings, chor::symbols(&model, terms))
        }
        "schora" => {
            let (model, findings) = choros_lang::read(file, text, terms);
            let symbols = choros_lang::symbols(model.script(), text, &terms.names);
            (findings, symbols)
        }
        "pact" => {
            let (_, findings) = pact::read(file, text, stem, terms);
            let (script, _) = pact::parse(file, text, stem, &mut terms.names);
            (findings, choros_lang::symbols(&script, text, &terms.names))
        }
        "gc" => {
            let (_, findings) = gchor::read(file, text, &mut terms.names);
            let (program, _) = gchor::parse(file, text, &mut terms.names);
            (findings, gchor::symbols(&program, &terms.names))
        }
        "fsa" => {
            let names = &mut terms.names;
            let (_, findings) = choros_model::cfsm::read_fsa(file, text, names);
            (findings, fsa_symbols(file, text))
        }
        "cows" => {
            let (specification, _, mut findings) = choros_cows::read(file, text);
            let mut symbols = choros_cows::syntax::symbols(&specification);
            if let Some(rules) = &specification.abstractions {
                let range = rules.span.range();
                let names = &mut terms.names;
                let (_, mut found) = abstraction::parse_rules(file, text, range.clone(), names);
                findings.append(&mut found);
                let more = questions::rule_symbols(file, text, range);
                symbols = symbols.joined(more);
            }
            (findings, symbols)
        }
        "socl" => {
            let (_, findings) = questions::parse_questions(file, text, &mut terms.names);
            (findings, questions::symbols(file, text))
        }
        "abs" => {
            let range = 0..text.len();
            let names = &mut terms.names;
            let (_, findings) = abstraction::parse_rules(file, text, range.clone(), names);
            (findings, questions::rule_symbols(file, text, range))
        }
        "prop" => {
            let reading = property::Reading::default();
            let (_, findings) = property::read(file, text, &reading, terms);
            let symbols = if property::is_xml(text) {
                Symbols::default()
            } else {
                property::symbols(file, text)
            };
            (findings, symbols)
        }
        "tp" | "contract" => {
            let (syntax, findings) = purpose::parse(file, text, &mut terms.names);
            (findings, purpose::symbols(&syntax, &terms.names))
        }
        _ => return None,
    })
}

#[cfg(feature = "bpel")]
fn inspect_process(workspace: &mut Workspace<'_>, path: &str, settings: &Settings) -> Inspection {
    let mut findings = Vec::new();
    let _ = workspace.process(path, settings, &mut findings);
    Inspection {
        findings,
        symbols: Symbols::default(),
    }
}

#[cfg(not(feature = "bpel"))]
fn inspect_process(_: &mut Workspace<'_>, _: &str, _: &Settings) -> Inspection {
    Inspection::default()
}

/// A problem of `solve` with its schemas.
#[cfg(feature = "bpel")]
fn inspect_problem(workspace: &mut Workspace<'_>, path: &str, text: &str) -> Inspection {
    let mut library = choros_xml::document::Library::new(workspace.from, &mut workspace.sources);
    let _ = choros_solve::read(&mut library, &mut workspace.terms, path, text);
    Inspection {
        findings: library.diagnostics,
        symbols: Symbols::default(),
    }
}

#[cfg(not(feature = "bpel"))]
fn inspect_problem(_: &mut Workspace<'_>, _: &str, _: &str) -> Inspection {
    Inspection::default()
}

/// How the files of `solve` end, which are not models and so no kind.
const PROBLEM: &str = ".solve";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_and_its_formulas_are_named_together() {
        let project = "[[check]]\nfiles = [\"a.chor\", \"b.chor\"]\n\
                       [[verify]]\nmodel = \"a.chor#Shop\"\nformulas = \"a.socl\"\n";
        assert_eq!(named_together(project), [["a.chor", "a.socl"]]);
        assert!(named_together("[[").is_empty());
    }

    #[test]
    fn languages_that_people_write_have_words() {
        let without = FileKind::ALL
            .into_iter()
            .filter(|kind| {
                let file = Request::parse("x", Some(*kind));
                lexicon(&file).comments.lines.is_empty()
            })
            .map(FileKind::name);
        assert_eq!(
            without.collect::<Vec<_>>(),
            ["stg", "dot", "stga", "aut", "bpel"]
        );
    }
}
