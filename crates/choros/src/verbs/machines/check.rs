//! Is a system of machines sound?

use choros_model::Evidence;
use choros_model::cfsm::{Cfsm, Reduction, System};
use choros_model::evidence::Tree;
use choros_report::{Answer, Outcome, Report, Sizes, Stat, Stats, Word};

use super::findings::tell_discipline;
use super::study::study;
use crate::{Settings, Workspace};

/// Whether no run of the machines together comes to an unsafe configuration (Definition 3.1), or to one in which a
/// message or a machine waits for ever while others go on.
pub(in crate::verbs) fn check(
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("safety of all runs of the machines".to_owned());
    tell_discipline(&mut report.semantics, settings);
    settings.progress.show(format!("checking `{path}`"));
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    let study = study(&mut system, settings);
    let found = &study.safety.found;
    let reason = study.gap(settings);
    let word = match (&study.safety.proof, &reason) {
        (Ok(_), _) => Word::Holds,
        (Err(_), Some(_)) => Word::Unknown,
        (Err(_), None) => Word::Fails,
    };
    let claim = match (study.defects.is_empty(), settings.reduction) {
        (false, _) => format!(
            "{} of {} configurations are dead and unsafe",
            found.unsafe_count(),
            found.states
        ),
        (true, _) if word == Word::Unknown => format!(
            "{} configurations were looked at, and none is dead and unsafe",
            found.states
        ),
        (true, Reduction::None) => format!(
            "{} configurations, all safe: every run goes on, or ends with all machines done and all channels empty",
            found.states
        ),
        (true, Reduction::Persistent) => format!(
            "{} configurations are enough to find every end of a run; all runs end, and all ends are safe",
            found.states
        ),
    };
    let mut because = Vec::new();
    for defect in &study.defects {
        if let Evidence::Tree(tree) = defect.evidence(found, &mut system) {
            because.push(tree);
        }
    }
    study.tell(path, &system, settings, &mut report.semantics);
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        answer: Some(Answer {
            word,
            condition: None,
            reason,
            evidence: Some(Evidence::Tree(Tree {
                claim,
                origin: None,
                evidence: None,
                because,
            })),
        }),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::States, found.states)
                .with(Stat::Transitions, found.transitions)
                .with(Stat::Deadlocks, found.unsafe_count())
                .with(Stat::Roles, machines.len()),
            complete: study.complete(),
        },
        safety: Some(Box::new(study.mirror(settings))),
        ..Outcome::default()
    });
}
