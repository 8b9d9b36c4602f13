//! What is the one form of it?

use choros_base::{FileId, NotFormatted, has_errors};
use choros_data::Terms;
use choros_lang::chor;
use choros_lang::{gchor, pact};
use choros_query::abstraction::format_rules;
use choros_query::property::{self, Reading};
use choros_query::socl::format_questions;
use choros_report::{Answer, Block, Outcome, Report, Word};

use super::convert::convert;
use crate::diagnostics::{
    meaningless_option, no_conversion, no_formatter, not_a_gchor, unreadable,
};
use crate::{FileKind, Project, Request, Settings};

/// A file whose text is to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatted {
    /// The file.
    pub path: String,
    /// Its new text.
    pub text: String,
}

/// Formats files of the languages that people write; answers the new texts of those that change.
///
/// With `ask`, the question is only whether they have their form already.
/// A file that does not parse has no form: it is reported and stays as it is.
///
/// Where the extension says one language and the request another, the file is translated, into the report.
/// With `unfold`, loops of g-choreographies are written out so many times, into the report.
/// Properties in XML are written in their text form, into the report too.
pub fn fmt(
    project: &mut Project<'_>,
    requests: &[Request],
    ask: bool,
    unfold: Option<u32>,
    settings: &Settings,
) -> (Report, Vec<Formatted>) {
    let mut report = Report {
        verb: "fmt",
        ..Report::default()
    };
    let mut changed = Vec::new();
    for request in requests {
        let path = request.path.as_str();
        let kind = request.known_kind();
        if let (Some(from), Some(to)) = (FileKind::of_path(path), request.kind)
            && from != to
        {
            if ask {
                report.diagnostics.push(no_conversion::asked(path));
                continue;
            }
            if let Some(text) = convert(project, request, (from, to), settings, &mut report) {
                report.outcomes.push(shown(path, to.name(), text));
            }
            continue;
        }
        let has_formatter = matches!(
            kind,
            Some(
                FileKind::Chor
                    | FileKind::Gc
                    | FileKind::Pact
                    | FileKind::Cows
                    | FileKind::Prop
                    | FileKind::Purpose
                    | FileKind::Contract
                    | FileKind::Formulas
                    | FileKind::Rules
            )
        );
        if let Some(component) = &request.component {
            let file = (path, kind);
            let hint = Some("a file is formatted as a whole");
            let option = format!("#{component}");
            let finding = meaningless_option::diagnostic(&option, file, &[], hint);
            report.diagnostics.push(finding);
            continue;
        }
        if !has_formatter {
            report.diagnostics.push(no_formatter::diagnostic(path));
            continue;
        }
        if unfold.is_some() && kind != Some(FileKind::Gc) {
            let finding = not_a_gchor::diagnostic(path, "--unfold");
            report.diagnostics.push(finding);
            continue;
        }
        let text = match project.read(path) {
            Ok(text) => text,
            Err(error) => {
                report.diagnostics.push(unreadable::diagnostic(&error));
                continue;
            }
        };
        let file = project.sources.add(path, text.clone());
        let is_translated = kind == Some(FileKind::Prop) && property::is_xml(&text);
        let (line, block) = (text.contains("//"), text.contains("/*"));
        let would_lose = match kind {
            Some(FileKind::Prop) => !is_translated && (line || block),
            Some(FileKind::Purpose | FileKind::Contract) => block,
            _ => false,
        };
        if would_lose {
            report.diagnostics.push(no_formatter::comments(path, kind));
            continue;
        }
        let terms = &mut project.terms;
        let formatted = match (kind, unfold) {
            (Some(FileKind::Prop), _) => format_properties(file, &text, terms),
            (Some(FileKind::Purpose | FileKind::Contract), _) => {
                super::symbolic::format_purpose(file, &text, terms)
            }
            (Some(FileKind::Gc), Some(times)) => {
                super::gchor::unfolded_text(file, &text, times, &mut terms.names)
            }
            (Some(FileKind::Gc), None) => gchor::format(file, &text, &mut terms.names),
            (Some(FileKind::Pact), _) => pact::format(file, &text, &mut terms.names),
            (Some(FileKind::Formulas), _) => format_questions(file, &text, &mut terms.names),
            (Some(FileKind::Rules), _) => format_rules(file, &text, &mut terms.names),
            (Some(FileKind::Cows), _) => {
                super::services::format(file, &text).map_err(NotFormatted::Mistakes)
            }
            _ => chor::format(file, &text, &mut terms.names),
        };
        let (words, word) = match formatted {
            Err(NotFormatted::Mistakes(mut found)) => {
                report.diagnostics.append(&mut found);
                continue;
            }
            Err(NotFormatted::Unfaithful) => {
                report.diagnostics.push(no_formatter::unfaithful(path));
                continue;
            }
            Ok(other) if unfold.is_some() || is_translated => {
                // Written out, the loops are gone, and a translation is no form of what it translates: what is read
                // stays as it is.
                let format = if is_translated { "prop" } else { "gc" };
                report.outcomes.push(shown(path, format, other));
                continue;
            }
            Ok(formatted) if *formatted == *text => ("has its form", Word::Holds),
            Ok(formatted) => {
                changed.push(Formatted {
                    path: path.to_owned(),
                    text: formatted,
                });
                match ask {
                    true => ("would change", Word::Fails),
                    false => ("formatted", Word::Holds),
                }
            }
        };
        let answer = Answer {
            word,
            condition: None,
            reason: None,
            evidence: None,
        };
        report.outcomes.push(Outcome {
            name: path.to_owned(),
            answer: ask.then_some(answer),
            blocks: vec![Block::Line(words.to_owned())],
            ..Outcome::default()
        });
    }
    (report, changed)
}

/// A text that is shown and not written over its file.
fn shown(path: &str, format: &'static str, text: String) -> Outcome {
    Outcome {
        name: path.to_owned(),
        blocks: vec![Block::Picture { format, text }],
        ..Outcome::default()
    }
}

/// Properties in their text form.
fn format_properties(file: FileId, text: &str, terms: &mut Terms) -> Result<String, NotFormatted> {
    let (properties, found) = property::read(file, text, &Reading::default(), terms);
    if has_errors(&found) {
        return Err(NotFormatted::Mistakes(found));
    }
    let printed = property::print(&properties);
    let (again, _) = property::read(file, &printed, &Reading::default(), terms);
    match property::print(&again) == printed {
        true => Ok(printed),
        false => Err(NotFormatted::Unfaithful),
    }
}
