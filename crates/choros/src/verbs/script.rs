//! What do the commands of this SChorA script say?

use choros_base::{Diagnostic, Severity};
use choros_lang::ast::{self, Command, CommandKind};
use choros_model::stg::Stg;
use choros_proofs::compare;
use choros_realize::{Criterion, Memory, Mode, no_choreography, reachability};
use choros_report::answers::{Answered, CommandAnswer, CommandOutput, Parts, Stop};
use choros_report::{Rejection, Stats};

use super::conform::ComparisonRules;
use super::project::ProjectRequest;
use super::realize::{Judge, RealizeRules};
use crate::{Component, Model, Request, Settings, Workspace};

/// Which script is run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptRequest {
    /// The script.
    pub file: Request,
    /// What `showTime` shows.
    pub now: String,
}

/// What became of a command.
type Part = Result<CommandAnswer, Stop>;

/// Runs a script's commands in order.
pub fn script(
    workspace: &mut Workspace<'_>,
    request: &ScriptRequest,
    settings: &Settings,
) -> Answered<Parts<CommandAnswer>> {
    let mut run = settings.run();
    let loaded = workspace.model(&request.file, settings, &mut run);
    let Some((_, Model::Graphs(components, commands))) = loaded else {
        return Answered {
            answer: Err(Stop::Mistakes),
            run,
        };
    };
    let mut runner = Runner {
        components: &components,
        now: &request.now,
        judge: Judge::new(workspace, settings, &mut run),
    };
    let mut parts: Vec<Part> = Vec::new();
    for command in &commands {
        let found = runner.answers(command);
        runner.keep(&found);
        parts.extend(found);
        if matches!(parts.last(), Some(Err(Stop::World(_)))) {
            break;
        }
    }
    run.interrupted = settings.is_cancelled();
    if run.interrupted && parts.is_empty() {
        parts.push(Err(settings.cut(request.file.path.clone())));
    }
    Answered::new(Ok(Parts(parts)), run)
}

struct Runner<'c, 'a, 's> {
    components: &'c [Component],
    now: &'c str,
    judge: Judge<'a, 's>,
}

impl Runner<'_, '_, '_> {
    /// The answers to a command, one for each component that it names.
    fn answers(&mut self, command: &Command) -> Vec<Part> {
        let name = command.text.clone();
        if self.judge.settings.is_cancelled() {
            let reason = "the run was stopped before it".to_owned();
            return vec![Err(Stop::Cut { name, reason })];
        }
        // What is wrong with a command is its answer; the rest runs.
        let mut findings = self.judge.run.findings.iter();
        let wrong = findings.find(|it| it.severity == Severity::Error && command.concerns(it));
        if let Some(wrong) = wrong {
            return vec![Err(rejected(wrong).about(name))];
        }
        self.judge.settings.events.doing(name.clone());
        match command.kind {
            // The reader has said that there is no such command.
            None => Vec::new(),
            Some(CommandKind::ShowTime) => vec![Ok(CommandAnswer {
                command: name,
                shown: CommandOutput::Time(self.now.to_owned()),
            })],
            Some(CommandKind::Conformance) => self.conformance(command).into_iter().collect(),
            Some(kind) => self.of_components(kind, command),
        }
    }

    fn of_components(&mut self, kind: CommandKind, command: &Command) -> Vec<Part> {
        // A command without a mode has been reported where it stands.
        let mode = command.mode.unwrap_or(ast::Mode::Synchronous);
        let word = command.text.split(' ').next().unwrap_or_default();
        let mut parts = Vec::new();
        let components = self.components;
        for argument in &command.arguments {
            let name = self.judge.workspace.terms.names.text(argument.name);
            let Some(component) = components.iter().find(|it| it.name == name) else {
                continue;
            };
            let command = if kind.has_mode() {
                format!("{word} {name} {}", mode.text())
            } else {
                format!("{word} {name}")
            };
            let part = match self.show(kind, mode, component) {
                Ok(shown) => Ok(CommandAnswer { command, shown }),
                Err(stop) => Err(stop.about(command)),
            };
            let failed = matches!(part, Err(Stop::World(_)));
            parts.push(part);
            if failed {
                break;
            }
        }
        parts
    }

    fn show(
        &mut self,
        kind: CommandKind,
        mode: ast::Mode,
        component: &Component,
    ) -> Result<CommandOutput, Stop> {
        let judge = &mut self.judge;
        component.remark(judge.run);
        let stg = component.require_graph(judge.settings, judge.run);
        let stg = stg.map_err(Stop::without_question)?;
        if kind.has_mode()
            && let Some(finding) = no_choreography::diagnostic(stg, &judge.workspace.terms)
        {
            let stop = rejected(&finding);
            judge.run.findings.push(finding);
            return Err(stop);
        }
        match kind {
            CommandKind::ShowStat => Ok(CommandOutput::Stats(Stats::of_graph(stg))),
            CommandKind::ShowReachableStg => judge.reachable(stg),
            // Both propose additions first, as SChorA does.
            CommandKind::ShowRealizableStg => {
                let judged = judge.realizability(stg, &[], &thesis(mode), true);
                let judged = judged.map_err(|it| judge.stop(it, String::new()))?;
                Ok(CommandOutput::Realizable(Box::new(judged)))
            }
            CommandKind::Projection => {
                let asked = ProjectRequest {
                    rules: thesis(mode),
                    repair: true,
                    memory: Memory::Natural,
                    ..ProjectRequest::default()
                };
                let found = judge.projections(stg, &[], &asked)?;
                let chosen = judge.chosen(&found, stg, &asked, true)?;
                Ok(CommandOutput::Projections(chosen))
            }
            CommandKind::ShowStg | CommandKind::ShowTime | CommandKind::Conformance => {
                Ok(CommandOutput::Graph(stg.clone()))
            }
        }
    }

    /// `conformance implementation specification`.
    fn conformance(&mut self, command: &Command) -> Option<Part> {
        // A missing or undeclared name has been reported where it stands.
        let (components, names) = (self.components, &self.judge.workspace.terms.names);
        let find = |position: usize| {
            let name = names.text(command.arguments.get(position)?.name);
            components.iter().find(|it| it.name == name)
        };
        let (implementation, specification) = (find(0)?, find(1)?);
        let compared = self.compare(implementation, specification);
        Some(match compared {
            Ok(shown) => Ok(CommandAnswer {
                command: command.text.clone(),
                shown,
            }),
            Err(stop) => Err(stop.about(command.text.clone())),
        })
    }

    fn compare(
        &mut self,
        implementation: &Component,
        specification: &Component,
    ) -> Result<CommandOutput, Stop> {
        let Judge {
            workspace,
            settings,
            solver,
            run,
        } = &mut self.judge;
        implementation.remark(run);
        let implementation = implementation.require_graph(settings, run);
        let implementation = implementation.map_err(Stop::without_question)?;
        specification.remark(run);
        let specification = specification.require_graph(settings, run);
        let specification = specification.map_err(Stop::without_question)?;
        let rules = ComparisonRules::default();
        let terms = &mut workspace.terms;
        let both = (implementation, specification);
        let compared = compare(both, &rules, terms, solver, settings, run);
        match compared {
            Ok(answer) => Ok(CommandOutput::Conformance(Box::new(answer))),
            Err(Stop::Mistakes) => Err(run.findings.last().map_or(Stop::Mistakes, rejected)),
            Err(stop) => Err(stop),
        }
    }

    /// Keeps answers for the end of the run.
    fn keep(&self, found: &[Part]) {
        let workspace = &self.judge.workspace;
        let (terms, sources) = (&workspace.terms, &workspace.sources);
        let events = &self.judge.settings.events;
        events.answer(Parts(found.to_vec()), self.judge.run, terms, sources);
    }
}

impl Judge<'_, '_> {
    fn reachable(&mut self, stg: &Stg) -> Result<CommandOutput, Stop> {
        let terms = &mut self.workspace.terms;
        let budget = self.settings.until_cancelled();
        let found = reachability(stg, terms, &mut self.solver, &budget);
        self.name_solver();
        let found = found.map_err(|error| Stop::World(error.to_string()))?;
        let rest = found.without_dead(stg, &mut self.workspace.terms);
        Ok(CommandOutput::Reachable(Box::new((
            stg.clone(),
            found,
            rest,
        ))))
    }
}

/// The thesis' own rule.
fn thesis(mode: ast::Mode) -> RealizeRules {
    RealizeRules {
        mode: Some(match mode {
            ast::Mode::Synchronous => Mode::Synchronous,
            ast::Mode::Sender => Mode::Sender,
            ast::Mode::Receiver => Mode::Receiver,
            ast::Mode::Disjoint => Mode::Disjoint,
        }),
        criterion: Some(Criterion::Conditions),
        joint_ending: true,
        ..RealizeRules::default()
    }
}

/// A question that has no answer because of this.
fn rejected(finding: &Diagnostic) -> Stop {
    Stop::Rejected {
        name: String::new(),
        rejection: Rejection {
            code: finding.code.code,
            message: finding.message.clone(),
        },
    }
}
