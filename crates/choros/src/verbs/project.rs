//! What does each role do?

use choros_lang::chor::write_graphs;
use choros_model::stg::Stg;
use choros_realize::{Memory, Projection};
use choros_report::Block;
use choros_report::answers::{
    Answered, Parts, ProjectedRole, Projections, RoleBehaviour, RunNotes, Stop,
};
use choros_workspace::{choreographies, graph_block};

use super::gchor;
use super::realize::{Judge, RealizeRules, no_role};
use crate::diagnostics::not_writable;
use crate::{Component, Picture, Request, Settings, Workspace};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectRequest {
    /// The choreography.
    pub file: Request,
    /// The role [default: all].
    pub role: Option<String>,
    /// Whether messages are added first (*smart* projection).
    pub repair: bool,
    /// How the services communicate, and what the messages that are added have to meet.
    pub rules: RealizeRules,
    /// What a role does with what it knows.
    pub memory: Memory,
    /// In which form roles are drawn.
    pub picture: Picture,
}

/// Projects a choreography on its roles.
pub fn project(
    workspace: &mut Workspace<'_>,
    request: &ProjectRequest,
    settings: &Settings,
) -> Answered<Parts<Projections>> {
    let mut run = settings.run();
    let mut parts = Vec::new();
    if request.file.is_gchor() {
        parts.push(gchor::project(workspace, request, settings, &mut run));
    } else {
        request.describe(&mut run);
        let files = std::slice::from_ref(&request.file);
        let components = choreographies(workspace, files, settings, &mut run);
        let several = components.iter().filter(|it| it.is_ok()).count() > 1;
        let mut judge = Judge::new(workspace, settings, &mut run);
        for component in components {
            let part = component.and_then(|it| judge.project(it, request, several));
            let failed = matches!(part, Err(Stop::World(_)));
            parts.push(part);
            if failed {
                break;
            }
        }
    }
    run.interrupted = settings.is_cancelled();
    Answered::new(Ok(Parts(parts)), run)
}

impl ProjectRequest {
    /// Says what was asked.
    pub(super) fn describe(&self, run: &mut RunNotes) {
        let relation = match self.memory {
            Memory::Natural => "natural projection",
            Memory::Part | Memory::Knowable => "projection of the runs",
        };
        run.semantics.relation = Some(if self.repair {
            format!("{relation} after additions")
        } else {
            relation.to_owned()
        });
        run.semantics.channels = Some(self.rules.mode.unwrap_or_default().words().to_owned());
    }

    /// Whether this role is asked for.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.role.as_ref().is_none_or(|role| role == name)
    }
}

impl Judge<'_, '_> {
    fn project(
        &mut self,
        mut component: Component,
        request: &ProjectRequest,
        several: bool,
    ) -> Result<Projections, Stop> {
        let services = std::mem::take(&mut component.services);
        self.workspace.terms.notation = component.notation;
        let stg = component.built(self.settings, self.run);
        let stg = stg.map_err(Stop::without_question)?;
        let found = self.projections(&stg, &services, request)?;
        self.chosen(&found, &stg, request, several)
    }

    /// The roles that are asked for, in the form that is asked for.
    pub(super) fn chosen(
        &mut self,
        found: &[Projection],
        stg: &Stg,
        request: &ProjectRequest,
        is_one_of_several: bool,
    ) -> Result<Projections, Stop> {
        let terms = &mut self.workspace.terms;
        let name = |it: &Projection| terms.names.text(it.role.0).to_owned();
        let known: Vec<String> = found.iter().map(name).collect();
        if let Some(role) = request.role.as_ref().filter(|role| !known.contains(role)) {
            let name = if is_one_of_several {
                format!("{}: {role}", stg.name())
            } else {
                role.clone()
            };
            return Err(no_role(stg.name(), role, &known, name));
        }
        let findings = &mut self.run.findings;
        let mut roles = Vec::new();
        let named = known.into_iter().zip(found);
        for (name, projection) in named.filter(|(name, _)| request.wants(name)) {
            let graph = &projection.stg;
            roles.push(ProjectedRole {
                name,
                behaviour: RoleBehaviour::Graph(graph.clone()),
                picture: match request.picture {
                    Picture::Chor => Vec::new(),
                    other => graph_block(graph, terms, other, findings),
                },
            });
        }
        // The roles of one file share its types, so they are written together.
        let mut together = None;
        if request.picture == Picture::Chor {
            let graphs = roles.iter().filter_map(|it| match &it.behaviour {
                RoleBehaviour::Graph(graph) => Some(graph),
                RoleBehaviour::Machine(_) => None,
            });
            let graphs: Vec<&Stg> = graphs.collect();
            match write_graphs(&graphs, terms) {
                Ok(text) => {
                    let format = "chor";
                    together = Some(Block::Picture { format, text });
                }
                Err(reason) => {
                    findings.push(not_writable::diagnostic(stg.name(), &reason.reason));
                }
            }
        }
        Ok(Projections {
            name: stg.name().to_owned(),
            is_one_of_several,
            roles,
            together,
        })
    }
}
