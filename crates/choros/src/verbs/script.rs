//! What do the commands of this SChorA script say?

use choros_base::Severity;
use choros_lang::ast::{Command, CommandKind};
use choros_model::stg::{Stg, prune};
use choros_realize::{Liveness, Mode, Reachability, no_choreography, reachability};
use choros_report::answers::{Present, Run};
use choros_report::{Block, Counted, NamedResult, Rejection, Report, Sizes, Stat, Stats};
use choros_smt::LazySolver;

use super::conform::{Incomparable, Rules, compare};
use super::draw::drawing;
use super::no_graph::{no_graph, remark};
use super::project::{Memory, Projected, Projecting, outcomes};
use super::realize::{Judge, Realizing, stop, unknown};
use crate::{Component, Model, Picture, Request, Settings, Workspace};

/// Runs a script's commands in order; `now` is what `showTime` shows.
pub fn script(
    workspace: &mut Workspace<'_>,
    request: &Request,
    now: &str,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("script");
    let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
        return report;
    };
    report
        .semantics
        .inputs
        .insert(request.path.clone(), kind.name().to_owned());
    let Model::Graphs(components, commands) = model else {
        return report;
    };
    let mut runner = Runner {
        workspace,
        components: &components,
        now,
        settings,
        solver: settings.solver(),
    };
    for command in &commands {
        if settings.is_cancelled() {
            report.outcomes.push(not_carried_out(command));
            continue;
        }
        // What is wrong with a command is its answer; the rest runs.
        let finding = report
            .diagnostics
            .iter()
            .find(|finding| finding.severity == Severity::Error && command.concerns(finding));
        if let Some(finding) = finding {
            let rejected = Rejection {
                code: finding.code.code,
                message: finding.message.clone(),
            };
            report.outcomes.push(NamedResult {
                name: command.text.clone(),
                rejected: Some(rejected),
                ..NamedResult::default()
            });
            continue;
        }
        settings.events.doing(command.text.clone());
        runner.run(command, &mut report);
        let sources = &runner.workspace.sources;
        settings.events.report(&report, sources);
        if report.world_failed.is_some() {
            break;
        }
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// The answer to a command that came too late.
fn not_carried_out(command: &Command) -> NamedResult {
    let mut outcome = NamedResult {
        name: command.text.clone(),
        answer: Some(unknown("the run was stopped before it".to_owned())),
        ..NamedResult::default()
    };
    outcome.sizes.complete = false;
    outcome
}

struct Runner<'a, 'p, 's> {
    workspace: &'a mut Workspace<'s>,
    components: &'p [Component],
    now: &'a str,
    settings: &'a Settings,
    solver: LazySolver,
}

impl Runner<'_, '_, '_> {
    fn run(&mut self, command: &Command, report: &mut Report) {
        let outcome_of = |name: &str, blocks: Vec<Block>| NamedResult {
            name: name.to_owned(),
            blocks,
            ..NamedResult::default()
        };
        match command.kind {
            // The reader has said that there is no such command.
            None => {}
            Some(CommandKind::ShowTime) => {
                let line = Block::Line(self.now.to_owned());
                report.outcomes.push(outcome_of(&command.text, vec![line]));
            }
            Some(CommandKind::ShowStat | CommandKind::ShowStg | CommandKind::ShowReachableStg) => {
                for argument in &command.arguments {
                    let name = self.workspace.terms.names.text(argument.name).to_owned();
                    let found = self.components.iter().find(|it| it.name == name);
                    // An undeclared name has been reported where it stands.
                    let Some(component) = found else { continue };
                    let title = format!(
                        "{} {name}",
                        command.text.split(' ').next().unwrap_or_default()
                    );
                    remark(component, report);
                    let mut outcome = match &component.stg {
                        Ok(stg) => self.show(command.kind, stg, report),
                        Err(reason) => no_graph(component, reason, report),
                    };
                    outcome.name = title;
                    report.outcomes.push(outcome);
                    if report.world_failed.is_some() {
                        return;
                    }
                }
            }
            Some(CommandKind::ShowRealizableStg | CommandKind::Projection) => {
                self.realizability(command, report);
            }
            Some(CommandKind::Conformance) => self.conformance(command, report),
        }
    }

    /// `showRealizableSTG` and `projection`: both propose additions first, as SChorA does.
    fn realizability(&mut self, command: &Command, report: &mut Report) {
        let mode = match command.mode {
            Some(choros_lang::ast::Mode::Sender) => Mode::Sender,
            Some(choros_lang::ast::Mode::Receiver) => Mode::Receiver,
            Some(choros_lang::ast::Mode::Disjoint) => Mode::Disjoint,
            // A command without a mode has been reported where it stands.
            Some(choros_lang::ast::Mode::Synchronous) | None => Mode::Synchronous,
        };
        for argument in &command.arguments {
            let name = self.workspace.terms.names.text(argument.name).to_owned();
            let Some(component) = self.components.iter().find(|it| it.name == name) else {
                continue;
            };
            let word = command.text.split(' ').next().unwrap_or_default();
            let title = format!("{word} {name} {}", script_word(mode));
            remark(component, report);
            let stg = match &component.stg {
                Ok(stg) => stg,
                Err(reason) => {
                    let mut outcome = no_graph(component, reason, report);
                    outcome.name = title;
                    report.outcomes.push(outcome);
                    continue;
                }
            };
            if let Some(finding) = no_choreography::diagnostic(stg, &self.workspace.terms) {
                report.outcomes.push(NamedResult {
                    name: title,
                    rejected: Some(Rejection {
                        code: finding.code.code,
                        message: finding.message.clone(),
                    }),
                    ..NamedResult::default()
                });
                report.diagnostics.push(finding);
                continue;
            }
            let mut judge = Judge {
                workspace: &mut *self.workspace,
                settings: self.settings,
                solver: &mut self.solver,
            };
            let outcomes = match command.kind {
                Some(CommandKind::Projection) => {
                    let asked = Projecting {
                        role: None,
                        mode,
                        repair: Some(Realizing::thesis(mode)),
                        memory: Memory::Natural,
                    };
                    let found = judge.projections(stg, &[], &asked, report);
                    found.map(|found| {
                        let found = match found {
                            Projected::Roles(roles) => roles,
                            Projected::NotMended(_) => Vec::new(),
                        };
                        let mut outcomes = outcomes(
                            &found,
                            stg,
                            &asked,
                            Picture::Report,
                            &mut self.workspace.terms,
                            &mut report.diagnostics,
                        );
                        for outcome in &mut outcomes {
                            outcome.name = format!("{title}: {}", outcome.name);
                        }
                        outcomes
                    })
                }
                _ => {
                    let judged = judge.judge(stg, &[], &Realizing::thesis(mode), report);
                    judged.map(|mut judged| {
                        let picture = drawing(&judged.repaired, &self.workspace.terms);
                        judged.outcome.blocks.insert(0, picture);
                        judged.outcome.name = title.clone();
                        // It shows something and asks nothing; both verdicts stand beside the picture.
                        judged.outcome.answer = None;
                        vec![judged.outcome]
                    })
                }
            };
            match outcomes {
                Ok(outcomes) => report.outcomes.extend(outcomes),
                Err(stopped) => stop(stopped, &title, report),
            }
            if report.world_failed.is_some() {
                return;
            }
        }
    }

    /// `conformance implementation specification`.
    fn conformance(&mut self, command: &Command, report: &mut Report) {
        let find = |position: usize| {
            let argument = command.arguments.get(position)?;
            let name = self.workspace.terms.names.text(argument.name);
            self.components.iter().find(|it| it.name == name)
        };
        // A missing or undeclared name has been reported where it stands.
        let (Some(implementation), Some(specification)) = (find(0), find(1)) else {
            return;
        };
        for component in [implementation, specification] {
            remark(component, report);
            if let Err(reason) = &component.stg {
                let mut outcome = no_graph(component, reason, report);
                outcome.name = command.text.clone();
                report.outcomes.push(outcome);
                return;
            }
        }
        let (Ok(implementation), Ok(specification)) = (&implementation.stg, &specification.stg)
        else {
            return;
        };
        let mut run = Run::default();
        let compared = compare(
            implementation,
            specification,
            &Rules::default(),
            &mut self.workspace.terms,
            &mut self.solver,
            self.settings,
            &mut run,
        );
        report.diagnostics.append(&mut run.findings);
        report.semantics.absorb(run.semantics);
        match compared {
            Ok(answer) => {
                let outcomes = answer.outcomes(&self.workspace.terms).into_iter();
                report.outcomes.extend(outcomes.map(|outcome| NamedResult {
                    name: command.text.clone(),
                    ..outcome
                }));
            }
            Err(Incomparable::Unlike(found)) => {
                report.outcomes.push(NamedResult {
                    name: command.text.clone(),
                    rejected: Some(Rejection {
                        code: found.code.code,
                        message: found.message.clone(),
                    }),
                    ..NamedResult::default()
                });
                report.diagnostics.push(*found);
            }
            Err(Incomparable::World(reason)) => report.world_failed = Some(reason),
        }
    }

    fn show(&mut self, kind: Option<CommandKind>, stg: &Stg, report: &mut Report) -> NamedResult {
        match kind {
            Some(CommandKind::ShowStat) => {
                let sizes = Stats::of_graph(stg);
                let words: Vec<String> = sizes
                    .iter()
                    .filter(|(stat, _)| *stat != Stat::Deadlocks)
                    .map(|(stat, count)| Counted(stat, count).to_string())
                    .collect();
                NamedResult {
                    blocks: vec![Block::Line(words.join(", "))],
                    sizes: Sizes {
                        stats: sizes,
                        complete: true,
                    },
                    ..NamedResult::default()
                }
            }
            Some(CommandKind::ShowReachableStg) => self.show_reachable(stg, report),
            _ => NamedResult {
                blocks: vec![drawing(stg, &self.workspace.terms)],
                ..NamedResult::default()
            },
        }
    }

    fn show_reachable(&mut self, stg: &Stg, report: &mut Report) -> NamedResult {
        let terms = &mut self.workspace.terms;
        let budget = self.settings.until_cancelled();
        let found = reachability(stg, terms, &mut self.solver, &budget);
        self.settings
            .name_solver(&self.solver, &mut report.semantics);
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                report.world_failed = Some(error.to_string());
                return NamedResult::default();
            }
        };
        let rest = prune(
            stg,
            terms,
            |edge| !found.edges[edge.0 as usize].is_dead(),
            |node, index| !found.terminations[node.0 as usize][index].is_dead(),
        );
        let mut blocks = vec![drawing(&rest, &self.workspace.terms)];
        blocks.extend(removed_lines(stg, &found, self.workspace));
        NamedResult {
            blocks,
            sizes: Sizes {
                stats: Stats::of_graph(&rest).with(Stat::Dead, found.dead_edges().count()),
                complete: found.cut.is_none(),
            },
            ..NamedResult::default()
        }
    }
}

/// The keyword of a mode in scripts.
fn script_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Synchronous => "SYNC",
        Mode::Sender => "ASYNC_SENDER",
        Mode::Receiver => "ASYNC_RECEIVER",
        Mode::Disjoint => "ASYNC_DISJOINT",
        Mode::Peers => "ASYNC_PEERS",
    }
}

/// What was removed, one line each.
fn removed_lines(stg: &Stg, found: &Reachability, workspace: &Workspace<'_>) -> Vec<Block> {
    let terms = &workspace.terms;
    let mut lines: Vec<Block> = found
        .dead_edges()
        .map(|id| {
            let edge = stg.edge(id);
            let guard = match edge.guard {
                choros_data::Term::TRUE => String::new(),
                guard => format!("[{}] ", terms.print(guard)),
            };
            Block::Line(format!(
                "removed: {} -> {}  {guard}{}",
                stg.node(edge.source).label,
                stg.node(edge.target).label,
                edge.event.text(terms)
            ))
        })
        .collect();
    if lines.is_empty() {
        lines.push(Block::Line("nothing removed".to_owned()));
    }
    let undecided = found
        .edges
        .iter()
        .filter(|liveness| matches!(liveness, Liveness::Undecided(_)))
        .count();
    if undecided > 0 {
        lines.push(Block::Line(format!(
            "kept without proof: {undecided} transitions"
        )));
    }
    lines
}
