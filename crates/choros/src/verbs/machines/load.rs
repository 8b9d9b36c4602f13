//! Machines and oracles, whatever files they come from.

use choros_base::{Diagnostic, Name, Names, has_errors, nearest};
use choros_model::cfsm::{Cfsm, LocalState};
use choros_report::answers::{RunNotes, Stop};
use choros_testgen::WatchedChannels;

use crate::diagnostics::{no_machines, unknown_participant};
use crate::{Model, Request, Settings, Workspace};

/// The machines of a model.
pub(in crate::verbs) fn machines_of(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<Cfsm>, Stop> {
    let model = workspace.model(request, settings, run);
    let (kind, model) = model
        .filter(|_| !has_errors(&run.findings))
        .ok_or(Stop::Mistakes)?;
    let machines = match model {
        Model::Machines(machines) => Ok(machines),
        Model::Gchor(gchor) => choros_workspace::gchor_machines(request, &gchor, settings),
        Model::Graphs(..) | Model::System(_) | Model::Service(_) => Err(Box::new(
            no_machines::diagnostic(&request.path, kind.words()),
        )),
    };
    machines.map_err(|finding| run.mistake(*finding))
}

/// The participant with this name, or that there is none.
pub(in crate::verbs) fn find_participant(
    role: &str,
    path: &str,
    machines: &[Cfsm],
    names: &Names,
) -> Result<Name, Box<Diagnostic>> {
    let all = machines.iter().map(Cfsm::participant);
    let found = all.clone().find(|&it| names.text(it) == role);
    found.ok_or_else(|| {
        let known: Vec<&str> = all.map(|it| names.text(it)).collect();
        let similar = nearest(role, known.iter().copied());
        Box::new(unknown_participant::diagnostic(path, role, similar, &known))
    })
}

/// The same; the run is told when there is none.
pub(super) fn participant(
    role: &str,
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    run: &mut RunNotes,
) -> Result<Name, Stop> {
    let found = find_participant(role, path, machines, &workspace.terms.names);
    found.map_err(|finding| run.mistake(*finding))
}

type SuccessStates = Vec<(Name, Vec<LocalState>)>;

/// The success states that a file names, and the channels that must be empty.
pub(super) fn read_oracle(
    path: &str,
    machines: &[Cfsm],
    workspace: &mut Workspace<'_>,
    run: &mut RunNotes,
) -> Result<(SuccessStates, WatchedChannels), Stop> {
    let (file, text) = workspace.required(path, run)?;
    let (oracle, found) = choros_testgen::read_oracle(file, &text);
    let names = &workspace.terms.names;
    let (states, wrong) = oracle.resolve(machines, names);
    let (watched, no_channel) = oracle.watched(names);
    let input = (path.to_owned(), "oracle".to_owned());
    run.semantics.inputs.extend([input]);
    run.findings
        .extend(found.into_iter().chain(wrong).chain(no_channel));
    Ok((states, watched))
}
