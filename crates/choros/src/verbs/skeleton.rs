//! The program of a role.

#[cfg(feature = "network")]
use choros_bind::unusable_binding;
use choros_emit::{OutsideMessage, TargetLanguage};
use choros_model::stg::{Role, Stg};
use choros_realize::Memory;
use choros_report::Rejection;
use choros_report::answers::{Answered, RunNotes, Skeleton, Stop};
use choros_workspace::choreographies;

use super::project::ProjectRequest;
use super::realize::Judge;
use crate::diagnostics::{not_executable, which_component};
use crate::{Settings, Workspace};

/// Which programs are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkeletonRequest {
    /// Of which roles; what a role cannot know is left out, unless the projection is natural.
    pub projection: ProjectRequest,
    pub language: TargetLanguage,
    /// The binding that says how messages look outside.
    #[cfg(feature = "network")]
    pub binding: Option<String>,
}

/// Writes a program for each role of one choreography: what the model says is there, what it leaves open is a method to
/// fill in.
pub fn skeleton(
    workspace: &mut Workspace<'_>,
    request: &SkeletonRequest,
    settings: &Settings,
) -> Answered<Skeleton> {
    let mut asked = request.projection.clone();
    if asked.memory == Memory::Part {
        asked.memory = Memory::Knowable;
    }
    settings.answered(|run| {
        asked.describe(run);
        write(workspace, &asked, request, settings, run)
    })
}

fn write(
    workspace: &mut Workspace<'_>,
    asked: &ProjectRequest,
    request: &SkeletonRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Skeleton, Stop> {
    let files = std::slice::from_ref(&asked.file);
    let components = choreographies(workspace, files, settings, run);
    let components: Result<Vec<_>, Stop> = components.into_iter().collect();
    let mut components = components?;
    if components.len() > 1 {
        let names: Vec<String> = components.iter().map(|it| it.name.clone()).collect();
        let finding = which_component::diagnostic(&asked.file.path, &names);
        run.findings.push(finding);
        return Err(Stop::Mistakes);
    }
    let mut component = components.pop().ok_or(Stop::Mistakes)?;
    let services = std::mem::take(&mut component.services);
    let name = component.name.clone();
    let stg = component.built(settings, run);
    let stg = stg.map_err(Stop::without_question)?;
    let mut judge = Judge::new(workspace, settings, run);
    let found = judge.projections(&stg, &services, asked)?;
    let mut projections = judge.chosen(&found, &stg, asked, false)?;
    for role in &mut projections.roles {
        role.picture.clear();
    }
    let terms = &workspace.terms;
    let is_wanted = |role: Role| asked.wants(terms.names.text(role.0));
    let wanted: Vec<Role> = found
        .iter()
        .map(|it| it.role)
        .filter(|&it| is_wanted(it))
        .collect();
    let graphs: Vec<(Role, &Stg)> = found.iter().map(|it| (it.role, &it.stg)).collect();
    let is_wanted = |role: Role| wanted.contains(&role);
    let outside = outside(workspace, request, &graphs, run)?;
    let (terms, language) = (&mut workspace.terms, request.language);
    match choros_emit::skeleton(stg.name(), &graphs, is_wanted, language, &outside, terms) {
        Ok(files) => Ok(Skeleton { projections, files }),
        Err(reason) => {
            let rejection = Rejection {
                code: not_executable::CODE.code,
                message: not_executable::message(&name, &reason.reason, language.title()),
            };
            Err(Stop::Rejected { name, rejection })
        }
    }
}

/// How the messages look by the binding, if one is given.
#[cfg(feature = "network")]
fn outside(
    workspace: &mut Workspace<'_>,
    request: &SkeletonRequest,
    roles: &[(Role, &Stg)],
    run: &mut RunNotes,
) -> Result<Vec<OutsideMessage>, Stop> {
    let path = request.binding.as_deref();
    let (Some(path), Some(binding)) = (path, workspace.drive_binding(path, run)?) else {
        return Ok(Vec::new());
    };
    let outside = choros_drive::outside(roles, &binding, &workspace.terms);
    outside.map_err(|reason| run.mistake(unusable_binding::whole(path, &reason)))
}

#[cfg(not(feature = "network"))]
fn outside(
    _: &mut Workspace<'_>,
    _: &SkeletonRequest,
    _: &[(Role, &Stg)],
    _: &mut RunNotes,
) -> Result<Vec<OutsideMessage>, Stop> {
    Ok(Vec::new())
}
