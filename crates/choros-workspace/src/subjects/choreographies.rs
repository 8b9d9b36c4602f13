//! Choreographies, and when they count as realizable.

use choros_base::{Names, has_errors};
use choros_model::cfsm::Channels;
use choros_model::stg::{Role, Stg};
use choros_realize::{Closing, Criterion, Effort, Mode, Question, is_timed, no_choreography};
use choros_report::Rejection;
use choros_report::answers::{RunNotes, Stop};

use crate::{Component, Model, Request, Settings, Workspace};

/// What is judged, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RealizeRequest {
    /// The choreographies.
    pub files: Vec<Request>,
    /// When one counts as realizable.
    pub rules: RealizeRules,
    /// Whether additions are to be proposed.
    pub repair: bool,
    /// The channels that machines of g-choreographies are judged with; queues and multisets where none are named.
    pub channels: Option<Channels>,
}

/// When a choreography counts as realizable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealizeRules {
    /// How the services communicate; if nothing is said, what they measure decides ([`RealizeRules::mode_for`]).
    pub mode: Option<Mode>,
    /// Which criterion gives the verdict; if none is named, the projections do, and the other is shown where it differs.
    pub criterion: Option<Criterion>,
    /// How many messages a queue may hold.
    pub bound: usize,
    /// Roles that are services, beside those that the model declares: they may wait for the next conversation.
    pub services: Vec<String>,
    /// Whether all roles end together, so that no one has to be told.
    pub joint_ending: bool,
}

impl RealizeRules {
    /// How many messages a queue holds by default.
    pub const BOUND: usize = 5;

    /// The criterion that gives the verdict.
    pub fn criterion(&self) -> Criterion {
        self.criterion.unwrap_or_default()
    }

    /// How the services of a choreography communicate.
    ///
    /// A deadline is about messages that take time, so where roles measure time messages wait in queues.
    pub fn mode_for(&self, stg: &Stg) -> Mode {
        let default = if is_timed(stg) {
            Mode::Sender
        } else {
            Mode::default()
        };
        self.mode.unwrap_or(default)
    }

    /// The question about a choreography by these rules; `declared` are the services that the model names.
    pub fn question(
        &self,
        stg: &Stg,
        declared: &[String],
        repair: bool,
        settings: &Settings,
        names: &mut Names,
    ) -> Question {
        let services = declared.iter().chain(&self.services);
        let services = services.map(|name| Role(names.intern(name))).collect();
        let most = settings.max_states;
        Question {
            mode: self.mode_for(stg),
            criterion: self.criterion(),
            repair,
            closing: if self.joint_ending {
                Closing::Together
            } else {
                Closing::Alone { services }
            },
            effort: Effort {
                bound: self.bound,
                states: match self.criterion() {
                    Criterion::Semantic => most,
                    Criterion::Conditions => most.min(BESIDE),
                },
            },
        }
    }
}

impl Default for RealizeRules {
    fn default() -> RealizeRules {
        RealizeRules {
            mode: None,
            criterion: None,
            bound: RealizeRules::BOUND,
            services: Vec::new(),
            joint_ending: false,
        }
    }
}

/// States of the composition that are examined when the verdict does not depend on it.
const BESIDE: u64 = 5_000;

/// The components to look at: choreographies only, unless one was asked for by name; before them, why a file has none.
///
/// A component that is asked for by name and is none is reported.
pub fn choreographies(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Component, Stop>> {
    let (mut found, mut stops) = (Vec::new(), Vec::new());
    for request in requests {
        let Some((kind, model)) = workspace.model(request, settings, run) else {
            continue;
        };
        let Model::Graphs(components, _) = model else {
            let (name, words) = (request.path.clone(), kind.words());
            let rejection = Rejection {
                code: no_choreography::CODE.code,
                message: format!("`{name}` is not a choreography: it is a {words}"),
            };
            stops.push(Stop::Rejected { name, rejection });
            continue;
        };
        let (mut skipped, mut names) = (Vec::new(), Vec::new());
        let before = found.len();
        for component in components {
            let stg = component.stg.as_ref().ok();
            match stg.and_then(|stg| no_choreography::diagnostic(stg, &workspace.terms)) {
                Some(finding) => {
                    skipped.push(finding);
                    names.push(component.name);
                }
                None => found.push(component),
            }
        }
        if found.len() == before {
            run.findings.append(&mut skipped);
        } else if !names.is_empty() {
            let names = names.join(", ");
            run.semantics.notes.push(format!(
                "left out, because they are not choreographies: {names}"
            ));
        }
    }
    if has_errors(&run.findings) {
        found.clear();
    }
    for component in &found {
        component.remark(run);
    }
    let stops = stops.into_iter().map(Err);
    stops.chain(found.into_iter().map(Ok)).collect()
}
