//! What happens when a test, or a component of one's own, runs?

use choros_base::has_errors;
use choros_model::cfsm::{Cfsm, System, survey};
use choros_model::lts::{explore, write_aut};
use choros_report::answers::{Exploration, Stop};
use choros_report::{Block, GraphDrawing};
use choros_workspace::plain_block;

use super::Exploring;
use crate::Request;
use crate::verbs::Picture;
use crate::verbs::machines::{find_participant, machines_of};

impl Exploring<'_, '_> {
    /// Explores machines, one of which may be replaced by a component of one's own, and draws the configurations.
    ///
    /// Configurations that nothing follows and that are no proper end are filled in the picture.
    pub(super) fn system(&mut self) -> Result<Exploration, Stop> {
        let mut machines = machines_of(self.workspace, self.file, self.settings, self.run)?;
        if let Some(component) = &self.request.component {
            self.replace(&mut machines, component)?;
        }
        if has_errors(&self.run.findings) {
            return Err(Stop::Mistakes);
        }
        let mut found = self.machines(&machines);
        if let Some(picture) = self.request.picture {
            found.pictures = self.picture(&machines, picture);
        }
        Ok(found)
    }

    /// Puts the component of a file in place of the machine with its name.
    fn replace(&mut self, machines: &mut [Cfsm], component: &Request) -> Result<(), Stop> {
        let candidates = machines_of(self.workspace, component, self.settings, self.run)?;
        let names = &self.workspace.terms.names;
        let called: Vec<String> = match &component.component {
            Some(name) => vec![name.clone()],
            None => {
                let called = candidates.iter().map(|it| names.text(it.participant()));
                called.map(str::to_owned).collect()
            }
        };
        for name in called {
            let there = find_participant(&name, &self.file.path, machines, names);
            let new = find_participant(&name, &component.path, &candidates, names);
            let participant = match (there, new) {
                (Ok(there), Ok(_)) => there,
                (there, new) => {
                    let findings = there.err().into_iter().chain(new.err());
                    self.run.findings.extend(findings.map(|it| *it));
                    return Err(Stop::Mistakes);
                }
            };
            let is_it = |it: &&Cfsm| it.participant() == participant;
            if let Some(new) = candidates.iter().find(is_it)
                && let Some(old) = machines
                    .iter_mut()
                    .find(|it| it.participant() == participant)
            {
                *old = new.clone();
            }
        }
        Ok(())
    }

    fn picture(&mut self, machines: &[Cfsm], picture: Picture) -> Vec<Block> {
        let (path, settings) = (&self.file.path, self.settings);
        let terms = &self.workspace.terms;
        let mut system = System::new(machines, settings.discipline, terms);
        if picture == Picture::Aut {
            let explored = explore(&mut system, &settings.states());
            return vec![Block::Picture {
                format: "aut",
                text: write_aut(&explored.lts),
            }];
        }
        survey(&mut system, &settings.states());
        let drawing = GraphDrawing::of_system(path, &mut system);
        plain_block(
            drawing,
            "a system of machines",
            picture,
            &mut self.run.findings,
        )
    }
}
