//! Is a process of WS-BPEL sound?

use choros_base::has_errors;
use choros_bpel::calculus::unfold;
use choros_report::answers::{RunNotes, Soundness, Stop};
use choros_smt::LazySolver;
use choros_workspace::judge_process;

use crate::diagnostics::state_bound;
use crate::{Request, Settings, Workspace};

/// Reads a process, and finds activities, handlers and correlations that can never happen; none where it has mistakes.
///
/// That a correlation cannot be broken is no finding, although the transition for it is dead.
pub(super) fn check(
    workspace: &mut Workspace<'_>,
    request: &Request,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Option<Result<Soundness, Stop>> {
    let input = (request.path.clone(), "bpel".to_owned());
    run.semantics.inputs.extend([input]);
    let mut found = Vec::new();
    let read = workspace.process(&request.path, settings, &mut found);
    let wrong = has_errors(&found);
    run.findings.append(&mut found);
    let read = read.filter(|_| !wrong)?;
    if let Some(unit) = read.unit {
        let note = format!("`{}`: a tick is {unit}", read.name);
        run.semantics.notes.push(note);
    }
    let budget = settings.states();
    let unfolding = match unfold(&mut workspace.terms, &read.process, &read.name, &budget) {
        Ok(unfolding) => unfolding,
        Err(spent) => {
            let finding = state_bound::diagnostic(&read.name, spent);
            run.findings.push(finding);
            return Some(Err(settings.cut(read.name.clone())));
        }
    };
    let has_messages = unfolding.graph.counts().messages > 0;
    run.silence.opened([read.name.clone()], has_messages);
    let terms = &mut workspace.terms;
    let judged = judge_process(terms, &read, &unfolding, solver, settings, run);
    Some(judged.map_err(|error| Stop::World(error.to_string())))
}
