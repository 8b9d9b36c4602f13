//! The program of a role.

use choros_emit::{FileSet, Language};
use choros_model::stg::{Role, Stg};
use choros_realize::Projection;
use choros_report::{Block, NamedResult, Rejection, Report, Sizes, Stats};

use super::no_graph::no_graph;
use super::project::{Memory, Projected, Projecting, describe, no_role};
use super::realize::{Judge, choreographies, stop};
use crate::diagnostics::{not_executable, which_component};
use crate::{Request, Settings, Workspace};

/// Writes a program for each role of one choreography: what the model says is there, what it leaves open is a method to
/// fill in.
///
/// The files are shown in the report as well, for those who do not write them to a folder.
pub fn skeleton(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Projecting,
    language: Language,
    settings: &Settings,
) -> (Report, FileSet) {
    let mut report = settings.report("project");
    let memory = match asked.memory {
        Memory::Natural => Memory::Natural,
        Memory::Part | Memory::Knowable => Memory::Knowable,
    };
    let asked = &Projecting {
        memory,
        ..asked.clone()
    };
    describe(asked, &mut report);
    let files = write(workspace, request, asked, language, settings, &mut report);
    report.interrupted = settings.is_cancelled();
    (report, files.unwrap_or_default())
}

fn write(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Projecting,
    language: Language,
    settings: &Settings,
    report: &mut Report,
) -> Option<FileSet> {
    let components = choreographies(workspace, std::slice::from_ref(request), settings, report);
    let component = match &components[..] {
        [only] => only,
        [] => return None,
        several => {
            let names: Vec<String> = several.iter().map(|it| it.name.clone()).collect();
            let finding = which_component::diagnostic(&request.path, &names);
            report.diagnostics.push(finding);
            return None;
        }
    };
    let stg = match &component.stg {
        Ok(stg) => stg,
        Err(reason) => {
            let outcome = no_graph(component, reason, report);
            report.outcomes.push(outcome);
            return None;
        }
    };
    let mut solver = settings.solver();
    let mut judge = Judge {
        workspace: &mut *workspace,
        settings,
        solver: &mut solver,
    };
    let projections = match judge.projections(stg, &component.services, asked, report) {
        Ok(Projected::Roles(projections)) => projections,
        Ok(Projected::NotMended(outcome)) => {
            report.outcomes.push(*outcome);
            return None;
        }
        Err(stopped) => {
            stop(stopped, stg.name(), report);
            return None;
        }
    };
    let name = |role: Role| workspace.terms.names.text(role.0).to_owned();
    if let Some(rejected) = no_role(&projections, stg, asked, name) {
        report.outcomes.push(rejected);
        return None;
    }
    let chosen: Vec<&Projection> = projections
        .iter()
        .filter(|it| {
            asked
                .role
                .as_ref()
                .is_none_or(|role| *role == name(it.role))
        })
        .collect();
    for projection in &chosen {
        report.outcomes.push(NamedResult {
            name: name(projection.role),
            sizes: Sizes {
                stats: Stats::of_graph(&projection.stg),
                complete: true,
            },
            ..NamedResult::default()
        });
    }
    let wanted: Vec<Role> = chosen.iter().map(|it| it.role).collect();
    let graphs: Vec<(Role, &Stg)> = projections.iter().map(|it| (it.role, &it.stg)).collect();
    let written = choros_emit::skeleton(
        stg.name(),
        &graphs,
        |role| wanted.contains(&role),
        language,
        &mut workspace.terms,
    );
    match written {
        Ok(files) => Some(files),
        Err(reason) => {
            report.outcomes = vec![NamedResult {
                name: component.name.clone(),
                rejected: Some(Rejection {
                    code: not_executable::CODE.code,
                    message: not_executable::message(
                        &component.name,
                        &reason.reason,
                        language.title(),
                    ),
                }),
                ..NamedResult::default()
            }];
            None
        }
    }
}

/// Shows the files of a set in a report, for those who name no folder.
pub fn show_files(files: &FileSet, report: &mut Report) {
    let blocks = files.iter().map(|(path, text)| Block::Picture {
        format: "code",
        text: format!("==> {path} <==\n{text}\n"),
    });
    let Some(last) = report.outcomes.last_mut() else {
        return;
    };
    last.blocks.extend(blocks);
}
