//! Making a test suite of a model, the ground of `tests`, `comply` and `mutate`.

use choros_base::{Name, has_errors};
use choros_model::cfsm::Cfsm;
use choros_realize::gchor::project_all;
use choros_report::answers::{RunNotes, Stop};
use choros_suite::{MachineTestOptions, judge_suite};
use choros_testgen::{
    Loops, MachineSuite, Oracle, TestMaking, WatchedChannels, make, make_for_subtrees, sessions_of,
};

use super::load::{machines_of, participant, read_oracle};
use crate::diagnostics::{state_bound, symbolic_option};
use crate::verbs::gchor;
use crate::{Request, Settings, Workspace};

/// All tests that are asked for; the findings say why none can be made.
pub(super) fn make_suite(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &MachineTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<MachineSuite, Stop> {
    if !asked.force {
        gchor::require_well_formed(workspace, request, settings, run)?;
    }
    if asked.subtrees && several(settings).is_some() {
        let message = "`--subtrees` makes tests of parts of one session; leave `--sessions` out";
        return Err(run.mistake(symbolic_option::diagnostic(message)));
    }
    let mut machines = machines_of(workspace, request, settings, run)?;
    let roles = match &asked.role {
        None => Vec::new(),
        Some(role) => vec![participant(role, &request.path, &machines, workspace, run)?],
    };
    if let &[server] = &roles[..] {
        let path = &request.path;
        machines = in_sessions(machines, Some(server), path, workspace, settings, run)?;
    }
    settings.events.doing("making tests");
    let (oracle, watched) = oracle(&machines, asked, workspace, run)?;
    let making = TestMaking {
        roles,
        splitting: asked.splitting,
        loops: asked.loops,
        oracle,
        watched,
    };
    tell_loops(asked.loops, run);
    let made = if asked.subtrees {
        let gchor = gchor::require_gchor(workspace, request, "--subtrees", settings, run)?;
        make_for_subtrees(
            &gchor,
            &making,
            &workspace.sources,
            &mut workspace.terms.names,
            &|gchor| {
                let machines = project_all(gchor, &settings.states());
                let bound = |spent| Box::new(state_bound::diagnostic(&request.path, spent));
                machines.map_err(bound)
            },
            &|| settings.states(),
        )
    } else {
        let names = &mut workspace.terms.names;
        make(machines, &making, names, &|| settings.states())
    };
    let mut made = made.map_err(|mut findings| {
        run.findings.append(&mut findings);
        Stop::Mistakes
    })?;
    let (mut findings, further) = judge_suite(
        &mut made,
        settings.discipline,
        &workspace.terms,
        &|| settings.states(),
        &|what| {
            settings.events.doing(what);
            !settings.is_cancelled()
        },
    );
    run.findings.append(&mut findings);
    if further > 0 {
        run.note(format!(
            "{further} further tests are not suitable either, or that was not decided"
        ));
    }
    Ok(made)
}

/// How many sessions are served at the same time, where that was asked.
fn several(settings: &Settings) -> Option<u32> {
    settings.sessions.as_ref()?.count.number()
}

/// The machines in all sessions: each other one once for each, or all of them as those that serve.
pub(super) fn in_sessions(
    machines: Vec<Cfsm>,
    server: Option<Name>,
    path: &str,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<Cfsm>, Stop> {
    let Some(count) = several(settings) else {
        return Ok(machines);
    };
    let (names, budget) = (&mut workspace.terms.names, settings.states());
    let all = sessions_of(&machines, server, count, names, &budget);
    all.map_err(|spent| run.mistake(state_bound::diagnostic(path, spent)))
}

/// Says what is done about loops.
fn tell_loops(loops: Loops, run: &mut RunNotes) {
    match loops {
        Loops::None => {}
        Loops::Fair => run.note("infinite runs are fair: what stays possible happens in the end"),
        Loops::UpTo(times) => {
            let bound = ("loops".to_owned(), u64::from(times));
            run.semantics.bounds.extend([bound]);
        }
    }
}

/// The oracle that is asked for, and the channels that must be empty.
fn oracle(
    machines: &[Cfsm],
    asked: &MachineTestOptions,
    workspace: &mut Workspace<'_>,
    run: &mut RunNotes,
) -> Result<(Oracle, WatchedChannels), Stop> {
    let Some(path) = &asked.oracle else {
        return Ok((Oracle::FinalStates, WatchedChannels::All));
    };
    let (states, watched) = read_oracle(path, machines, workspace, run)?;
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let about = format!("the states of `{path}`");
    Ok((Oracle::States { about, states }, watched))
}
