//! A file of one language in another (`fmt --as`).

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, SourceMap, has_errors, nearest};
use choros_codes::diagnostics::{
    no_conversion, no_such_component, not_writable, state_bound, unreadable, which_component,
};
use choros_codes::{Content, FileKind};
use choros_lang::chor::{self, ast::Item};
use choros_lang::convert::{NotConverted, chor_to_gchor, gchor_to_chor};
use choros_lang::gchor;
use choros_model::gchor::Gchor;
use choros_model::stg::Stg;
use choros_report::answers::{RunNotes, Stop};

use crate::{Model, Request, Settings, Workspace, stem};

/// The text in the other language.
pub fn convert(
    workspace: &mut Workspace<'_>,
    request: &Request,
    (from, to): (FileKind, FileKind),
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<String, Stop> {
    let path = request.path.as_str();
    let input = (path.to_owned(), from.name().to_owned());
    run.semantics.inputs.extend([input]);
    let text = match (from.content(), from.name(), to.name()) {
        (Content::Gchor, _, "chor") => to_chor(workspace, path, run)?,
        (_, "chor", "gc") => to_gchor(workspace, request, settings, run)?,
        (Content::Graphs, _, "chor") => return graphs(workspace, request, from, settings, run),
        _ => return refuse(run, no_conversion::diagnostic(path, from, to)),
    };
    // The tree is kept, and what it means changes.
    run.note(
        "the structure is the same, the runs can differ: `;` orders all steps in `.chor`, but only the steps of each participant in `.gc`",
    );
    Ok(text)
}

/// There is no text, for this reason.
fn refuse<T>(run: &mut RunNotes, finding: Diagnostic) -> Result<T, Stop> {
    run.findings.push(finding);
    Err(Stop::Mistakes)
}

fn to_chor(workspace: &mut Workspace<'_>, path: &str, run: &mut RunNotes) -> Result<String, Stop> {
    let (file, text) = read(workspace, path, run)?;
    let (tree, mut found) = gchor::read(file, &text, &mut workspace.terms.names);
    let is_broken = has_errors(&found);
    run.findings.append(&mut found);
    if is_broken {
        return Err(Stop::Mistakes);
    }
    gchor_to_chor(&tree, stem(path), &mut workspace.terms)
        .or_else(|reason| refuse(run, not_writable::diagnostic(stem(path), &reason.reason)))
}

fn to_gchor(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<String, Stop> {
    let path = request.path.as_str();
    let (file, text) = read(workspace, path, run)?;
    let (model, mut found) = chor::read(file, &text, &mut workspace.terms);
    let is_broken = has_errors(&found);
    run.findings.append(&mut found);
    if is_broken {
        return Err(Stop::Mistakes);
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
    let choreography = match (request.component.as_deref(), &choreographies[..]) {
        (None, [(_, only)]) => *only,
        (None, _) => return refuse(run, which_component::diagnostic(path, &names)),
        (Some(wanted), all) => match all.iter().find(|(name, _)| *name == wanted) {
            Some((_, found)) => *found,
            None => {
                let similar = nearest(wanted, names.iter().map(String::as_str));
                return refuse(run, no_such_component::diagnostic(path, wanted, similar));
            }
        },
    };
    let budget = settings.states();
    let tree = match chor_to_gchor(model.program(), choreography, &budget) {
        Ok(tree) => tree,
        Err(NotConverted::Mistakes(mut found)) => {
            run.findings.append(&mut found);
            return Err(Stop::Mistakes);
        }
        Err(NotConverted::Spent(spent)) => {
            run.interrupted = settings.is_cancelled();
            return refuse(run, state_bound::diagnostic(path, spent));
        }
    };
    written(&tree, path, workspace, settings, run)
}

/// The text of a g-choreography, if it reads back as the same.
fn written(
    tree: &Gchor,
    path: &str,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<String, Stop> {
    let names = &mut workspace.terms.names;
    let text = match gchor::write_gchor(tree, names, &settings.states()) {
        Ok(text) => text,
        Err(spent) => return refuse(run, state_bound::diagnostic(path, spent)),
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
            .map_or("it would not mean the same", |it| &it.message);
        return refuse(run, not_writable::as_gchor(stem(path), reason));
    }
    Ok(text)
}

/// Everything in a file that has a graph.
fn graphs(
    workspace: &mut Workspace<'_>,
    request: &Request,
    from: FileKind,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<String, Stop> {
    let request = Request {
        kind: Some(from),
        ..request.clone()
    };
    let before = run.findings.len();
    let loaded = workspace.load(&request, settings, &mut run.findings);
    let Some((_, Model::Graphs(components, _))) = loaded else {
        return Err(Stop::Mistakes);
    };
    if has_errors(&run.findings[before..]) {
        return Err(Stop::Mistakes);
    }
    let mut graphs: Vec<Stg> = Vec::new();
    for component in components {
        graphs.push(component.built(settings, run)?);
    }
    let graphs: Vec<&Stg> = graphs.iter().collect();
    chor::write_graphs(&graphs, &mut workspace.terms)
        .or_else(|reason| refuse(run, not_writable::diagnostic(&request.path, &reason.reason)))
}

fn read(
    workspace: &mut Workspace<'_>,
    path: &str,
    run: &mut RunNotes,
) -> Result<(FileId, Arc<str>), Stop> {
    let read = workspace.source(path);
    read.or_else(|error| refuse(run, unreadable::diagnostic(&error)))
}
