//! How big is it?

mod graphs;
mod machines;
mod pomsets;
mod services;
mod system;
mod traces;
mod unfold;

pub(super) use services::relation as relation_of_services;

use choros_base::has_errors;
use choros_check::Equivalence;
use choros_model::gchor::Gchor;
use choros_report::Stats;
use choros_report::answers::{Answered, Exploration, Parts, RunNotes, Stop};

use super::{Picture, gchor};
use crate::{Content, FileKind, Model, Request, Settings, Workspace};

/// What is explored, and what becomes of it.
#[derive(Debug, Clone, Default)]
pub struct ExploreRequest {
    /// The models.
    pub files: Vec<Request>,
    /// A component of one's own, in place of the machine with its name.
    pub component: Option<Request>,
    /// Equivalent states become one.
    pub minimize: Option<Equivalence>,
    /// The states are drawn or written.
    pub picture: Option<Picture>,
    /// Traces are counted as well.
    pub traces: bool,
}

impl ExploreRequest {
    /// The sizes of a model.
    pub fn of(file: Request) -> ExploreRequest {
        ExploreRequest {
            files: vec![file],
            ..ExploreRequest::default()
        }
    }

    /// Whether the states of a file are listed, and not only counted.
    fn is_unfolded(&self, file: &Request) -> bool {
        let has_states = file.holds(&[Content::Service, Content::States]);
        self.component.is_none()
            && (self.minimize.is_some() || has_states && self.picture.is_some())
    }

    /// Whether a file is a system of machines that is drawn, or has a component of one's own.
    fn is_system(&self) -> bool {
        self.component.is_some() || self.picture.is_some()
    }
}

/// Counts states, transitions, messages, deadlocks; makes them few, and draws them, where that is asked.
pub fn explore(
    workspace: &mut Workspace<'_>,
    request: &ExploreRequest,
    settings: &Settings,
) -> Answered<Parts<Exploration>> {
    let mut run = settings.run();
    let mut parts = Vec::new();
    for file in &request.files {
        let mut exploring = Exploring {
            workspace,
            request,
            file,
            settings,
            run: &mut run,
        };
        match exploring.file() {
            Err(Stop::Mistakes) => {}
            Err(stop) => parts.push(Err(stop)),
            Ok(found) => parts.extend(found),
        }
    }
    run.interrupted = settings.is_cancelled();
    Answered {
        answer: Ok(Parts(parts)),
        run,
    }
}

/// Exploring one file.
struct Exploring<'e, 's> {
    workspace: &'e mut Workspace<'s>,
    request: &'e ExploreRequest,
    file: &'e Request,
    settings: &'e Settings,
    run: &'e mut RunNotes,
}

/// What is known of a file.
type Found = Result<Vec<Result<Exploration, Stop>>, Stop>;

impl Exploring<'_, '_> {
    fn file(&mut self) -> Found {
        if self.settings.faults.is_some() {
            return self.disturbed();
        }
        if self.settings.gchor.pomsets {
            return self.sizes();
        }
        if self.request.is_unfolded(self.file) {
            return Ok(vec![Ok(self.unfold()?)]);
        }
        if self.request.is_system() {
            return Ok(vec![Ok(self.system()?)]);
        }
        self.sizes()
    }

    /// What the file holds, without mistakes.
    fn model(&mut self) -> Result<(FileKind, Model), Stop> {
        let model = self.workspace.model(self.file, self.settings, self.run);
        model.ok_or(Stop::Mistakes)
    }

    fn sizes(&mut self) -> Found {
        self.relate("symbolic locations");
        let (_, model) = self.model()?;
        let refusal = gchor::refusal(self.file, self.settings);
        self.run.findings.extend(refusal);
        if has_errors(&self.run.findings) {
            return Err(Stop::Mistakes);
        }
        let path = &self.file.path;
        let one = match model {
            Model::Graphs(components, _) => return Ok(self.graphs(components)),
            Model::Gchor(gchor) => self.gchor(&gchor)?,
            Model::Service(service) => match self.services(&service) {
                Some(found) => found,
                None => return Err(Stop::Mistakes),
            },
            Model::Machines(machines) => self.machines(&machines),
            Model::System(system) => {
                self.run.semantics.relation = Some("states".to_owned());
                Exploration {
                    name: path.clone(),
                    stats: Stats::of_system(system.counts()),
                    ..Exploration::default()
                }
            }
        };
        Ok(vec![Ok(one)])
    }

    /// The configurations of its machines, or its pomsets and words.
    fn gchor(&mut self, found: &Gchor) -> Result<Exploration, Stop> {
        if self.settings.gchor.pomsets {
            return self.pomsets(found);
        }
        let machines = self.projected(found)?;
        Ok(self.machines(&machines))
    }

    /// Says what is counted, where nothing said so before.
    fn relate(&mut self, relation: &str) {
        let known = &mut self.run.semantics.relation;
        known.get_or_insert_with(|| relation.to_owned());
    }
}
