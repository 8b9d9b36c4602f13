//! Is it sound? Models and questions of every kind together.

mod graphs;
mod models;
#[cfg(feature = "bpel")]
mod process;
mod properties;

use choros_base::has_errors;
use choros_report::answers::{Answered, Parts, RunNotes, Soundness, Stop};

use choros_workspace::check_formulas;

use super::symbolic::check_purposes;
use crate::{Request, Settings, Workspace};

#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// Files of any kinds: models, formulas, properties, purposes, contracts.
    pub files: Vec<Request>,
    /// The model that properties, purposes and contracts are about.
    pub model: Option<Request>,
    /// Its runs are followed no further than this many events.
    pub depth: usize,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            files: Vec::new(),
            model: None,
            depth: 16,
        }
    }
}

/// What is known of files of one kind.
type Found = Result<Vec<Result<Soundness, Stop>>, Stop>;

/// Checks models for themselves; properties, purposes and contracts against the model where one is named.
pub fn check(
    workspace: &mut Workspace<'_>,
    request: &CheckRequest,
    settings: &Settings,
) -> Answered<Parts<Soundness>> {
    let model = request.model.as_ref();
    // Where a model is named, a document in XML holds properties about it.
    let is_about_model = |it: &Request| model.is_some() && it.known_kind().is_none();
    let is_property = |it: &Request| it.is_properties() || is_about_model(it);
    let some = |wanted: &dyn Fn(&Request) -> bool| -> Vec<Request> {
        let files = request.files.iter();
        files.filter(|it| wanted(it)).cloned().collect()
    };
    let mut whole: Option<Answered<Parts<Soundness>>> = None;
    let mut add = |run: RunNotes, answer: Found| {
        let answer = answer.map(Parts);
        match &mut whole {
            Some(whole) => join(whole, run, answer),
            None => whole = Some(Answered { answer, run }),
        }
    };
    let bindings = some(&Request::is_binding);
    if !bindings.is_empty() {
        let mut run = settings.run();
        let found = workspace.check_bindings(&bindings, settings, &mut run);
        add(run, found);
    }
    let is_other = |it: &Request| is_property(it) || it.is_binding();
    let models = some(&|it| !is_other(it) && !it.is_formulas() && !it.is_purpose());
    if !models.is_empty() {
        let mut run = settings.run();
        let found = models::check_models(workspace, &models, settings, &mut run);
        add(run, found);
    }
    let formulas = some(&Request::is_formulas);
    if !formulas.is_empty() {
        let mut run = settings.run();
        let found = check_formulas(workspace, &formulas, &mut run);
        add(run, found);
    }
    let purposes = some(&Request::is_purpose);
    if !purposes.is_empty() {
        let depth = u32::try_from(request.depth).unwrap_or(u32::MAX);
        let mut run = settings.run();
        let found = check_purposes(workspace, &purposes, model, depth, settings, &mut run);
        add(run, found);
    }
    let properties = some(&is_property);
    if !properties.is_empty() {
        let paths: Vec<String> = properties.into_iter().map(|it| it.path).collect();
        let mut run = settings.run();
        let depth = request.depth;
        let found =
            properties::check_properties(workspace, &paths, model, depth, settings, &mut run);
        add(run, found);
    }
    match whole {
        Some(whole) => Answered::new(whole.answer, whole.run),
        None => Answered::new(Ok(Parts(Vec::new())), settings.run()),
    }
}

/// One answer of two.
fn join(
    whole: &mut Answered<Parts<Soundness>>,
    mut run: RunNotes,
    answer: Result<Parts<Soundness>, Stop>,
) {
    match (&mut whole.answer, answer) {
        (Ok(parts), Ok(more)) => parts.0.extend(more.0),
        (Ok(parts), Err(stop)) => parts.0.push(Err(stop)),
        (Err(stop), answer) => {
            let first = std::mem::replace(stop, Stop::Mistakes);
            let mut parts = vec![Err(first)];
            match answer {
                Ok(more) => parts.extend(more.0),
                Err(stop) => parts.push(Err(stop)),
            }
            whole.answer = Ok(Parts(parts));
        }
    }
    whole.run.findings.append(&mut run.findings);
    whole.run.interrupted |= run.interrupted;
    whole.run.silence.absorb(run.silence);
    let semantics = &mut whole.run.semantics;
    semantics.relation = match (semantics.relation.take(), run.semantics.relation) {
        (Some(one), Some(other)) => Some(format!("{one}; {other}")),
        (one, other) => one.or(other),
    };
    semantics.inputs.append(&mut run.semantics.inputs);
    semantics.bounds.append(&mut run.semantics.bounds);
    semantics.notes.append(&mut run.semantics.notes);
    semantics.solver = semantics.solver.take().or(run.semantics.solver);
    if has_errors(&whole.run.findings) {
        whole.answer = Err(Stop::Mistakes);
    }
}
