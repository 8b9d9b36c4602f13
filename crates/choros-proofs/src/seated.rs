//! One of many sessions, where it is enough to examine one.

use choros_base::Budget;
use choros_conform::{Conformance, Setup};
use choros_data::Terms;
use choros_many::{SessionsConformance, conformance_of_sessions, independence};
use choros_model::stg::{Sessions, Stg, Told};
use choros_report::answers::{RunNotes, Stop, one_is_like_all, one_stands, together};
use choros_smt::Solver;
use choros_workspace::{Component, Settings, Workspace};

/// What one of many sessions says of all, where it does; a role is compared with all of them.
pub(crate) fn pair_for_all<'a>(
    both: (&'a Stg, &'a Stg),
    sessions: &Sessions,
    role: Option<&str>,
    setup: &Setup,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
    run: &mut RunNotes,
) -> Result<Option<Conformance<'a>>, Stop> {
    let name = sessions.name(both.0.name());
    let found = match role {
        Some(_) => Ok(SessionsConformance::Together(
            "a role is compared".to_owned(),
        )),
        None => conformance_of_sessions(both, sessions, setup, terms, solver, budget),
    };
    match found.map_err(|error| Stop::World(error.to_string()))? {
        SessionsConformance::Any(found) => {
            run.note(one_stands(&name, sessions));
            Ok(Some(*found))
        }
        SessionsConformance::Together(reason) => {
            together(&name, sessions, &reason, run)?;
            Ok(None)
        }
    }
}

/// The graph in which all sessions of a component can do what they can: that of one, or of all where they share data.
pub fn seated(
    mut component: Component,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Component, Stop> {
    let (Some(sessions), Ok(one)) = (component.sessions.clone(), &component.stg) else {
        return Ok(component);
    };
    let found = independence(one, &sessions, &workspace.terms);
    if let Some(reason) = found.data() {
        together(&component.name, &sessions, &reason, run)?;
        return workspace.together(component, Told::Never, settings, run);
    }
    run.note(one_is_like_all(&component.name));
    component.stg = Ok(one.clone().renamed(&component.name));
    component.sessions = None;
    Ok(component)
}
