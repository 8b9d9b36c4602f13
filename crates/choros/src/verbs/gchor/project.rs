//! What does each participant of a g-choreography do?

use choros_base::nearest;
use choros_model::cfsm::{Cfsm, write_fsa};
use choros_report::{Block, GraphDrawing, NamedResult, Rejection, Report, Sizes, Stat, Stats};

use super::{load, machines};
use crate::diagnostics::no_such_role;
use crate::verbs::Picture;
use crate::verbs::draw::plain_block;
use crate::{Request, Settings, Workspace};

/// Projects a g-choreography on its participants, or on one of them.
pub(in crate::verbs) fn project(
    workspace: &mut Workspace<'_>,
    request: &Request,
    role: Option<&str>,
    picture: Picture,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("deterministic and minimal machines".to_owned());
    let Some(gchor) = load(workspace, request, settings, report) else {
        return;
    };
    let names = &workspace.terms.names;
    let machines = match machines(request, &gchor, settings) {
        Ok(machines) => machines,
        Err(finding) => {
            report.diagnostics.push(*finding);
            return;
        }
    };
    let chosen: Vec<Cfsm> = machines
        .iter()
        .filter(|it| role.is_none_or(|role| names.text(it.participant()) == role))
        .cloned()
        .collect();
    if let (true, Some(role)) = (chosen.is_empty(), role) {
        let known: Vec<String> = machines
            .iter()
            .map(|it| names.text(it.participant()).to_owned())
            .collect();
        let similar = nearest(role, known.iter().map(String::as_str));
        report.outcomes.push(NamedResult {
            name: role.to_owned(),
            rejected: Some(Rejection {
                code: no_such_role::CODE.code,
                message: no_such_role::message(&request.path, role, similar, &known),
            }),
            ..NamedResult::default()
        });
        return;
    }
    let stats = |machine: &Cfsm| {
        Stats::default()
            .with(Stat::States, machine.state_count())
            .with(Stat::Transitions, machine.transition_count())
    };
    if picture == Picture::Fsa {
        let mut sum = Stats::default();
        for machine in &chosen {
            sum.add(&stats(machine));
        }
        report.outcomes.push(NamedResult {
            name: request.path.clone(),
            blocks: vec![Block::Picture {
                format: "fsa",
                text: write_fsa(&chosen, names),
            }],
            sizes: Sizes {
                stats: sum,
                complete: true,
            },
            ..NamedResult::default()
        });
        return;
    }
    for machine in &chosen {
        let drawing = GraphDrawing::of_machine(machine, names);
        let blocks = plain_block(drawing, "a machine", picture, &mut report.diagnostics);
        report.outcomes.push(NamedResult {
            name: names.text(machine.participant()).to_owned(),
            blocks,
            sizes: Sizes {
                stats: stats(machine),
                complete: true,
            },
            ..NamedResult::default()
        });
    }
}
