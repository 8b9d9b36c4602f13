//! How big is a system of machines?

use choros_model::cfsm::{Cfsm, System};
use choros_model::gchor::Gchor;
use choros_report::answers::{Exploration, Stop};
use choros_workspace::gchor_machines;

use super::Exploring;
use crate::verbs::machines;

impl Exploring<'_, '_> {
    /// Counts the configurations that the machines can reach together, and shows what is wrong in them.
    pub(super) fn machines(&mut self, machines: &[Cfsm]) -> Exploration {
        let (path, settings) = (&self.file.path, self.settings);
        let semantics = &mut self.run.semantics;
        semantics.relation = Some("configurations of machines and channels".to_owned());
        machines::tell_discipline(semantics, settings);
        settings.events.doing(format!("exploring `{path}`"));
        let terms = &self.workspace.terms;
        let mut system = System::new(machines, settings.discipline, terms);
        let study = machines::study(&mut system, settings);
        let found = &study.safety.found;
        let defects = study.defects.iter();
        let defects = defects.map(|it| it.evidence(found, &mut system)).collect();
        study.tell(path, &system, self.run);
        Exploration {
            name: path.clone(),
            stats: study.stats(machines),
            is_cut: !study.complete(),
            safety: Some(study.mirror()),
            defects,
            ..Exploration::default()
        }
    }

    /// The machines of all participants of a g-choreography.
    pub(super) fn projected(&mut self, found: &Gchor) -> Result<Vec<Cfsm>, Stop> {
        gchor_machines(self.file, found, self.settings).map_err(|finding| {
            self.run.findings.push(*finding);
            Stop::Mistakes
        })
    }
}
