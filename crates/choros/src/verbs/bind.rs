//! How do the messages of a model look in these logs?

use choros_bind::Vocabulary;
use choros_bind::propose::{Control, propose};
use choros_report::answers::{Answered, BindingProposal, RunNotes, Stop};
use choros_watch::bind::{SampleRequest, beside, proposal, read_samples};

use super::monitor::world;
use crate::{Request, Settings, Workspace};

/// What is bound, and what it is bound to.
#[derive(Debug, Clone)]
pub struct BindRequest {
    pub model: Request,
    pub logs: SampleRequest,
    /// The file that the binding goes to, so that it names the model from there.
    pub output: Option<String>,
}

/// Proposes a binding from logs.
pub fn bind(
    workspace: &mut Workspace<'_>,
    request: &BindRequest,
    settings: &Settings,
) -> Answered<BindingProposal> {
    settings.answered(|run| proposed(workspace, request, settings, run))
}

/// Translates mappings of earlier versions into one binding.
pub fn translate(
    workspace: &mut Workspace<'_>,
    mappings: &[String],
    is_written: bool,
    settings: &Settings,
) -> Answered<BindingProposal> {
    settings.answered(|run| workspace.translated(mappings, is_written, run))
}

fn proposed(
    workspace: &mut Workspace<'_>,
    request: &BindRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<BindingProposal, Stop> {
    let component = workspace.component(&request.model, settings, run);
    let component = component.ok_or(Stop::Mistakes)?;
    let stg = component.graph(settings, run)?;
    let terms = &workspace.terms;
    let vocabulary = Vocabulary::of(&stg, terms);
    let control = Control::of(&stg, &vocabulary, &|name| terms.names.text(name).to_owned());
    let logs = read_samples(&request.logs, world(workspace, None, settings), run)?;
    let doing = "matching records and messages";
    settings.events.doing(doing.to_owned());
    let model = beside(&request.model.path, request.output.as_deref());
    let found = propose(&model, &vocabulary, &control, &logs);
    Ok(proposal(
        &request.model.path,
        request.output.is_some(),
        found,
    ))
}
