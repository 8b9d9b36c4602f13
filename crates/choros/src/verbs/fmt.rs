//! What is the one form of it?

use choros_base::{Diagnostic, NotFormatted};
use choros_report::{Answer, Block, Outcome, Report, Word};

use super::convert::convert;
use crate::diagnostics::{
    meaningless_option, no_conversion, no_formatter, not_a_gchor, unreadable,
};
use crate::languages::{Form, formatted_kinds, language};
use crate::{FileKind, Request, Settings, Workspace};

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
    workspace: &mut Workspace<'_>,
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
        if let (Some(from), Some(to)) = (FileKind::of_path(path), request.kind)
            && from != to
        {
            if ask {
                report.diagnostics.push(no_conversion::asked(path));
            } else if let Some(text) =
                convert(workspace, request, (from, to), settings, &mut report)
            {
                report.outcomes.push(shown(path, to.name(), text));
            }
            continue;
        }
        match formatted(workspace, request, unfold) {
            Err(mut found) => report.diagnostics.append(&mut found),
            Ok(Fate::Shown(format, text)) => report.outcomes.push(shown(path, format, text)),
            Ok(Fate::Same) => report
                .outcomes
                .push(told(path, "has its form", Word::Holds, ask)),
            Ok(Fate::Changed(text)) => {
                let path = path.to_owned();
                let (words, word) = match ask {
                    true => ("would change", Word::Fails),
                    false => ("formatted", Word::Holds),
                };
                report.outcomes.push(told(&path, words, word, ask));
                changed.push(Formatted { path, text });
            }
        }
    }
    (report, changed)
}

/// What becomes of a file.
enum Fate {
    /// It has its form.
    Same,
    /// This is its form.
    Changed(String),
    /// This is made out of it, in this language, and the file stays as it is.
    Shown(&'static str, String),
}

fn formatted(
    workspace: &mut Workspace<'_>,
    request: &Request,
    unfold: Option<u32>,
) -> Result<Fate, Vec<Diagnostic>> {
    let path = request.path.as_str();
    let kind = request.known_kind();
    if let Some(component) = &request.component {
        let hint = Some("a file is formatted as a whole");
        let option = format!("#{component}");
        let file = (path, kind);
        return Err(vec![meaningless_option::diagnostic(
            &option,
            file,
            &[],
            hint,
        )]);
    }
    let formatter = kind.and_then(|kind| language(kind).formatter.as_ref());
    let (Some(kind), Some(formatter)) = (kind, formatter) else {
        return Err(vec![no_formatter::diagnostic(path, &formatted_kinds())]);
    };
    if unfold.is_some() && !request.is_gchor() {
        return Err(vec![not_a_gchor::diagnostic(path, "--unfold")]);
    }
    let text = workspace
        .read(path)
        .map_err(|error| vec![unreadable::diagnostic(&error)])?;
    let file = workspace.sources.add(path, text.clone());
    let terms = &mut workspace.terms;
    let form = match unfold {
        // Written out, the loops are gone: that is not a form of the file.
        Some(times) => {
            super::gchor::unfolded_text(file, &text, times, &mut terms.names).map(Form::Translation)
        }
        None => formatter.form(file, &text, terms),
    };
    match form {
        Err(NotFormatted::Mistakes(found)) => Err(found),
        Err(NotFormatted::Unfaithful) => Err(vec![no_formatter::unfaithful(path)]),
        Ok(Form::Loses(what)) => Err(vec![no_formatter::comments(path, what)]),
        Ok(Form::Translation(other)) => Ok(Fate::Shown(kind.name(), other)),
        Ok(Form::Same(form)) if *form == *text => Ok(Fate::Same),
        Ok(Form::Same(form)) => Ok(Fate::Changed(form)),
    }
}

/// A file of which a word is said, which is an answer where the question was asked.
fn told(path: &str, words: &str, word: Word, ask: bool) -> Outcome {
    let answer = Answer {
        word,
        condition: None,
        reason: None,
        evidence: None,
    };
    Outcome {
        name: path.to_owned(),
        answer: ask.then_some(answer),
        blocks: vec![Block::Line(words.to_owned())],
        ..Outcome::default()
    }
}

/// A text that is shown and not written over its file.
fn shown(path: &str, format: &'static str, text: String) -> Outcome {
    Outcome {
        name: path.to_owned(),
        blocks: vec![Block::Picture { format, text }],
        ..Outcome::default()
    }
}
