//! Models of several sessions: one graph of all, or the graph of one.

use choros_base::{Diagnostic, has_errors, nearest};
use choros_codes::diagnostics::{no_joint_graph, no_such_session_name};
use choros_lang::NoGraph;
use choros_model::stg::{
    NoCopies, SessionCount, Sessions, Stg, Told, parts_side_by_side, side_by_side,
};
use choros_report::answers::{RunNotes, Stop};

use super::Workspace;
use crate::settings::SessionsAs;
use crate::{Component, Settings};

impl Workspace<'_> {
    /// Gives components the sessions that are asked for, and puts them side by side where that is wanted.
    pub(super) fn seat_sessions(
        &mut self,
        components: &mut [Component],
        settings: &Settings,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for component in components.iter_mut() {
            if let Some(asked) = &settings.sessions {
                component.name = asked.name(&component.name);
                component.sessions = Some(asked.clone());
            }
        }
        if let Some(found) = self.unknown_name(components) {
            diagnostics.push(found);
            return;
        }
        if let SessionsAs::Together(told) = settings.sessions_as {
            for component in components {
                self.put_together(component, told, settings, diagnostics);
            }
        }
    }

    /// The component of all sessions, with the values of parameters that they share.
    pub fn together(
        &mut self,
        mut component: Component,
        told: Told,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Component, Stop> {
        let shared = component.sessions.clone().map(|it| it.shared);
        let found = run.findings.len();
        self.put_together(&mut component, told, settings, &mut run.findings);
        let shared = shared.unwrap_or_default();
        let mut own = settings.clone();
        own.parameters.retain(|(name, _)| shared.contains(name));
        let one = std::slice::from_mut(&mut component);
        self.fix_parameters(one, &own, &mut run.findings);
        if run.findings.len() > found {
            return Err(Stop::Mistakes);
        }
        Ok(component)
    }

    /// The part of a role in all sessions of a component, from its part in one.
    pub fn parts_together(
        &mut self,
        component: &Component,
        part: &Stg,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Stg, Stop> {
        let (Some(sessions), Ok(one)) = (&component.sessions, &component.stg) else {
            return Ok(part.clone());
        };
        let part = part.clone().renamed(one.name());
        let budget = settings.states();
        let all = parts_side_by_side(&part, one, sessions, &budget, &mut self.terms);
        let mut component = component.clone();
        component.stg = no_copies(all, &component.name, &mut run.findings);
        if component.stg.is_err() && has_errors(&run.findings) {
            return Err(Stop::Mistakes);
        }
        component.built(settings, run)
    }

    /// Replaces the graph of one session by that of all.
    fn put_together(
        &mut self,
        component: &mut Component,
        told: Told,
        settings: &Settings,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let (Some(sessions), Ok(one)) = (component.sessions.take(), &component.stg) else {
            return;
        };
        if told == Told::ByRoles
            && let SessionCount::Exactly(count) = sessions.count
        {
            let services = component.services.iter();
            let numbered =
                |it: &String| (1..=count).map(|number| format!("{it}_{number}")).collect();
            component.services = services.flat_map::<Vec<String>, _>(numbered).collect();
        }
        let budget = settings.states();
        component.diagram = None;
        let all = side_by_side(one, &sessions, told, &budget, &mut self.terms);
        let all = all.map(|it| it.renamed(component.name.clone()));
        component.stg = no_copies(all, &component.name, diagnostics);
    }

    /// A field or variable that sessions are said to have, and that no component has.
    fn unknown_name(&self, components: &[Component]) -> Option<Diagnostic> {
        for component in components {
            let (Some(sessions), Ok(stg)) = (&component.sessions, &component.stg) else {
                continue;
            };
            if let Some(identity) = &sessions.identity
                && !(stg.messages()).any(|it| sessions.identity_of(it, &self.terms).is_some())
                && stg.messages().next().is_some()
            {
                let fields = stg.messages().flat_map(|it| &it.fields);
                let labels = fields
                    .filter_map(|it| it.label)
                    .map(|it| self.terms.names.text(it));
                let similar = nearest(identity, labels);
                return Some(no_such_session_name::field(
                    &component.name,
                    identity,
                    similar,
                ));
            }
            let variables = stg.variables(&self.terms);
            let names = || variables.iter().map(|&it| self.terms.variable_text(it));
            let missing = sessions
                .shared
                .iter()
                .find(|&it| !names().any(|name| name == it));
            if let Some(missing) = missing {
                let similar = nearest(missing, names());
                return Some(no_such_session_name::variable(
                    &component.name,
                    missing,
                    similar,
                ));
            }
        }
        None
    }
}

/// Whether a parameter gets its value when all sessions are together.
pub(super) fn is_for_all(sessions: &Option<Sessions>, parameter: &str) -> bool {
    let shared = sessions.iter().flat_map(|it| &it.shared);
    shared.into_iter().any(|it| it == parameter)
}

/// The graph of all sessions, or what is to be said of that there is none.
fn no_copies(
    all: Result<Stg, NoCopies>,
    name: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Stg, NoGraph> {
    all.map_err(|reason| match reason {
        NoCopies::Spent(spent) => NoGraph::Spent(spent),
        NoCopies::AnyNumber => {
            diagnostics.push(no_joint_graph::any_number(name));
            NoGraph::Mistakes
        }
        NoCopies::Timed => {
            diagnostics.push(no_joint_graph::timed(name));
            NoGraph::Mistakes
        }
    })
}
