//! What a file holds, whatever its language.

use std::collections::BTreeSet;

use choros_base::Name;
use choros_cows::Program;
use choros_data::{Notation, Terms};
use choros_lang::NoGraph;
use choros_lang::ast::Command;
use choros_model::cfsm::Cfsm;
use choros_model::diagram::Diagram;
use choros_model::gchor::Gchor;
use choros_model::interface::Interface;
use choros_model::lts::ExplicitLts;
use choros_model::stg::{Sessions, Stg};
use choros_report::Rejection;
use choros_report::answers::{RunNotes, Stop};

use crate::Settings;
use crate::service::Service;
use choros_codes::diagnostics::{mistakes, state_bound};

/// The models of one file.
#[derive(Clone)]
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

impl Model {
    /// Its graphs, by component.
    pub fn graphs(&self) -> &[Component] {
        match self {
            Model::Graphs(components, _) => components,
            _ => &[],
        }
    }

    /// What participants do, where it holds communicating machines.
    pub fn machines(&self) -> &[Cfsm] {
        match self {
            Model::Machines(machines) => machines,
            _ => &[],
        }
    }

    /// The g-choreography.
    pub fn gchor(&self) -> Option<&Gchor> {
        match self {
            Model::Gchor(gchor) => Some(gchor),
            _ => None,
        }
    }

    /// The system of states that it lists.
    pub fn lts(&self) -> Option<&ExplicitLts> {
        match self {
            Model::System(system) => Some(system),
            _ => None,
        }
    }

    /// Whether anything is said in it, in whichever language; what could not be read may say something.
    pub fn has_messages(&self) -> bool {
        match self {
            Model::Graphs(components, _) => {
                let mut graphs = components.iter().map(|it| &it.stg);
                let speaks = |stg: &Result<Stg, NoGraph>| match stg {
                    Ok(stg) => stg.counts().messages > 0,
                    Err(_) => true,
                };
                components.is_empty() || graphs.any(speaks)
            }
            Model::System(system) => system.counts().transitions > 0,
            Model::Machines(machines) => machines.iter().any(|it| it.transition_count() > 0),
            Model::Gchor(gchor) => !gchor.interactions().is_empty(),
            Model::Service(service) => service.program.as_ref().is_none_or(Program::is_active),
        }
    }

    /// The operations that its language declares, of the only component.
    pub fn interface(&self) -> Option<&Interface> {
        match self.graphs() {
            [component] => component.interface.as_deref(),
            _ => None,
        }
    }

    /// Who takes part, by name.
    pub fn roles(&self, terms: &Terms) -> BTreeSet<String> {
        let text = |name: Name| terms.names.text(name).to_owned();
        let graphs = self.graphs().iter().filter_map(|it| it.stg.as_ref().ok());
        let of_graphs = graphs.flat_map(Stg::roles).map(|role| text(role.0));
        let of_machines = self.machines().iter().map(|it| text(it.participant()));
        let gchor = self.gchor().map(|it| it.roles().names().to_vec());
        let of_gchor = gchor.into_iter().flatten().map(text);
        of_graphs.chain(of_machines).chain(of_gchor).collect()
    }

    /// The names of its components.
    pub fn names(&self) -> Vec<String> {
        self.graphs().iter().map(|it| it.name.clone()).collect()
    }
}

/// One graph of a file.
#[derive(Clone)]
pub struct Component {
    /// What comes after `#` in a request.
    pub name: String,
    /// The graph, or why there is none.
    pub stg: Result<Stg, NoGraph>,
    /// The graph in which roles notice that others have crashed, where it has such steps; they are left out of `stg`,
    /// because without faults no one crashes.
    pub under_faults: Option<Box<Stg>>,
    /// The operations of an orchestration, where its language declares them.
    pub interface: Option<Box<Interface>>,
    /// The sequence diagram, where its language has the structure of one.
    pub diagram: Option<Box<Diagram>>,
    /// Roles that are declared as services.
    pub services: Vec<String>,
    /// Remarks on how it is to be read.
    pub remarks: Vec<String>,
    /// How its file writes messages.
    pub notation: Notation,
    /// How many sessions of the graph there are, where the graph is that of one.
    pub sessions: Option<Sessions>,
}

impl Component {
    /// A graph that is all there is.
    pub fn of(stg: Stg) -> Component {
        let name = stg.name().to_owned();
        Component::of_graph(name, Ok(stg))
    }

    /// A graph that is all there is, or why it could not be built.
    pub fn of_graph(name: String, stg: Result<Stg, NoGraph>) -> Component {
        Component {
            name,
            stg,
            under_faults: None,
            interface: None,
            diagram: None,
            services: Vec::new(),
            remarks: Vec::new(),
            notation: Notation::default(),
            sessions: None,
        }
    }

    /// The graph, and what is to be said of how it is read.
    pub fn graph(self, settings: &Settings, run: &mut RunNotes) -> Result<Stg, Stop> {
        self.remark(run);
        self.built(settings, run)
    }

    /// Says how it is read.
    pub fn remark(&self, run: &mut RunNotes) {
        for remark in &self.remarks {
            run.note(format!("`{}`: {remark}", self.name));
        }
    }

    /// The graph.
    pub fn built(self, settings: &Settings, run: &mut RunNotes) -> Result<Stg, Stop> {
        self.require_graph(settings, run)?;
        self.stg.map_err(|_| Stop::Mistakes)
    }

    /// The graph, of a component that is examined more than once.
    pub fn require_graph(&self, settings: &Settings, run: &mut RunNotes) -> Result<&Stg, Stop> {
        match &self.stg {
            Ok(stg) => Ok(stg),
            Err(NoGraph::Mistakes) => {
                let rejection = Rejection {
                    code: mistakes::CODE.code,
                    message: mistakes::message(&self.name),
                };
                let name = self.name.clone();
                Err(Stop::Rejected { name, rejection })
            }
            Err(NoGraph::Spent(spent)) => {
                let found = state_bound::diagnostic(&self.name, *spent);
                run.findings.push(found);
                Err(settings.cut(self.name.clone()))
            }
        }
    }
}
