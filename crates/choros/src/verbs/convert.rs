//! A file of one language in another (`fmt --as`).

use choros_base::{SourceMap, has_errors};
use choros_lang::chor::{self, ast::Item};
use choros_lang::convert::{NotConverted, chor_to_gchor, gchor_to_chor};
use choros_lang::gchor;
use choros_model::gchor::Gchor;
use choros_model::stg::Stg;
use choros_report::Report;

use super::no_graph::no_graph;
use crate::diagnostics::{
    no_conversion, no_such_component, not_writable, state_bound, unreadable, which_component,
};
use crate::{Content, FileKind, Model, Request, Settings, Workspace, stem};

/// The text in the other language; `None` if there is none, which the report then says.
pub(super) fn convert(
    workspace: &mut Workspace<'_>,
    request: &Request,
    (from, to): (FileKind, FileKind),
    settings: &Settings,
    report: &mut Report,
) -> Option<String> {
    let path = request.path.as_str();
    let inputs = &mut report.semantics.inputs;
    inputs.insert(path.to_owned(), from.name().to_owned());
    match (from.content(), from.name(), to.name()) {
        (Content::Gchor, _, "chor") => {
            to_chor(workspace, path, report).inspect(|_| note_of_order(report))
        }
        (_, "chor", "gc") => {
            to_gchor(workspace, request, settings, report).inspect(|_| note_of_order(report))
        }
        (Content::Graphs, _, "chor") => graphs(workspace, request, from, settings, report),
        _ => {
            let finding = no_conversion::diagnostic(path, from, to);
            report.diagnostics.push(finding);
            None
        }
    }
}

/// The tree is kept, and what it means changes.
fn note_of_order(report: &mut Report) {
    let note = "the tree is the same, its runs may not be: `;` orders all steps in `.chor`, and only the steps of each \
                participant in `.gc`";
    if !report.semantics.notes.iter().any(|known| known == note) {
        report.semantics.notes.push(note.to_owned());
    }
}

fn to_chor(workspace: &mut Workspace<'_>, path: &str, report: &mut Report) -> Option<String> {
    let text = read(workspace, path, report)?;
    let file = workspace.sources.add(path, text.as_str());
    let (tree, mut found) = gchor::read(file, &text, &mut workspace.terms.names);
    let is_broken = has_errors(&found);
    report.diagnostics.append(&mut found);
    if is_broken {
        return None;
    }
    match gchor_to_chor(&tree, stem(path), &mut workspace.terms) {
        Ok(text) => Some(text),
        Err(reason) => {
            let finding = not_writable::diagnostic(stem(path), &reason);
            report.diagnostics.push(finding);
            None
        }
    }
}

fn to_gchor(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    report: &mut Report,
) -> Option<String> {
    let path = request.path.as_str();
    let text = read(workspace, path, report)?;
    let file = workspace.sources.add(path, text.as_str());
    let (model, mut found) = chor::read(file, &text, &mut workspace.terms);
    let is_broken = has_errors(&found);
    report.diagnostics.append(&mut found);
    if is_broken {
        return None;
    }
    let items = model.program().items.iter();
    let choreographies: Vec<_> = items
        .filter_map(|item| match item {
            Item::Choreography(it) => Some((workspace.terms.names.text(it.name.name), it)),
            _ => None,
        })
        .collect();
    let names: Vec<String> = choreographies
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    let wanted = request.component.as_deref();
    let picked = match (wanted, &choreographies[..]) {
        (None, [only]) => Some(only),
        (None, _) => {
            let finding = which_component::diagnostic(path, &names);
            report.diagnostics.push(finding);
            return None;
        }
        (Some(wanted), all) => all.iter().find(|(name, _)| *name == wanted),
    };
    let Some((_, choreography)) = picked else {
        let wanted = wanted.unwrap_or_default();
        let similar = choros_base::nearest(wanted, names.iter().map(String::as_str));
        let finding = no_such_component::diagnostic(path, wanted, similar);
        report.diagnostics.push(finding);
        return None;
    };
    let budget = settings.states();
    let tree = match chor_to_gchor(model.program(), choreography, &budget) {
        Ok(tree) => tree,
        Err(NotConverted::Mistakes(mut found)) => {
            report.diagnostics.append(&mut found);
            return None;
        }
        Err(NotConverted::Spent(spent)) => {
            report
                .diagnostics
                .push(state_bound::diagnostic(path, spent));
            report.interrupted = settings.is_cancelled();
            return None;
        }
    };
    written(&tree, path, workspace, settings, report)
}

/// The text of a g-choreography, if it reads back as the same.
fn written(
    tree: &Gchor,
    path: &str,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Option<String> {
    let names = &mut workspace.terms.names;
    let text = match gchor::write_gchor(tree, names, &settings.states()) {
        Ok(text) => text,
        Err(spent) => {
            report
                .diagnostics
                .push(state_bound::diagnostic(path, spent));
            return None;
        }
    };
    // A name of the native language may be a word of g-choreographies.
    let mut sources = SourceMap::new();
    let file = sources.add(path, text.as_str());
    let (again, found) = gchor::read(file, &text, names);
    let reads_back = !has_errors(&found)
        && gchor::write_gchor(&again, names, &settings.states()).is_ok_and(|it| it == text);
    if !reads_back {
        let reason = found
            .first()
            .map_or("it would not read as the same", |it| &it.message);
        let finding = not_writable::as_gchor(stem(path), reason);
        report.diagnostics.push(finding);
        return None;
    }
    Some(text)
}

/// Everything in a file that has a graph.
fn graphs(
    workspace: &mut Workspace<'_>,
    request: &Request,
    from: FileKind,
    settings: &Settings,
    report: &mut Report,
) -> Option<String> {
    let request = Request {
        kind: Some(from),
        ..request.clone()
    };
    let before = report.diagnostics.len();
    let (_, model) = workspace.load(&request, settings, &mut report.diagnostics)?;
    let Model::Graphs(components, _) = model else {
        return None;
    };
    if has_errors(&report.diagnostics[before..]) {
        return None;
    }
    let mut graphs: Vec<&Stg> = Vec::new();
    for component in &components {
        match &component.stg {
            Ok(stg) => graphs.push(stg),
            Err(reason) => {
                let outcome = no_graph(component, reason, report);
                report.outcomes.push(outcome);
                return None;
            }
        }
    }
    match chor::write_graphs(&graphs, &mut workspace.terms) {
        Ok(text) => Some(text),
        Err(reason) => {
            let finding = not_writable::diagnostic(&request.path, &reason);
            report.diagnostics.push(finding);
            None
        }
    }
}

fn read(workspace: &Workspace<'_>, path: &str, report: &mut Report) -> Option<String> {
    match workspace.read(path) {
        Ok(text) => Some(text.to_string()),
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            None
        }
    }
}
