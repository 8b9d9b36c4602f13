//! What an editor asks of a text: its mistakes, its names, its words.

#[cfg(feature = "projects")]
use choros_base::{FileId, SourceMap};
use choros_codes::diagnostics::unreadable;
#[cfg(feature = "projects")]
use choros_project::{PROJECT_FILE, read as read_project};
use choros_syntax::Lexicon;
use choros_workspace::language;

use crate::{Inspection, Request, Settings, Workspace};

/// The words of the language of a file.
pub fn lexicon(file: &Request) -> &'static Lexicon {
    match file.known_kind() {
        Some(kind) => language(kind).lexicon,
        #[cfg(feature = "bpel")]
        None if file.path.ends_with(PROBLEM) => &choros_solve::LEXICON,
        None => &Lexicon::EMPTY,
    }
}

/// The files that the entries of a project file bring together: a model and what is asked about it.
#[cfg(feature = "projects")]
pub fn related_files(project: &str) -> Vec<Vec<String>> {
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
    if let Some(kind) = request.known_kind() {
        return workspace.inspect(request, kind, settings);
    }
    let path = request.path.as_str();
    match workspace.source(path) {
        #[cfg(feature = "projects")]
        Ok((file, text)) if path.ends_with(PROJECT_FILE) => inspect_project(file, &text),
        Ok((_, text)) if path.ends_with(PROBLEM) => inspect_problem(workspace, path, &text),
        // What it is shows in its text.
        Ok(_) => {
            let mut shown = Inspection::default();
            let _ = workspace.load(request, settings, &mut shown.findings);
            shown
        }
        Err(error) => Inspection {
            findings: vec![unreadable::diagnostic(&error)],
            ..Inspection::default()
        },
    }
}

#[cfg(feature = "projects")]
fn inspect_project(file: FileId, text: &str) -> Inspection {
    let mut shown = Inspection::default();
    let _ = read_project(file, text, crate::code, &mut shown.findings);
    shown
}

/// A problem of `solve` with its schemas.
#[cfg(feature = "bpel")]
fn inspect_problem(workspace: &mut Workspace<'_>, path: &str, text: &str) -> Inspection {
    let (_, findings) = workspace
        .with_library(|library, terms| choros_solve::read(library, terms, path, text).is_some());
    Inspection {
        findings,
        ..Inspection::default()
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
    use crate::FileKind;

    #[cfg(feature = "projects")]
    #[test]
    fn a_model_and_its_formulas_are_named_together() {
        let project = "[[check]]\nfiles = [\"a.chor\", \"b.chor\"]\n\
                       [[verify]]\nmodel = \"a.chor#Shop\"\nformulas = \"a.socl\"\n";
        assert_eq!(related_files(project), [["a.chor", "a.socl"]]);
        assert!(related_files("[[").is_empty());
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
        assert_eq!(without.collect::<Vec<_>>(), ["dot", "stga", "aut", "bpel"]);
    }
}
