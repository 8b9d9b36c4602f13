//! Many sessions of a graph as a system, up to their order.

use choros_base::has_errors;
use choros_codes::diagnostics::{endless_data, no_such_parameter};
use choros_data::{TermKind, Terms, Value, Var};
use choros_model::lts::{Identities, OpenData, SessionsSystem, is_only_passed_on};
use choros_model::stg::{SessionCount, Sessions, Stg, Told};
use choros_query::socl::{Argument, Formula, NodeKind};
use choros_report::answers::{RunNotes, Stop};
use rustc_hash::FxHashMap;

use super::formulas::VerifyRequest;
use crate::{Component, Model, SessionsAs, Settings, Workspace};

/// Many sessions of a graph, with their own copy of the names.
pub struct HeldSessions {
    /// What one of them does.
    pub stg: Stg,
    component: Component,
    pub(super) terms: Box<Terms>,
    pub(super) sessions: Sessions,
    pub(super) count: u32,
    domains: FxHashMap<Var, Vec<Value>>,
    initial: Vec<(Var, Value)>,
    /// Whether questions are about identities.
    pub(super) names_identities: bool,
    /// Whether runs show identities.
    pub(super) shows_identities: bool,
}

/// One of many sessions, as a question about any number of them needs it.
pub struct OneSession {
    pub stg: Stg,
    pub sessions: Sessions,
    /// The first values of what they share.
    pub initial: Vec<(Var, Value)>,
}

/// One session of the model of a question, where it is a model of sessions.
pub fn one_session(
    workspace: &mut Workspace<'_>,
    asked: &VerifyRequest,
    settings: &Settings,
) -> Option<OneSession> {
    let alone = settings.with_sessions_as(SessionsAs::One);
    // What is wrong with it is said when the question is asked.
    let mut aside = settings.run();
    let known = asked.partners.is_empty() && !asked.model.is_gchor() && !asked.model.is_process();
    if !known {
        return None;
    }
    let (_, model) = workspace.model(&asked.model, &alone, &mut aside)?;
    let Model::Graphs(components, _) = model else {
        return None;
    };
    let [component] = &components[..] else {
        return None;
    };
    let (sessions, stg) = (component.sessions.clone()?, component.stg.clone().ok()?);
    let initial = initial(&stg, &sessions, settings, workspace);
    Some(OneSession {
        stg,
        sessions,
        initial,
    })
}

/// What sessions of a component are unfolded as.
pub(super) enum SeatedSessions {
    System(Box<HeldSessions>),
    /// Their data are not known; this is all of them in one graph.
    Graph(Stg),
}

/// The system of the sessions of a component; one graph of all where their data have no end.
pub(super) fn seated(
    component: Component,
    workspace: &mut Workspace<'_>,
    asked: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<SeatedSessions, Stop> {
    component.remark(run);
    let stg = component.require_graph(settings, run)?.clone();
    let sessions = component.sessions.clone();
    if let Some(sessions) = sessions
        && let SessionCount::Exactly(count) = sessions.count
    {
        let held = HeldSessions {
            initial: initial(&stg, &sessions, settings, workspace),
            domains: workspace.domains(&stg, &asked.domains, &mut run.findings),
            terms: Box::new(workspace.terms.clone()),
            stg,
            component,
            sessions,
            count,
            names_identities: false,
            shows_identities: false,
        };
        if has_errors(&run.findings) {
            return Err(Stop::Mistakes);
        }
        match held.system() {
            Ok(_) => return Ok(SeatedSessions::System(Box::new(held))),
            Err(open) if !asked.domains.is_empty() => {
                run.findings
                    .push(endless_data::diagnostic(held.stg.name(), &open));
                return Err(Stop::Mistakes);
            }
            Err(_) => {
                return Ok(SeatedSessions::Graph(
                    held.together(workspace, settings, run)?,
                ));
            }
        }
    }
    let joint = workspace.together(component, Told::Never, settings, run)?;
    Ok(SeatedSessions::Graph(joint.built(settings, run)?))
}

impl HeldSessions {
    /// All of them in one graph, for questions that need one.
    pub fn together(
        self,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Stg, Stop> {
        let joint = workspace.together(self.component, Told::Never, settings, run)?;
        joint.built(settings, run)
    }

    /// The system, unless its data have no end.
    pub(super) fn system(&self) -> Result<SessionsSystem<'_>, OpenData> {
        let identities = match &self.sessions.identity {
            None => Identities::Free,
            Some(_) if self.shows_identities => Identities::Numbered,
            Some(_)
                if !self.names_identities
                    && is_only_passed_on(&self.stg, &self.sessions, &self.terms) =>
            {
                Identities::Open
            }
            Some(_) if self.sessions.distinct => Identities::Numbered,
            Some(_) => Identities::Free,
        };
        let sessions = (&self.sessions, self.count);
        let domains = self.domains.clone();
        SessionsSystem::new(
            &self.stg,
            &self.terms,
            domains,
            sessions,
            &self.initial,
            identities,
        )
    }
}

/// The first values of what sessions share, as far as they are given.
fn initial(
    stg: &Stg,
    sessions: &Sessions,
    settings: &Settings,
    workspace: &mut Workspace<'_>,
) -> Vec<(Var, Value)> {
    let mut found = Vec::new();
    for variable in sessions.shared_variables(stg, &workspace.terms) {
        let name = workspace.terms.variable_text(variable).to_owned();
        let given = settings.parameters.iter().rev().find(|it| it.0 == name);
        let Some((_, text)) = given.cloned() else {
            continue;
        };
        let (sort, source) = (
            workspace.terms.variable_sort(variable),
            no_such_parameter::source_of(&name),
        );
        let (terms, sources) = (&mut workspace.terms, &mut workspace.sources);
        let term = choros_data::read_term(terms, sources, &source, &text, &[], Some(sort));
        if let Ok(term) = term
            && let TermKind::Constant(value) = terms.kind(term)
        {
            found.push((variable, value.clone()));
        }
    }
    found
}

/// Whether a formula looks at what messages carry.
pub(super) fn names_data(formula: &Formula) -> bool {
    let names = |it: &Argument| *it != Argument::Any;
    formula.nodes().any(|(_, node)| {
        let mut actions = node.kind.binding_actions().into_iter().collect::<Vec<_>>();
        if let NodeKind::Until(until) = &node.kind {
            actions.push(&until.steps);
        }
        let mut atoms = actions.into_iter().flat_map(|it| it.atoms());
        atoms.any(|atom| atom.arguments.iter().any(names) || !atom.conditions.is_empty())
    })
}
