//! How big is it?

use choros_base::has_errors;
use choros_data::Terms;
use choros_lang::NoGraph;
use choros_model::stg::{DotMarks, Ending, Stg};
use choros_report::{Outcome, Rejection, Report, Sizes, Stat, Stats};

use super::draw::model_pictures;
use super::traces::count;
use crate::diagnostics::{mistakes, state_bound};
use crate::{Component, Model, Request, Settings, Workspace};

/// Counts states, transitions, messages, deadlocks.
pub fn explore(workspace: &mut Workspace<'_>, requests: &[Request], settings: &Settings) -> Report {
    let mut report = settings.report("explore");
    report.semantics.relation = Some("symbolic locations".to_owned());
    for request in requests {
        let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
            continue;
        };
        report
            .semantics
            .inputs
            .insert(request.path.clone(), kind.name().to_owned());
        super::gchor::refuse_others(request, settings, &mut report);
        if has_errors(&report.diagnostics) {
            continue;
        }
        match model {
            Model::Graphs(components, _) => {
                for component in &components {
                    let mut outcome = component_outcome(component, &workspace.terms, &mut report);
                    if settings.traces {
                        count(component, settings, &mut outcome, &mut report);
                    }
                    report.outcomes.push(outcome);
                }
            }
            Model::Gchor(gchor) => {
                super::gchor::explore(request, &gchor, workspace, settings, &mut report);
            }
            Model::Service(service) => {
                super::services::explore(&request.path, &service, settings, &mut report);
            }
            Model::Machines(machines) => {
                super::machines::explore(
                    &request.path,
                    &machines,
                    workspace,
                    settings,
                    &mut report,
                );
            }
            Model::System(system) => {
                let counts = system.counts();
                report.semantics.relation = Some("states".to_owned());
                report.outcomes.push(Outcome {
                    name: request.path.clone(),
                    sizes: Sizes {
                        stats: Stats::default()
                            .with(Stat::States, counts.states)
                            .with(Stat::Transitions, counts.transitions)
                            .with(Stat::Deadlocks, counts.deadlocks),
                        complete: true,
                    },
                    ..Outcome::default()
                });
            }
        }
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// The sizes of a graph.
pub(super) fn stats(stg: &Stg) -> Stats {
    let counts = stg.counts();
    Stats::default()
        .with(Stat::States, counts.states)
        .with(Stat::Transitions, counts.transitions)
        .with(Stat::Deadlocks, deadlocks(stg))
        .with(Stat::Messages, counts.messages)
}

/// An outcome for a component that has no graph; the report is told why.
pub(super) fn no_graph(component: &Component, reason: &NoGraph, report: &mut Report) -> Outcome {
    let mut outcome = Outcome {
        name: component.name.clone(),
        ..Outcome::default()
    };
    match reason {
        NoGraph::Spent(spent) => {
            report
                .diagnostics
                .push(state_bound::diagnostic(&component.name, *spent));
            outcome.sizes.complete = false;
        }
        NoGraph::Mistakes => {
            outcome.rejected = Some(Rejection {
                code: mistakes::CODE.code,
                message: mistakes::message(&component.name),
            });
        }
    }
    outcome
}

/// Tells the report how a component is to be read.
pub(super) fn remark(component: &Component, report: &mut Report) {
    for remark in &component.remarks {
        let remark = format!("`{}`: {remark}", component.name);
        if !report.semantics.notes.contains(&remark) {
            report.semantics.notes.push(remark);
        }
    }
}

fn component_outcome(component: &Component, terms: &Terms, report: &mut Report) -> Outcome {
    remark(component, report);
    match &component.stg {
        Ok(stg) => {
            if stg.ending() == Ending::Sinks {
                let note = "states without outgoing transitions terminate and add no transition of their own in \
                            graphs that are written as graphs";
                if !report.semantics.notes.iter().any(|known| known == note) {
                    report.semantics.notes.push(note.to_owned());
                }
            }
            Outcome {
                name: component.name.clone(),
                sizes: Sizes {
                    stats: stats(stg),
                    complete: true,
                },
                models: model_pictures(&[(stg, DotMarks::default())], terms),
                ..Outcome::default()
            }
        }
        Err(reason) => no_graph(component, reason, report),
    }
}

/// Nodes that nothing leaves and that may not terminate.
fn deadlocks(stg: &Stg) -> usize {
    stg.node_ids().filter(|&node| stg.is_stuck(node)).count()
}
