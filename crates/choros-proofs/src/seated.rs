//! One of many sessions, where it is enough to examine one.

use choros_base::Budget;
use choros_conform::{Conformance, Setup};
use choros_data::Terms;
use choros_many::{SessionsConformance, conformance_of_sessions, independence};
use choros_model::stg::{Operation, Sessions, Stg, Told, told_apart};
use choros_report::answers::{
    RunNotes, Stop, one_disturbed, one_is_like_all, one_stands, together,
};
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
        SessionsConformance::Disturbed(found) => {
            run.note(one_disturbed(&name));
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

/// The sessions that a service serves at the same time.
pub struct Served {
    /// They are still to be put together: one was opened, because they share no data.
    one: Option<Component>,
    /// How they are distinguished, where each keeps its identity.
    by: Option<Sessions>,
}

impl Served {
    /// A component as its service sees it: one session, or all where they share data.
    pub fn of(
        component: Component,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<(Component, Served), Stop> {
        let (Some(sessions), Ok(one)) = (component.sessions.clone(), &component.stg) else {
            let (one, by) = (None, None);
            return Ok((component, Served { one, by }));
        };
        let found = independence(one, &sessions, &workspace.terms);
        let by = found.keeps_identity().then(|| sessions.clone());
        if let Some(reason) = found.data() {
            together(&component.name, &sessions, &reason, run)?;
            let all = workspace.together(component, Told::Never, settings, run)?;
            return Ok((all, Served { one: None, by }));
        }
        let one = Some(component.clone());
        Ok((component, Served { one, by }))
    }

    /// The service in all sessions, from what it does in that which was opened, and where its messages say to which
    /// session they belong.
    pub fn in_all(
        self,
        service: Stg,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<(Stg, Vec<(Operation, usize)>), Stop> {
        let all = match self.one {
            None => service,
            Some(one) => workspace.parts_together(&one, &service, settings, run)?,
        };
        let Some(sessions) = &self.by else {
            return Ok((all, Vec::new()));
        };
        let terms = &mut workspace.terms;
        let mut places: Vec<(Operation, usize)> = Vec::new();
        for message in all.messages() {
            let operation = message.operation;
            if let Some(place) = sessions.identity_at(message, terms)
                && !places.contains(&(operation, place))
            {
                places.push((operation, place));
            }
        }
        if sessions.distinct {
            return Ok((told_apart(&all, sessions, terms), places));
        }
        Ok((all, places))
    }
}
