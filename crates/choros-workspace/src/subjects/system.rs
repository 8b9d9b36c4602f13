//! From a file to a system that formulas can be asked about.

use choros_base::{Diagnostic, Names, has_errors};
use choros_data::{Terms, Value, Var};
use choros_model::cfsm::{Cfsm, Discipline, System};
use choros_model::lts::{Lts, OpenData, ValuedGraph};
use choros_model::stg::Stg;
use choros_query::abstraction::{Rule, StateLabels, parse_rules};
use choros_report::LIMITED_DATA;
use choros_report::answers::{RunNotes, Stop};
use rustc_hash::FxHashMap;

use super::casts::casts;
use super::compared::composed;
use super::formulas::VerifyRequest;
use super::gchor_machines;
use super::sessions::{HeldSessions, SeatedSessions, seated};
use super::survival::disturbed;
use crate::{Component, Model, Request, Service, SessionsAs, Settings, Workspace};
use choros_codes::diagnostics::{endless_data, which_component};

/// What is asked about.
pub struct Subject {
    /// What it does.
    pub behaviour: Behaviour,
    pub(super) state_labels: StateLabels,
    /// The rules in the model itself.
    pub(super) own_rules: Option<Vec<Rule>>,
    /// Names of rules and formulas.
    pub(super) names: Names,
}

/// What a model does.
pub enum Behaviour {
    /// It can be unfolded as it is.
    System(Box<dyn Lts>),
    /// It is unfolded over what is held here.
    HeldModel(HeldModel),
}

/// Models whose systems borrow them, with their own copy of the names: answering needs the workspace.
pub enum HeldModel {
    /// Machines over channels.
    Machines(Vec<Cfsm>, Discipline, Box<Terms>),
    /// A graph, with the values that its data may have.
    Graph(Box<Stg>, Box<Terms>, FxHashMap<Var, Vec<Value>>),
    /// Many sessions of a graph.
    Sessions(Box<HeldSessions>),
}

impl Behaviour {
    /// The variables of a graph that keep it from being unfolded.
    pub(super) fn open_data(&self) -> Option<OpenData> {
        match self {
            Behaviour::HeldModel(HeldModel::Graph(stg, terms, domains)) => {
                ValuedGraph::new(stg, terms, domains.clone()).err()
            }
            _ => None,
        }
    }
}

impl HeldModel {
    /// What it does; a graph whose data have no end is refused.
    pub fn system(&self) -> Result<Box<dyn Lts + '_>, Box<Diagnostic>> {
        Ok(match self {
            HeldModel::Machines(machines, discipline, terms) => {
                Box::new(System::new(machines, *discipline, terms))
            }
            HeldModel::Sessions(held) => match held.system() {
                Ok(system) => Box::new(system),
                Err(open) => {
                    return Err(Box::new(endless_data::diagnostic(held.stg.name(), &open)));
                }
            },
            HeldModel::Graph(stg, terms, domains) => {
                let valued = ValuedGraph::new(stg, terms, domains.clone());
                Box::new(
                    valued.map_err(|open| Box::new(endless_data::diagnostic(stg.name(), &open)))?,
                )
            }
        })
    }

    /// How the answers are to be read.
    pub(super) fn note(&self) -> Option<&'static str> {
        let stg = match self {
            HeldModel::Graph(stg, ..) => stg,
            HeldModel::Sessions(held) => &held.stg,
            HeldModel::Machines(..) => return None,
        };
        let mut edges = stg.edges().iter();
        let is_limited = edges.any(|it| it.event.bound_variables().next().is_some());
        is_limited.then_some(LIMITED_DATA)
    }
}

impl Subject {
    /// Files of states, machines and graphs know no propositions and no rules.
    fn plain(behaviour: Behaviour) -> Subject {
        Subject {
            behaviour,
            state_labels: StateLabels::Steps,
            own_rules: None,
            names: Names::new(),
        }
    }
}

/// Opens the model.
pub fn open(
    workspace: &mut Workspace<'_>,
    asked: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Subject, Stop> {
    let request = &asked.model;
    if settings.faults.is_some() {
        let mut found = casts(workspace, request, None, settings, run);
        let cast = match found.pop() {
            Some(cast) if found.is_empty() => cast?,
            _ => return Err(which_cast(request)),
        };
        let bound = settings.discipline.bound as usize;
        let stg = disturbed(&cast, bound, workspace, settings, run)?;
        return of_graph(stg, workspace, asked, run);
    }
    if !asked.partners.is_empty() {
        let all: Vec<&Request> = [request].into_iter().chain(&asked.partners).collect();
        let stg = composed(workspace, &all, settings, run)?;
        return of_graph(stg, workspace, asked, run);
    }
    let alone = settings.with_sessions_as(SessionsAs::One);
    let loaded = workspace.model(request, &alone, run);
    let (_, model) = loaded.ok_or(Stop::Mistakes)?;
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    match model {
        Model::System(system) => Ok(Subject::plain(Behaviour::System(system))),
        Model::Service(service) => {
            let mut names = Names::new();
            let own_rules = own_rules(&service, &mut names, workspace, run);
            let system = service.system(settings).ok_or(Stop::Mistakes)?;
            if has_errors(&run.findings) {
                return Err(Stop::Mistakes);
            }
            Ok(Subject {
                behaviour: Behaviour::System(Box::new(system)),
                state_labels: StateLabels::Model,
                own_rules,
                names,
            })
        }
        Model::Machines(machines) => Ok(of_machines(machines, workspace, settings, run)),
        // What a g-choreography does is what its projections do together.
        Model::Gchor(gchor) => match gchor_machines(request, &gchor, settings) {
            Ok(machines) => Ok(of_machines(machines, workspace, settings, run)),
            Err(finding) => {
                run.findings.push(*finding);
                Err(Stop::Mistakes)
            }
        },
        Model::Graphs(components, _) => {
            let component = only_one(&request.path, components, run)?;
            if component.sessions.is_none() || asked.per_session {
                let stg = component.graph(settings, run)?;
                return of_graph(stg, workspace, asked, run);
            }
            match seated(component, workspace, asked, settings, run)? {
                SeatedSessions::System(held) => Ok(Subject::plain(Behaviour::HeldModel(
                    HeldModel::Sessions(held),
                ))),
                SeatedSessions::Graph(stg) => of_graph(stg, workspace, asked, run),
            }
        }
    }
}

/// Faults are about one choreography, or one system.
fn which_cast(request: &Request) -> Stop {
    let path = &request.path;
    Stop::World(format!(
        "`{path}` has several choreographies: name one, as in `{path}#NAME`"
    ))
}

fn of_graph(
    stg: Stg,
    workspace: &mut Workspace<'_>,
    asked: &VerifyRequest,
    run: &mut RunNotes,
) -> Result<Subject, Stop> {
    let domains = workspace.domains(&stg, &asked.domains, &mut run.findings);
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let terms = Box::new(workspace.terms.clone());
    let held = HeldModel::Graph(Box::new(stg), terms, domains);
    Ok(Subject::plain(Behaviour::HeldModel(held)))
}

fn of_machines(
    machines: Vec<Cfsm>,
    workspace: &Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Subject {
    run.semantics.channels = Some(settings.discipline.to_string());
    let bound = u64::from(settings.discipline.bound);
    run.semantics.bounds.insert("bound".to_owned(), bound);
    let terms = Box::new(workspace.terms.clone());
    let held = HeldModel::Machines(machines, settings.discipline, terms);
    Subject::plain(Behaviour::HeldModel(held))
}

/// The rules in the block `Abstractions { … }` of a term.
fn own_rules(
    service: &Service,
    names: &mut Names,
    workspace: &Workspace<'_>,
    run: &mut RunNotes,
) -> Option<Vec<Rule>> {
    let block = service.specification.abstractions.as_ref()?;
    let text = workspace.sources.file(block.span.file()).text().clone();
    let (rules, mut found) = parse_rules(block.span.file(), &text, block.span.range(), names);
    run.findings.append(&mut found);
    Some(rules)
}

fn only_one(path: &str, components: Vec<Component>, run: &mut RunNotes) -> Result<Component, Stop> {
    match <[Component; 1]>::try_from(components) {
        Ok([component]) => Ok(component),
        Err(components) => {
            let names: Vec<String> = components.into_iter().map(|it| it.name).collect();
            let found = which_component::diagnostic(path, &names);
            run.findings.push(found);
            Err(Stop::Mistakes)
        }
    }
}
