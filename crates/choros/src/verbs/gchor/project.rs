//! What does each participant of a g-choreography do?

use choros_model::cfsm::{Cfsm, write_fsa};
use choros_report::answers::{ProjectedRole, Projections, RoleBehaviour, RunNotes, Stop};
use choros_report::{Block, GraphDrawing};
use choros_workspace::{gchor_machines, plain_block};

use super::load;
use crate::verbs::project::ProjectRequest;
use crate::verbs::realize::no_role;
use crate::{Picture, Settings, Workspace};

/// Projects a g-choreography on its participants, or on one of them.
pub(in crate::verbs) fn project(
    workspace: &mut Workspace<'_>,
    request: &ProjectRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Projections, Stop> {
    run.semantics.relation = Some("deterministic and minimal machines".to_owned());
    let gchor = load(workspace, &request.file, settings, run)?;
    let names = &workspace.terms.names;
    let mut machines = gchor_machines(&request.file, &gchor, settings).map_err(|finding| {
        run.findings.push(*finding);
        Stop::Mistakes
    })?;
    let name = |machine: &Cfsm| names.text(machine.participant()).to_owned();
    let known: Vec<String> = machines.iter().map(name).collect();
    if let Some(role) = request.role.as_ref().filter(|role| !known.contains(role)) {
        return Err(no_role(&request.file.path, role, &known, role.clone()));
    }
    machines.retain(|it| request.wants(names.text(it.participant())));
    let together = (request.picture == Picture::Fsa).then(|| Block::Picture {
        format: "fsa",
        text: write_fsa(&machines, names),
    });
    let roles = machines.into_iter().map(|machine| ProjectedRole {
        name: name(&machine),
        picture: match request.picture {
            Picture::Fsa => Vec::new(),
            other => {
                let drawing = GraphDrawing::of_machine(&machine, names);
                plain_block(drawing, "a machine", other, &mut run.findings)
            }
        },
        behaviour: RoleBehaviour::Machine(machine),
    });
    Ok(Projections {
        name: request.file.path.clone(),
        is_one_of_several: false,
        roles: roles.collect(),
        together,
    })
}
