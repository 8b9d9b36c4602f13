//! Is a system of machines sound?

use choros_model::cfsm::{Cfsm, System};
use choros_realize::safety;
use choros_report::answers::{MachineStudy, RunNotes, Soundness, SoundnessKind};

use super::findings::tell_discipline;
use crate::{Settings, Workspace};

/// Whether no run of the machines together comes to an unsafe configuration (Definition 3.1), or to one in which a
/// message or a machine waits forever while others continue.
pub(in crate::verbs) fn check(
    path: &str,
    machines: &[Cfsm],
    workspace: &Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Soundness {
    run.semantics.relation = Some("safety of all runs of the machines".to_owned());
    tell_discipline(&mut run.semantics, settings);
    settings.events.doing(format!("checking `{path}`"));
    let mut system = System::new(machines, settings.discipline, &workspace.terms);
    let study = study(&mut system, settings);
    let verdict = study.verdict(&mut system);
    study.tell(path, &system, run);
    Soundness {
        stats: study.stats(machines),
        complete: study.complete(),
        safety: Some(study.mirror()),
        ..Soundness::new(path, SoundnessKind::Judged(verdict))
    }
}

/// Looks at all configurations, or at as many as find every dead one.
pub(in crate::verbs) fn study(system: &mut System<'_>, settings: &Settings) -> MachineStudy {
    let safety = safety(system, settings.reduction, &settings.states());
    MachineStudy {
        defects: safety.defects(system),
        safety,
        discipline: settings.discipline,
        reduction: settings.reduction,
    }
}
