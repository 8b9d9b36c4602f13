//! The states of a system, as a graph.

use choros_base::{Choice, has_errors};
use choros_check::{Equivalence, minimize};
use choros_model::cfsm::{Cfsm, System};
use choros_model::lts::{ExplicitLts, Exploration, LtsCounts, explore};
use choros_report::{Counted, Outcome, Report, Sizes, Stat, Stats, cut_text};

use super::explore::relation;
use crate::diagnostics::{no_states, state_bound};
use crate::verbs::Picture;
use crate::verbs::draw::system_block;
use crate::{Model, Request, Settings, Workspace};

/// What is done with the states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnfoldRequest {
    /// Equivalent states become one.
    pub minimize: Option<Equivalence>,
    /// The graph is drawn or written.
    pub picture: Option<Picture>,
}

/// Unfolds a system of states completely, makes it small, and writes it down.
pub fn unfold(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    unfolding: UnfoldRequest,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("explore");
    for request in requests {
        let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
            continue;
        };
        report
            .semantics
            .inputs
            .insert(request.path.clone(), kind.name().to_owned());
        if has_errors(&report.diagnostics) {
            continue;
        }
        settings
            .progress
            .show(format!("exploring `{}`", request.path));
        let Some(states) = states(request, model, workspace, settings, &mut report) else {
            report
                .diagnostics
                .push(no_states::diagnostic(&request.path, kind.words()));
            continue;
        };
        if let Some(cut) = states.system.extent().cut_by() {
            let note = format!("`{}`: {}", request.path, cut_text(cut));
            report.semantics.notes.push(note);
        }
        one(&request.path, states, unfolding, &mut report);
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// States and their number, as far as they were unfolded.
struct States {
    system: ExplicitLts,
    counts: LtsCounts,
}

impl States {
    fn of(found: Exploration) -> States {
        States {
            counts: found.counts(),
            system: found.lts,
        }
    }
}

/// All states of a model; `None` of models that have none.
fn states(
    request: &Request,
    model: Model,
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Option<States> {
    match model {
        Model::System(system) => {
            report.semantics.relation = Some("states".to_owned());
            Some(States {
                counts: system.counts(),
                system: *system,
            })
        }
        Model::Service(service) => {
            report.semantics.relation = Some(relation(settings).to_owned());
            let mut system = service.system(settings)?;
            Some(States::of(explore(&mut system, &settings.states())))
        }
        Model::Machines(machines) => Some(of_machines(&machines, workspace, settings, report)),
        Model::Gchor(gchor) => {
            let machines = crate::verbs::gchor::machines(request, &gchor, settings, report)?;
            Some(of_machines(&machines, workspace, settings, report))
        }
        Model::Graphs(..) => None,
    }
}

fn of_machines(
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> States {
    report.semantics.relation = Some("configurations of machines and channels".to_owned());
    crate::verbs::machines::tell_discipline(&mut report.semantics, settings);
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    States::of(explore(&mut system, &settings.states()))
}

fn one(path: &str, states: States, unfolding: UnfoldRequest, report: &mut Report) {
    let (mut system, mut counts) = (states.system, states.counts);
    if let Some(equivalence) = unfolding.minimize {
        match minimize(&system, equivalence) {
            // Two states that were not unfolded look alike without being so.
            Err(cut) => report
                .diagnostics
                .push(state_bound::unminimized(path, &cut_text(&cut))),
            Ok(small) => {
                let silent = match equivalence {
                    Equivalence::Strong => "",
                    Equivalence::Branching => {
                        ", divergence kept (a loop of silent steps stays one); `†` counts as silent"
                    }
                };
                report.semantics.notes.push(format!(
                    "`{path}`: {} and {} before states were identified by {} bisimilarity of labels{silent}",
                    Counted(Stat::States, counts.states as u64),
                    Counted(Stat::Transitions, counts.transitions as u64),
                    equivalence.word()
                ));
                system = small;
                counts = system.counts();
            }
        }
    }
    let blocks = match unfolding.picture {
        None => Vec::new(),
        Some(picture) => system_block(path, &system, picture, &mut report.diagnostics),
    };
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, counts.states)
                .with(Stat::Transitions, counts.transitions)
                .with(Stat::Deadlocks, counts.deadlocks),
            complete: system.extent().is_whole(),
        },
        blocks,
        ..Outcome::default()
    });
}
