//! How big is a system of machines?

use choros_model::cfsm::{Cfsm, System, survey};
use choros_report::{Block, Outcome, Report, Sizes, Stat, Stats};

use super::findings::{bound_note, findings, tell_discipline};
use crate::{Project, Settings};

/// Counts the configurations that the machines can reach together, and shows what is wrong in them.
pub(in crate::verbs) fn explore(
    path: &str,
    machines: &[Cfsm],
    project: &Project<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("configurations of machines and channels".to_owned());
    tell_discipline(&mut report.semantics, settings);
    settings.progress.show(format!("exploring `{path}`"));
    let mut system = System::new(machines, settings.discipline, &project.terms);
    let found = survey(&mut system, &settings.states());
    let mut blocks = Vec::new();
    for finding in findings(&found, &system) {
        let evidence = finding.evidence(&found, &mut system);
        blocks.push(Block::Evidence(Box::new(evidence)));
    }
    if !blocks.is_empty() {
        let sizes = format!(
            "{path}: configurations {}, transitions {}, unsafe {}",
            found.states,
            found.transitions,
            found.unsafe_count()
        );
        blocks.insert(0, Block::Line(sizes));
    }
    if let Some(stopped) = &found.stopped {
        report.semantics.notes.push(format!("`{path}`: {stopped}"));
    }
    if found.bound_reached {
        report.semantics.notes.push(bound_note(settings));
    }
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, found.states)
                .with(Stat::Transitions, found.transitions)
                .with(Stat::Deadlocks, found.unsafe_count())
                .with(Stat::Roles, machines.len()),
            complete: found.complete(),
        },
        blocks,
        ..Outcome::default()
    });
}
