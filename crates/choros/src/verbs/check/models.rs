//! Are models sound? Each kind by its own question.

use choros_base::has_errors;
use choros_model::cfsm::Cfsm;
use choros_model::gchor::Gchor;
use choros_proofs::seated;
use choros_report::Stats;
use choros_report::answers::{Parts, RunNotes, Soundness, SoundnessKind, Stop};
use choros_workspace::SessionsAs;

#[cfg(feature = "bpel")]
use super::process;
use super::{Found, graphs};
use crate::verbs::{faults, gchor, machines, services};
use crate::{Component, Model, Request, Settings, Workspace};

/// Reads models, infers their sorts, lists their parameters, and finds what can never happen.
pub(super) fn check_models(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    settings: &Settings,
    run: &mut RunNotes,
) -> Found {
    if settings.faults.is_some() {
        return Ok(faults::check(workspace, requests, settings, run));
    }
    run.semantics.relation = Some("reachability for all data".to_owned());
    let mut read = Read::default();
    let mut solver = settings.solver();
    for request in requests {
        #[cfg(feature = "bpel")]
        if request.is_process() {
            let found = process::check(workspace, request, &mut solver, settings, run);
            read.parts.extend(found);
            continue;
        }
        read.add(workspace, request, settings, run);
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let mut parts = read.parts;
    for (path, found) in &read.gchors {
        parts.push(gchor::check(path, found, workspace, settings, run));
    }
    for (path, found) in &read.machines {
        let answer = machines::check(path, found, workspace, settings, run);
        parts.push(Ok(answer));
    }
    for component in read.components {
        settings
            .events
            .doing(format!("checking `{}`", component.name));
        workspace.terms.notation = component.notation;
        let part = seated(component, workspace, settings, run).and_then(|component| {
            let stg = component.graph(settings, run)?;
            graphs::check(&stg, &mut workspace.terms, &mut solver, settings, run)
        });
        let is_end = matches!(part, Err(Stop::World(_)));
        let answer = Parts(vec![part.clone()]);
        let (terms, sources) = (&workspace.terms, &workspace.sources);
        settings.events.answer(answer, run, terms, sources);
        parts.push(part);
        if is_end {
            break;
        }
        if settings.is_cancelled() {
            run.interrupted = true;
            break;
        }
    }
    settings.name_solver(&solver, &mut run.semantics);
    Ok(parts)
}

/// What was read, by kind: each is judged after all could be read.
#[derive(Default)]
struct Read {
    parts: Vec<Result<Soundness, Stop>>,
    components: Vec<Component>,
    machines: Vec<(String, Vec<Cfsm>)>,
    gchors: Vec<(String, Gchor)>,
}

impl Read {
    fn add(
        &mut self,
        workspace: &mut Workspace<'_>,
        request: &Request,
        settings: &Settings,
        run: &mut RunNotes,
    ) {
        let alone = settings.with_sessions_as(SessionsAs::One);
        let Some((_, model)) = workspace.model(request, &alone, run) else {
            return;
        };
        let path = request.path.clone();
        match model {
            Model::Graphs(found, _) => self.components.extend(found),
            Model::Machines(found) => self.machines.push((path, found)),
            Model::Gchor(found) => self.gchors.push((path, *found)),
            Model::Service(service) => {
                let answer = services::check(&path, &service, run);
                self.parts.extend(answer.map(Ok));
            }
            Model::System(system) => self.parts.push(Ok(Soundness {
                stats: Stats::of_system(system.counts()),
                ..Soundness::new(path, SoundnessKind::WellFormed)
            })),
        }
    }
}
