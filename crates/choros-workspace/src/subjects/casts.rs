//! Roles that are put together: of choreographies, of components, of machines.

use choros_codes::diagnostics::{no_roles, unknown_fault_name};
use choros_model::cfsm::Cfsm;
use choros_model::stg::{Direction, Disturbance, Event, Role, Stg};
use choros_realize::faults::Cast;
use choros_realize::{AnalysisStop, Closing, no_choreography};
use choros_report::Rejection;
use choros_report::answers::{RunNotes, Stop};

use super::gchor_machines;
use crate::{Component, FaultChoice, Model, Request, Settings, Workspace};

/// The roles of a file: of each choreography its own, of other components all together, as far as each is one role.
pub fn casts(
    workspace: &mut Workspace<'_>,
    request: &Request,
    closing: Option<&Closing>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Cast, Stop>> {
    let Some((kind, model)) = workspace.model(request, settings, run) else {
        return vec![Err(Stop::Mistakes)];
    };
    let path = &request.path;
    match model {
        Model::Graphs(components, _) => {
            of_components(workspace, path, components, closing, settings, run)
        }
        Model::Machines(machines) => vec![Ok(of_machines(workspace, path, &machines))],
        Model::Gchor(gchor) => vec![match gchor_machines(request, &gchor, settings) {
            Ok(machines) => Ok(of_machines(workspace, path, &machines)),
            Err(finding) => {
                run.findings.push(*finding);
                Err(Stop::Mistakes)
            }
        }],
        Model::System(_) | Model::Service(_) => vec![Err(no_cast(path, kind.words()))],
    }
}

/// Components of an implementation as roles, which are to do what a specification says.
pub fn cast_of(
    components: Vec<Stg>,
    allowed: Stg,
    workspace: &Workspace<'_>,
) -> Result<Cast, Stop> {
    let names: Vec<&str> = components.iter().map(Stg::name).collect();
    let name = names.join("+");
    let mut roles = Vec::new();
    for stg in components {
        match only_role(&stg) {
            Some(role) => roles.push((role, stg)),
            None => return Err(no_cast(stg.name(), "graph of several roles")),
        }
    }
    let terms = &workspace.terms;
    if allowed
        .messages()
        .any(|it| it.direction != Direction::Interaction)
        && no_choreography::diagnostic(&allowed, terms).is_some()
    {
        return Err(no_cast(allowed.name(), "graph of one role"));
    }
    Ok(Cast {
        name,
        roles,
        allowed: Some(allowed),
    })
}

/// Whether all messages and roles that the question names exist.
pub(super) fn fits(
    cast: &Cast,
    workspace: &Workspace<'_>,
    settings: &Settings,
) -> Result<(), Stop> {
    let Some(FaultChoice::These(model)) = settings.faults.as_ref().map(|it| &it.choice) else {
        return Ok(());
    };
    cast.fits(model, &workspace.terms)
        .map_err(|mistake| Stop::Rejected {
            name: cast.name.clone(),
            rejection: Rejection {
                code: unknown_fault_name::CODE.code,
                message: unknown_fault_name::message(&cast.name, &mistake.to_string()),
            },
        })
}

fn no_cast(name: &str, words: &str) -> Stop {
    Stop::Rejected {
        name: name.to_owned(),
        rejection: Rejection {
            code: no_roles::CODE.code,
            message: no_roles::message(name, words),
        },
    }
}

fn of_components(
    workspace: &mut Workspace<'_>,
    path: &str,
    components: Vec<Component>,
    closing: Option<&Closing>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Vec<Result<Cast, Stop>> {
    let (mut found, mut roles, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for component in components {
        let services = component.services.clone();
        workspace.terms.notation = component.notation;
        let name = component.name.clone();
        let stg = match component.graph(settings, run) {
            Ok(stg) => stg,
            Err(stop) => {
                found.push(Err(stop));
                continue;
            }
        };
        if no_choreography::diagnostic(&stg, &workspace.terms).is_some() {
            match only_role(&stg) {
                Some(role) if !roles.iter().any(|it: &(Role, Stg)| it.0 == role) => {
                    roles.push((role, stg));
                }
                _ => left_out.push(name),
            }
            continue;
        }
        let services = services
            .iter()
            .map(|it| Role(workspace.terms.names.intern(it)));
        let declared = Closing::Alone {
            services: services.collect(),
        };
        let mut solver = settings.solver();
        let cast = Cast::of_choreography(
            &stg,
            closing.unwrap_or(&declared),
            &mut workspace.terms,
            &mut solver,
            &settings.until_cancelled(),
        );
        found.push(cast.map_err(|stopped| stop(stopped, name, run)));
    }
    if found.is_empty() && roles.len() > 1 {
        found.push(Ok(Cast {
            name: path.to_owned(),
            roles,
            allowed: None,
        }));
    } else {
        let names = roles.iter().map(|it| it.1.name().to_owned());
        left_out.extend(names);
    }
    if found.is_empty() {
        found.push(Err(no_cast(
            path,
            "graph without roles that talk to each other",
        )));
    } else if !left_out.is_empty() {
        let names = left_out.join(", ");
        run.note(format!(
            "left out, because they are not choreographies: {names}"
        ));
    }
    found
}

fn of_machines(workspace: &mut Workspace<'_>, path: &str, machines: &[Cfsm]) -> Cast {
    let terms = &mut workspace.terms;
    let roles = machines
        .iter()
        .map(|it| (Role(it.participant()), it.graph(terms)));
    Cast {
        name: path.to_owned(),
        roles: roles.collect(),
        allowed: None,
    }
}

/// The role whose halves of messages a graph has; `None` if it has those of several, or interactions.
fn only_role(stg: &Stg) -> Option<Role> {
    let mut found: Option<Role> = None;
    for edge in stg.edges() {
        let role = match &edge.event {
            Event::Message(message) => match message.direction {
                Direction::Send => message.from,
                Direction::Receive => message.to,
                Direction::Interaction => return None,
            },
            Event::Disturbance(Disturbance::Noticed { by, .. }) => *by,
            _ => continue,
        };
        if found.is_some_and(|it| it != role) {
            return None;
        }
        found = Some(role);
    }
    found
}

/// Why an analysis ended without an answer.
pub(super) fn stop(stopped: AnalysisStop, name: String, run: &mut RunNotes) -> Stop {
    match stopped {
        AnalysisStop::Solver(error) => Stop::World(error.to_string()),
        AnalysisStop::Spent(spent) => Stop::Unsettled {
            name,
            reason: spent.to_string(),
        },
        AnalysisStop::Unfit(found) => {
            run.findings.push(*found);
            Stop::Mistakes
        }
    }
}
