//! How big is a system of machines?

use choros_model::cfsm::{Cfsm, System};
use choros_report::{Block, Outcome, Report, Sizes, Stat, Stats};

use super::findings::tell_discipline;
use super::study::study;
use crate::{Settings, Workspace};

/// Counts the configurations that the machines can reach together, and shows what is wrong in them.
pub(in crate::verbs) fn explore(
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("configurations of machines and channels".to_owned());
    tell_discipline(&mut report.semantics, settings);
    settings.progress.show(format!("exploring `{path}`"));
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    let study = study(&mut system, settings);
    let found = &study.safety.found;
    let mut blocks = Vec::new();
    if !study.defects.is_empty() {
        blocks.push(Block::Line(format!(
            "{path}: configurations {}, transitions {}, unsafe {}",
            found.states,
            found.transitions,
            found.unsafe_count()
        )));
    }
    for defect in &study.defects {
        let evidence = defect.evidence(found, &mut system);
        blocks.push(Block::Evidence(Box::new(evidence)));
    }
    study.tell(path, &system, settings, &mut report.semantics);
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, found.states)
                .with(Stat::Transitions, found.transitions)
                .with(Stat::Deadlocks, found.unsafe_count())
                .with(Stat::Roles, machines.len()),
            complete: study.complete(),
        },
        safety: Some(Box::new(study.mirror(settings))),
        blocks,
        ..Outcome::default()
    });
}
