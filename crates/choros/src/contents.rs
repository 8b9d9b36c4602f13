//! What a file holds, whatever its language.

use choros_base::{Diagnostic, FileId};
use choros_data::Terms;
use choros_lang::ast::Command;
use choros_lang::{Lowered, NoGraph};
use choros_model::cfsm::Cfsm;
use choros_model::gchor::Gchor;
use choros_model::interface::Interface;
use choros_model::lts::ExplicitLts;
use choros_model::stg::{ProductNote, Stg};
use choros_report::Rejection;
use choros_report::answers::{Run, Stop};

use crate::Settings;
use crate::diagnostics::{mistakes, state_bound, unmatched_message};
use crate::service::Service;

/// The models of one file.
pub enum Model {
    /// Graphs, and the commands of a script.
    Graphs(Vec<Component>, Vec<Command>),
    /// A system of states.
    System(Box<ExplicitLts>),
    /// Machines that talk to each other.
    Machines(Vec<Cfsm>),
    /// A g-choreography.
    Gchor(Box<Gchor>),
    /// A term of services, unfolded step by step.
    Service(Box<Service>),
}

/// One graph of a file.
pub struct Component {
    /// Its name.
    pub name: String,
    /// The graph, or why there is none.
    pub stg: Result<Stg, NoGraph>,
    /// The operations of an orchestration, where its language declares them.
    pub interface: Option<Box<Interface>>,
    /// Remarks on how it is to be read.
    pub remarks: Vec<String>,
}

impl Component {
    /// A graph that is all there is.
    pub(crate) fn of(stg: Stg) -> Component {
        Component {
            name: stg.name().to_owned(),
            stg: Ok(stg),
            interface: None,
            remarks: Vec::new(),
        }
    }

    /// The graph, and what is to be said of how it is read.
    pub(crate) fn graph(self, settings: &Settings, run: &mut Run) -> Result<Stg, Stop> {
        for remark in &self.remarks {
            run.note(format!("`{}`: {remark}", self.name));
        }
        match self.stg {
            Ok(stg) => Ok(stg),
            Err(NoGraph::Mistakes) => {
                let rejection = Rejection {
                    code: mistakes::CODE.code,
                    message: mistakes::message(&self.name),
                };
                let name = self.name;
                Err(Stop::Rejected { name, rejection })
            }
            Err(NoGraph::Spent(spent)) => {
                let found = state_bound::diagnostic(&self.name, spent);
                run.findings.push(found);
                Err(settings.cut(self.name))
            }
        }
    }
}

/// What a file holds, what is wrong with it, and the names of all its components; those other than `wanted` are not
/// built when only one is asked for.
pub(crate) type Read = (Model, Vec<Diagnostic>, Vec<String>);

/// Reads a SChorA script.
pub(crate) fn read_script(
    file: FileId,
    text: &str,
    wanted: Option<&str>,
    settings: &Settings,
    terms: &mut Terms,
) -> Read {
    let (script, diagnostics) = choros_lang::read(file, text, terms);
    let mut components = Components::new(wanted, diagnostics);
    for id in script.ids() {
        let name = script.name(id, terms).to_owned();
        components.add(name, settings, || {
            script.lower(id, terms, &settings.states())
        });
    }
    components.finish(script.commands().to_vec())
}

/// Reads a file in the native language.
pub(crate) fn read_chor(
    file: FileId,
    text: &str,
    wanted: Option<&str>,
    settings: &Settings,
    terms: &mut Terms,
) -> Read {
    let (model, diagnostics) = choros_lang::chor::read(file, text, terms);
    let mut components = Components::new(wanted, diagnostics);
    for id in model.ids() {
        let name = model.name(id, terms).to_owned();
        components.add(name, settings, || {
            model.lower(id, terms, &settings.states())
        });
    }
    components.finish(Vec::new())
}

/// Reads a file in Chor; an activity without a name is called `name`.
pub(crate) fn read_pact(
    file: FileId,
    text: &str,
    name: &str,
    wanted: Option<&str>,
    settings: &Settings,
    terms: &mut Terms,
) -> Read {
    let (script, diagnostics) = choros_lang::pact::read(file, text, name, terms);
    let mut components = Components::new(wanted, diagnostics);
    for id in script.ids() {
        let name = script.name(id, terms).to_owned();
        components.add(name, settings, || {
            script.lower(id, terms, &settings.states())
        });
    }
    components.finish(Vec::new())
}

/// Collects components and the remarks on them.
struct Components<'w> {
    wanted: Option<&'w str>,
    names: Vec<String>,
    found: Vec<Component>,
    diagnostics: Vec<Diagnostic>,
}

impl<'w> Components<'w> {
    fn new(wanted: Option<&'w str>, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            wanted,
            names: Vec::new(),
            found: Vec::new(),
            diagnostics,
        }
    }

    fn add(
        &mut self,
        name: String,
        settings: &Settings,
        lower: impl FnOnce() -> Result<Lowered, NoGraph>,
    ) {
        // A name that is declared twice is reported, and the first one counts.
        if self.names.contains(&name) {
            return;
        }
        self.names.push(name.clone());
        if self.wanted.is_some_and(|wanted| wanted != name) {
            return;
        }
        settings.progress.show(format!("building `{name}`"));
        let mut remarks = Vec::new();
        let stg = lower().map(|lowered| {
            for note in &lowered.notes {
                match note {
                    ProductNote::MixedEndings { .. } => remarks.push(note.to_string()),
                    ProductNote::Misfit { .. } | ProductNote::Partnerless { .. } => {
                        let diagnostic = unmatched_message::diagnostic(&name, note);
                        self.diagnostics.push(diagnostic);
                    }
                }
            }
            lowered.stg
        });
        self.found.push(Component {
            name,
            stg,
            interface: None,
            remarks,
        });
    }

    fn finish(self, commands: Vec<Command>) -> Read {
        let model = Model::Graphs(self.found, commands);
        (model, self.diagnostics, self.names)
    }
}
