//! What does each role do?

use choros_base::{Diagnostic, nearest};
use choros_data::Terms;
use choros_model::stg::{Role, Stg};
use choros_realize::{Criterion, Mode, Projection, Stopped, knowable};
use choros_report::{Block, NamedResult, Rejection, Report, Sizes, Stats};

use super::draw::graph_block;
use super::no_graph::no_graph;
use super::realize::{Judge, Judged, Realizing, choreographies, stop, unknown};
use crate::diagnostics::{no_such_role, not_writable};
use crate::{Picture, Request, Settings, Workspace};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projecting {
    /// The role; all where none is named.
    pub role: Option<String>,
    /// How the services communicate.
    pub mode: Mode,
    /// What the messages have to meet that are added first (*smart* projection); none are where nothing is said.
    pub repair: Option<Realizing>,
    /// What a role does with what it knows.
    pub memory: Memory,
}

/// What a role does with what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// It keeps it: the part of the role, with values that it does not see as parameters.
    Part,
    /// It keeps it as far as it can, which is what a program does.
    Knowable,
    /// What it receives replaces it: the natural projection.
    Natural,
}

/// Projects a choreography on its roles.
pub fn project(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Projecting,
    picture: Picture,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("project");
    if super::gchor::is_gchor(request) {
        let role = asked.role.as_deref();
        super::gchor::project(workspace, request, role, picture, settings, &mut report);
        return report;
    }
    describe(asked, &mut report);
    let components = choreographies(
        workspace,
        std::slice::from_ref(request),
        settings,
        &mut report,
    );
    let several = components.len() > 1;
    let mut solver = settings.solver();
    for component in &components {
        let stg = match &component.stg {
            Ok(stg) => stg,
            Err(reason) => {
                let outcome = no_graph(component, reason, &mut report);
                report.outcomes.push(outcome);
                continue;
            }
        };
        let mut judge = Judge {
            workspace: &mut *workspace,
            settings,
            solver: &mut solver,
        };
        let projections = match judge.projections(stg, &component.services, asked, &mut report) {
            Ok(Projected::Roles(projections)) => projections,
            Ok(Projected::NotMended(outcome)) => {
                report.outcomes.push(*outcome);
                continue;
            }
            Err(stopped) => {
                stop(stopped, stg.name(), &mut report);
                if report.world_failed.is_some() {
                    return report;
                }
                continue;
            }
        };
        let outcomes = outcomes(
            &projections,
            stg,
            asked,
            picture,
            &mut workspace.terms,
            &mut report.diagnostics,
        );
        for mut outcome in outcomes {
            if several {
                outcome.name = format!("{}: {}", component.name, outcome.name);
            }
            report.outcomes.push(outcome);
        }
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// Says in the report what was asked.
pub(super) fn describe(asked: &Projecting, report: &mut Report) {
    let relation = match asked.memory {
        Memory::Natural => "natural projection",
        Memory::Part | Memory::Knowable => "projection of the runs",
    };
    let relation = match asked.repair {
        Some(_) => format!("{relation} after additions"),
        None => relation.to_owned(),
    };
    report.semantics.relation = Some(relation);
    report.semantics.channels = Some(asked.mode.words().to_owned());
}

/// What is said about a role that does not take part; `None` where it does.
pub(super) fn no_role(
    projections: &[Projection],
    stg: &Stg,
    asked: &Projecting,
    name: impl Fn(Role) -> String,
) -> Option<NamedResult> {
    let role = asked.role.as_ref()?;
    let names: Vec<String> = projections.iter().map(|it| name(it.role)).collect();
    if names.contains(role) {
        return None;
    }
    let similar = nearest(role, names.iter().map(String::as_str));
    Some(NamedResult {
        name: role.clone(),
        rejected: Some(Rejection {
            code: no_such_role::CODE.code,
            message: no_such_role::message(stg.name(), role, similar, &names),
        }),
        ..NamedResult::default()
    })
}

/// One outcome per projection that is asked for.
pub(super) fn outcomes(
    projections: &[Projection],
    stg: &Stg,
    asked: &Projecting,
    picture: Picture,
    terms: &mut Terms,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<NamedResult> {
    let name = |role: Role| terms.names.text(role.0).to_owned();
    if let Some(rejected) = no_role(projections, stg, asked, name) {
        return vec![rejected];
    }
    let chosen: Vec<(String, &Stg)> = projections
        .iter()
        .map(|projection| (name(projection.role), &projection.stg))
        .filter(|(name, _)| asked.role.as_ref().is_none_or(|role| role == name))
        .collect();
    let mut outcomes: Vec<NamedResult> = Vec::new();
    for (name, graph) in &chosen {
        outcomes.push(NamedResult {
            name: name.clone(),
            blocks: match picture {
                Picture::Chor => Vec::new(),
                other => graph_block(graph, terms, other, diagnostics),
            },
            sizes: Sizes {
                stats: Stats::of_graph(graph),
                complete: true,
            },
            ..NamedResult::default()
        });
    }
    // The roles of one file share its types, so they are written together.
    if picture == Picture::Chor
        && let Some(first) = outcomes.first_mut()
    {
        let graphs: Vec<&Stg> = chosen.iter().map(|(_, graph)| *graph).collect();
        match choros_lang::chor::write_graphs(&graphs, terms) {
            Ok(text) => first.blocks.push(Block::Picture {
                format: "chor",
                text,
            }),
            Err(reason) => diagnostics.push(not_writable::diagnostic(stg.name(), &reason.reason)),
        }
    }
    outcomes
}

/// What became of a choreography that was to be projected.
pub(super) enum Projected {
    /// Its roles.
    Roles(Vec<Projection>),
    /// Messages were to be added first, and none are known to do.
    NotMended(Box<NamedResult>),
}

impl Judge<'_, '_> {
    /// The projections, after additions where these are asked for.
    pub(super) fn projections(
        &mut self,
        stg: &Stg,
        services: &[String],
        asked: &Projecting,
        report: &mut Report,
    ) -> Result<Projected, Stopped> {
        let budget = self.settings.states();
        let graph = match &asked.repair {
            None => self.reachable(stg, report)?.0,
            Some(repair) => {
                let judged = self.judge(stg, services, repair, report)?;
                match not_mended(&judged, repair) {
                    Some(outcome) => return Ok(Projected::NotMended(Box::new(outcome))),
                    None => judged.repaired,
                }
            }
        };
        self.with_solver(report, |terms, solver| match asked.memory {
            Memory::Natural => choros_realize::project(&graph, asked.mode, terms, solver, &budget),
            Memory::Part | Memory::Knowable => {
                let parameters = graph.parameters(terms);
                let mut parts = Vec::new();
                for role in graph.roles() {
                    let part = choros_realize::part(&graph, role, terms, solver, &budget)?;
                    parts.push(match asked.memory {
                        Memory::Knowable => knowable(&part, &parameters, terms, solver, &budget)?,
                        _ => part,
                    });
                }
                Ok(parts)
            }
        })
        .map(Projected::Roles)
    }

    /// The part of a role that remembers.
    pub(super) fn part(
        &mut self,
        stg: &Stg,
        role: Role,
        report: &mut Report,
    ) -> Result<Projection, Stopped> {
        let budget = self.settings.states();
        let (graph, _) = self.reachable(stg, report)?;
        self.with_solver(report, |terms, solver| {
            choros_realize::part(&graph, role, terms, solver, &budget)
        })
    }
}

/// What is said where no additions are known to do what was asked; the conditions promise no behaviour.
fn not_mended(judged: &Judged, repair: &Realizing) -> Option<NamedResult> {
    let outcome = &judged.outcome;
    if outcome.rejected.is_some() {
        return Some(outcome.clone());
    }
    let found = outcome.realization.as_ref()?.repair.as_ref()?;
    if repair.criterion == Criterion::Conditions || found.verified == "yes" {
        return None;
    }
    Some(NamedResult {
        name: outcome.name.clone(),
        answer: Some(unknown(format!(
            "no additions are known with which the roles do what the choreography says: {}",
            found.verified_reason
        ))),
        ..NamedResult::default()
    })
}
