//! Is a system of machines sound?

use choros_model::Evidence;
use choros_model::cfsm::{Cfsm, System, survey};
use choros_model::evidence::Tree;
use choros_report::{Answer, Outcome, Report, Sizes, Stat, Stats, Word};

use super::findings::{bound_note, findings, tell_discipline};
use crate::{Project, Settings};

/// Whether no run of the machines together comes to an unsafe configuration (Definition 3.1).
pub(in crate::verbs) fn check(
    path: &str,
    machines: &[Cfsm],
    project: &Project<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("safety of all runs of the machines".to_owned());
    tell_discipline(&mut report.semantics, settings);
    settings.progress.show(format!("checking `{path}`"));
    let mut system = System::new(machines, settings.discipline, &project.terms);
    let found = survey(&mut system, &settings.states());
    let defects = findings(&found, &system);
    let (word, reason) = if !defects.is_empty() {
        (Word::Fails, None)
    } else if let Some(stopped) = &found.stopped {
        let reason = format!("{stopped} (raise it with --max-states)");
        (Word::Unknown, Some(reason))
    } else if found.bound_reached {
        (Word::Unknown, Some(bound_note(settings)))
    } else {
        (Word::Holds, None)
    };
    let evidence = match defects.is_empty() {
        true => Tree {
            claim: format!(
                "{} configurations, all safe: every run goes on, or ends with all machines done and all channels empty",
                found.states
            ),
            origin: None,
            evidence: None,
            because: Vec::new(),
        },
        false => Tree {
            claim: format!(
                "{} of {} configurations are unsafe",
                found.unsafe_count(),
                found.states
            ),
            origin: None,
            evidence: None,
            because: defects
                .iter()
                .filter_map(|defect| match defect.evidence(&found, &mut system) {
                    Evidence::Tree(tree) => Some(tree),
                    _ => None,
                })
                .collect(),
        },
    };
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        answer: Some(Answer {
            word,
            condition: None,
            reason,
            evidence: Some(Evidence::Tree(evidence)),
        }),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, found.states)
                .with(Stat::Transitions, found.transitions)
                .with(Stat::Deadlocks, found.unsafe_count())
                .with(Stat::Roles, machines.len()),
            complete: found.complete(),
        },
        ..Outcome::default()
    });
}
