//! What does a description of an API say as a model?

use choros_base::{FileSet, Span};
use choros_import::{Description, ImportOptions, import as read_descriptions};
use choros_lang::chor;
use choros_report::answers::{Answered, Importing, RunNotes, Stop};

use crate::{Settings, Workspace};

/// Which descriptions are imported, and how.
#[derive(Debug, Clone, Default)]
pub struct ImportRequest {
    /// The descriptions, each of one service.
    pub paths: Vec<String>,
    /// What their services are called, in the same order; the others are called as files and titles say.
    pub roles: Vec<String>,
    /// What their caller is called.
    pub client: String,
    /// The name of the model; by default that of the only service.
    pub name: Option<String>,
    /// Optional fields are taken along as if they were required.
    pub optional: bool,
    /// Everything that is not carried over is listed.
    pub lists_all: bool,
}

/// Makes a model and a binding of descriptions.
pub fn import(
    workspace: &mut Workspace<'_>,
    request: &ImportRequest,
    settings: &Settings,
) -> Answered<Importing> {
    settings.answered(|run| importing(workspace, request, run))
}

fn importing(
    workspace: &mut Workspace<'_>,
    request: &ImportRequest,
    run: &mut RunNotes,
) -> Result<Importing, Stop> {
    let mut descriptions = Vec::new();
    for (number, path) in request.paths.iter().enumerate() {
        let input = (path.clone(), "description of an API".to_owned());
        run.semantics.inputs.extend([input]);
        let (file, text) = workspace.required(path, run)?;
        descriptions.push(Description {
            path: path.clone(),
            file,
            text,
            role: request.roles.get(number).cloned(),
        });
    }
    let options = ImportOptions {
        client: request.client.clone(),
        name: request.name.clone(),
        optional: request.optional,
    };
    let mut open = |path: &str| workspace.referred(path);
    let (imported, mut found) = read_descriptions(&descriptions, &options, &mut open);
    run.findings.append(&mut found);
    let imported = imported.ok_or(Stop::Mistakes)?;
    let name = imported.name;
    let model = format!("{name}.chor");
    // The form that `fmt` gives it, long lines broken.
    let file = workspace.sources.add(model.clone(), imported.model.clone());
    let formatted = chor::format(file, &imported.model, &mut workspace.terms.names);
    let mut files = FileSet::new();
    files.add(&model, formatted.unwrap_or(imported.model));
    files.add(&format!("{name}.bind.toml"), imported.binding);
    let place =
        |span: Option<Span>| span.map_or_else(String::new, |it| workspace.sources.locate(it));
    let lost = imported.lost.into_iter();
    let lost = lost.map(|it| [place(it.span), it.what, it.why.to_owned()]);
    Ok(Importing {
        lost: lost.collect(),
        lists_all: request.lists_all,
        next: format!(
            "next: choros check {model}, and put the calls of {} in order",
            imported.choreography
        ),
        services: imported.services,
        operations: imported.operations,
        messages: imported.messages,
        files,
        name,
    })
}
