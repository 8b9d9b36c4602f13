//! Is a system of machines sound?

use choros_model::cfsm::{Cfsm, Reduction, System};
use choros_model::evidence::Tree;
use choros_model::{Evidence, Unknown, Verdict};
use choros_report::answers::{Run, Soundness, Standing};

use super::findings::tell_discipline;
use super::study::{Study, study};
use crate::{Settings, Workspace};

/// Whether no run of the machines together comes to an unsafe configuration (Definition 3.1), or to one in which a
/// message or a machine waits for ever while others go on.
pub(in crate::verbs) fn check(
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
    run: &mut Run,
) -> Soundness {
    run.semantics.relation = Some("safety of all runs of the machines".to_owned());
    tell_discipline(&mut run.semantics, settings);
    settings.events.doing(format!("checking `{path}`"));
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    let study = study(&mut system, settings);
    let verdict = verdict(&study, &mut system, settings);
    study.tell(path, &system, settings, run);
    Soundness {
        stats: study.stats(machines),
        complete: study.complete(),
        safety: Some(study.mirror(settings)),
        ..Soundness::new(path, Standing::Judged(verdict))
    }
}

fn verdict(study: &Study, system: &mut System<'_>, settings: &Settings) -> Verdict {
    let found = &study.safety.found;
    let gap = study.gap(settings);
    let claim = match (study.defects.is_empty(), settings.reduction) {
        (false, _) => format!(
            "{} of {} configurations are dead and unsafe",
            found.unsafe_count(),
            found.states
        ),
        (true, _) if gap.is_some() => format!(
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
    let defects = study.defects.iter();
    let evidence = Evidence::Tree(Tree {
        claim,
        origin: None,
        evidence: None,
        because: defects.map(|it| it.evidence(found, system)).collect(),
    });
    match (&study.safety.proof, gap) {
        (Ok(_), _) => Verdict::Holds(evidence),
        (Err(_), None) => Verdict::Fails(evidence),
        (Err(_), Some(gap)) => Verdict::Unknown(Unknown {
            evidence: Some(evidence),
            ..gap
        }),
    }
}
