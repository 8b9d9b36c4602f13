//! The states of a system, as a graph.

use choros_base::{Choice, has_errors};
use choros_check::{Equivalence, minimize};
use choros_model::cfsm::{Cfsm, System};
use choros_model::lts::{ExplicitLts, Exploration as Unfolded, LtsCounts, explore};
use choros_report::answers::{Exploration, Stop};
use choros_report::{CountedNoun, Stat, Stats, cut_text};
use choros_workspace::system_block;

use super::Exploring;
use super::services::relation;
use crate::diagnostics::{no_states, state_bound};
use crate::verbs::machines::tell_discipline;
use crate::{FileKind, Model};

/// States and their number, as far as they were unfolded.
struct States {
    system: ExplicitLts,
    counts: LtsCounts,
}

impl States {
    fn of(found: Unfolded) -> States {
        States {
            counts: found.counts(),
            system: found.lts,
        }
    }
}

impl Exploring<'_, '_> {
    /// Unfolds a system of states completely, makes it small, and writes it down.
    pub(super) fn unfold(&mut self) -> Result<Exploration, Stop> {
        let (kind, model) = self.model()?;
        if has_errors(&self.run.findings) {
            return Err(Stop::Mistakes);
        }
        let path = &self.file.path;
        self.settings.events.doing(format!("exploring `{path}`"));
        let states = self.states(kind, model)?;
        if let Some(cut) = states.system.extent().cut_by() {
            let note = format!("`{path}`: {}", cut_text(cut));
            self.run.semantics.notes.push(note);
        }
        let states = match self.request.minimize {
            Some(equivalence) => self.minimized(states, equivalence),
            None => states,
        };
        let (system, findings) = (&states.system, &mut self.run.findings);
        let pictures = match self.request.picture {
            None => Vec::new(),
            Some(picture) => system_block(path, system, picture, findings),
        };
        Ok(Exploration {
            name: path.clone(),
            stats: Stats::of_system(states.counts),
            is_cut: !system.extent().is_whole(),
            pictures,
            ..Exploration::default()
        })
    }

    /// All states of a model that has some.
    fn states(&mut self, kind: FileKind, model: Model) -> Result<States, Stop> {
        let settings = self.settings;
        match model {
            Model::System(system) => {
                self.run.semantics.relation = Some("states".to_owned());
                Ok(States {
                    counts: system.counts(),
                    system: *system,
                })
            }
            Model::Service(service) => {
                self.run.semantics.relation = Some(relation(settings).to_owned());
                let mut system = service.system(settings).ok_or(Stop::Mistakes)?;
                Ok(States::of(explore(&mut system, &settings.states())))
            }
            Model::Machines(machines) => Ok(self.configurations(&machines)),
            Model::Gchor(gchor) => {
                let machines = self.projected(&gchor)?;
                Ok(self.configurations(&machines))
            }
            Model::Graphs(..) => {
                let finding = no_states::diagnostic(&self.file.path, kind.words());
                self.run.findings.push(finding);
                Err(Stop::Mistakes)
            }
        }
    }

    fn configurations(&mut self, machines: &[Cfsm]) -> States {
        let semantics = &mut self.run.semantics;
        semantics.relation = Some("configurations of machines and channels".to_owned());
        tell_discipline(semantics, self.settings);
        let terms = &self.workspace.terms;
        let mut system = System::new(machines, self.settings.discipline, terms);
        States::of(explore(&mut system, &self.settings.states()))
    }

    fn minimized(&mut self, states: States, equivalence: Equivalence) -> States {
        let path = &self.file.path;
        let small = match minimize(&states.system, equivalence) {
            Ok(small) => small,
            Err(cut) => {
                // Two states that were not unfolded look alike without being so.
                let finding = state_bound::unminimized(path, &cut_text(&cut));
                self.run.findings.push(finding);
                return states;
            }
        };
        let silent = match equivalence {
            Equivalence::Strong => "",
            Equivalence::Branching => {
                ", divergence kept (a loop of silent steps stays one); `†` counts as silent"
            }
        };
        self.run.semantics.notes.push(format!(
            "`{path}`: {} and {} before states were identified by {} bisimilarity of labels{silent}",
            CountedNoun(Stat::States, states.counts.states as u64),
            CountedNoun(Stat::Transitions, states.counts.transitions as u64),
            equivalence.word()
        ));
        States {
            counts: small.counts(),
            system: small,
        }
    }
}
