//! Can the roles realise it?

use choros_base::{Span, has_errors, nearest};
use choros_data::Terms;
use choros_model::Evidence;
use choros_model::evidence::Tree;
use choros_model::stg::{DotMarks, Role, Stg};
use choros_realize::{
    Closing, Conditions, Criterion, Decision, Effort, Mode, Question, Realizability, Semantic,
    Stopped, no_choreography, realizability, without_dead,
};
use choros_report::{
    Addition, Answer, Block, Counted, GraphDrawing, NamedResult, Realization, Rejection, Repair,
    Report, Sizes, Stat, Stats, VerdictKind, Violation,
};
use choros_smt::{LazySolver, Solver};

use super::no_graph::{no_graph, remark, unknown_because_cut};
use crate::diagnostics::no_such_role;
use crate::{Component, Model, Request, Settings, Workspace};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Realizing {
    /// How the services communicate.
    pub mode: Mode,
    /// Which criterion gives the verdict.
    pub criterion: Criterion,
    /// Whether additions are to be proposed.
    pub repair: bool,
    /// How many messages a queue may hold.
    pub bound: usize,
    /// Roles that are services, beside those that the model declares: they may wait for the next conversation.
    pub services: Vec<String>,
    /// Whether all roles end together, so that nobody has to be told.
    pub joint_ending: bool,
}

impl Realizing {
    /// How many messages a queue holds where nothing else is said.
    pub const BOUND: usize = 5;

    /// The thesis' own rule with its additions, as scripts ask for it.
    pub(super) fn thesis(mode: Mode) -> Realizing {
        Realizing {
            mode,
            criterion: Criterion::Conditions,
            repair: true,
            bound: Realizing::BOUND,
            services: Vec::new(),
            joint_ending: true,
        }
    }
}

/// Judges every choreography that is asked for.
pub fn realize(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    asked: Realizing,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("realize");
    let (gchors, requests): (Vec<Request>, Vec<Request>) =
        requests.iter().cloned().partition(super::gchor::is_gchor);
    if !gchors.is_empty() {
        super::gchor::realize(workspace, &gchors, asked.bound, settings, &mut report);
        if requests.is_empty() {
            return report;
        }
    }
    describe(&mut report, &asked);
    let components = choreographies(workspace, &requests, settings, &mut report);
    let mut solver = settings.solver();
    for component in &components {
        let stg = match &component.stg {
            Ok(stg) => stg,
            Err(reason) => {
                let outcome = no_graph(component, reason, &mut report);
                report.outcomes.push(unknown_because_cut(outcome, settings));
                continue;
            }
        };
        let mut judge = Judge {
            workspace: &mut *workspace,
            settings,
            solver: &mut solver,
        };
        settings
            .events
            .doing(format!("judging `{}`", component.name));
        match judge.judge(stg, &component.services, &asked, &mut report) {
            Ok(judged) => report.outcomes.push(judged.outcome),
            Err(stopped) => {
                stop(stopped, stg.name(), &mut report);
                if report.world_failed.is_some() {
                    return report;
                }
            }
        }
        settings.events.report(&report, &workspace.sources);
        if settings.is_cancelled() {
            report.interrupted = true;
            break;
        }
    }
    report
}

/// Says in the report what was asked.
pub(super) fn describe(report: &mut Report, asked: &Realizing) {
    let criterion = match asked.criterion {
        Criterion::Conditions => "conditions on ordering, data and branching",
        Criterion::Semantic => {
            "the projections, put together, conform to the choreography, and neither a message nor a role is left waiting for ever"
        }
    };
    report.semantics.relation = Some(format!("realizability: {criterion}"));
    report.semantics.channels = Some(asked.mode.words().to_owned());
}

/// The components to look at: choreographies only, unless one was asked for by name.
///
/// A component that is asked for by name and is none is reported.
pub(super) fn choreographies(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    settings: &Settings,
    report: &mut Report,
) -> Vec<Component> {
    let mut found: Vec<Component> = Vec::new();
    for request in requests {
        let Some((kind, model)) = workspace.load(request, settings, &mut report.diagnostics) else {
            continue;
        };
        report
            .semantics
            .inputs
            .insert(request.path.clone(), kind.name().to_owned());
        let Model::Graphs(components, _) = model else {
            report.outcomes.push(NamedResult {
                name: request.path.clone(),
                rejected: Some(Rejection {
                    code: no_choreography::CODE.code,
                    message: format!(
                        "`{}` is not a choreography: it is a {}",
                        request.path,
                        kind.words()
                    ),
                }),
                ..NamedResult::default()
            });
            continue;
        };
        let mut skipped = Vec::new();
        let before = found.len();
        for component in components {
            match component
                .stg
                .as_ref()
                .ok()
                .and_then(|stg| no_choreography::diagnostic(stg, &workspace.terms))
            {
                Some(finding) => skipped.push((component.name, finding)),
                None => found.push(component),
            }
        }
        if found.len() == before {
            let findings = skipped.into_iter().map(|(_, finding)| finding);
            report.diagnostics.extend(findings);
        } else if !skipped.is_empty() {
            let names: Vec<String> = skipped.into_iter().map(|(name, _)| name).collect();
            report.semantics.notes.push(format!(
                "left out, because no choreographies: {}",
                names.join(", ")
            ));
        }
    }
    if has_errors(&report.diagnostics) {
        found.clear();
    }
    for component in &found {
        remark(component, report);
    }
    found
}

/// Notes why an analysis ended without an answer.
pub(super) fn stop(stopped: Stopped, name: &str, report: &mut Report) {
    match stopped {
        Stopped::Solver(error) => report.world_failed = Some(error.to_string()),
        Stopped::Spent(spent) => report.outcomes.push(NamedResult {
            name: name.to_owned(),
            answer: Some(unknown(spent.to_string())),
            ..NamedResult::default()
        }),
    }
}

/// What a judgement rests on.
pub(super) struct Judge<'a, 's> {
    pub(super) workspace: &'a mut Workspace<'s>,
    pub(super) settings: &'a Settings,
    pub(super) solver: &'a mut LazySolver,
}

/// A judgement, and the graphs that were made on the way.
pub(super) struct Judged {
    pub(super) outcome: NamedResult,
    /// The graph with additions, where these were asked for and found; without dead transitions.
    pub(super) repaired: Stg,
}

impl Judge<'_, '_> {
    /// The graph without dead transitions.
    pub(super) fn reachable(
        &mut self,
        stg: &Stg,
        report: &mut Report,
    ) -> Result<(Stg, usize), Stopped> {
        let budget = self.settings.until_cancelled();
        self.with_solver(report, |terms, solver| {
            without_dead(stg, terms, solver, &budget)
        })
    }

    /// What is said about a service that is no role.
    fn unknown_service(&self, stg: &Stg, services: &[String]) -> Option<NamedResult> {
        let terms = &self.workspace.terms;
        let roles: Vec<String> = stg
            .roles()
            .into_iter()
            .map(|role| terms.names.text(role.0).to_owned())
            .collect();
        let strange = services.iter().find(|name| !roles.contains(name))?;
        let similar = nearest(strange, roles.iter().map(String::as_str));
        Some(NamedResult {
            name: stg.name().to_owned(),
            rejected: Some(Rejection {
                code: no_such_role::CODE.code,
                message: no_such_role::message(stg.name(), strange, similar, &roles),
            }),
            ..NamedResult::default()
        })
    }

    /// Runs something that needs the terms and perhaps a solver, which the report names if it was used.
    pub(super) fn with_solver<T>(
        &mut self,
        report: &mut Report,
        run: impl FnOnce(&mut Terms, &mut dyn Solver) -> T,
    ) -> T {
        let found = run(&mut self.workspace.terms, self.solver);
        self.settings
            .name_solver(self.solver, &mut report.semantics);
        found
    }

    /// Judges a choreography.
    pub(super) fn judge(
        &mut self,
        stg: &Stg,
        declared: &[String],
        asked: &Realizing,
        report: &mut Report,
    ) -> Result<Judged, Stopped> {
        let services: Vec<&String> = declared.iter().chain(&asked.services).collect();
        if let Some(outcome) = self.unknown_service(stg, &asked.services) {
            return Ok(Judged {
                outcome,
                repaired: stg.clone(),
            });
        }
        let question = Question {
            mode: asked.mode,
            criterion: asked.criterion,
            repair: asked.repair,
            closing: match asked.joint_ending {
                true => Closing::Together,
                false => Closing::Alone {
                    services: services
                        .iter()
                        .map(|name| Role(self.workspace.terms.names.intern(name)))
                        .collect(),
                },
            },
            effort: Effort {
                bound: asked.bound,
                states: match asked.criterion {
                    Criterion::Semantic => self.settings.max_states,
                    Criterion::Conditions => self.settings.max_states.min(BESIDE),
                },
            },
        };
        let budget = self.settings.until_cancelled();
        let found = self.with_solver(report, |terms, solver| {
            realizability(stg, &question, terms, solver, &budget)
        })?;
        let outcome = self.outcome(stg, &found, asked, &question.closing, report);
        let repaired = found.mended.map_or(found.reachable, |it| it.repair.stg);
        Ok(Judged { outcome, repaired })
    }

    /// What is said about a choreography.
    fn outcome(
        &self,
        stg: &Stg,
        judged: &Realizability,
        asked: &Realizing,
        closing: &Closing,
        report: &mut Report,
    ) -> NamedResult {
        let Realizability {
            reachable,
            dead,
            conditions: found,
            told,
            semantic: by_semantics,
            mended,
        } = judged;
        let dead = *dead;
        let terms = &self.workspace.terms;
        let by_conditions = word(found);
        let semantic_answer = Answer::of(&by_semantics.verdict, terms);
        let semantic = semantic_answer.word;
        let semantic_reason = match &semantic_answer.reason {
            // With the option to raise.
            Some(reason) => reason.clone(),
            None => by_semantics.reason.clone(),
        };
        let violations: Vec<Violation> = all_violations(found)
            .map(|violation| mirror(violation, reachable, terms))
            .collect();
        let untold: Vec<Violation> = told
            .faults
            .iter()
            .map(|it| untold_mirror(it, reachable, terms))
            .collect();
        let answer = match asked.criterion {
            Criterion::Conditions => Answer {
                word: by_conditions,
                condition: None,
                reason: match by_conditions {
                    VerdictKind::Unknown => found
                        .doubtful
                        .first()
                        .map(|(_, reason)| format!("whether guards exclude each other: {reason}")),
                    // Whoever reads one line only must not be misled.
                    VerdictKind::Holds if semantic == VerdictKind::Fails => {
                        Some("by the conditions; the behaviour disagrees".to_owned())
                    }
                    _ => None,
                },
                evidence: Some(Evidence::Tree(explanation(
                    &violations,
                    found.doubtful.len(),
                ))),
            },
            Criterion::Semantic => semantic_answer,
        };
        let mut blocks: Vec<Block> = branching_lines(reachable, found, terms)
            .into_iter()
            .map(Block::Line)
            .collect();
        blocks.push(Block::Line(format!(
            "by conditions: {}; by semantics: {} ({semantic_reason})",
            by_conditions.text(),
            semantic.text(),
        )));
        blocks.extend(remarks(by_semantics, closing, stg, terms).map(Block::Line));
        blocks.extend(apart(by_conditions, semantic, found).map(Block::Line));
        // The conditions explain in the words of the choreography what the run shows.
        if asked.criterion == Criterion::Semantic && semantic != VerdictKind::Holds {
            let broken = explained(found, &violations, &untold);
            blocks.extend(broken.map(|violation| {
                Block::Line(format!(
                    "{} [{}]: {} ({})",
                    violation.condition, violation.code, violation.message, violation.reason
                ))
            }));
        }
        if dead > 0 {
            let count = Counted(Stat::Transitions, dead as u64);
            blocks.push(Block::Line(format!(
                "left out, because it can never happen: {count}"
            )));
        }
        if found.interleaves {
            let note = "the steps of a parallel are not taken for branches of a choice";
            if !report.semantics.notes.iter().any(|known| known == note) {
                report.semantics.notes.push(note.to_owned());
            }
        }
        let repair = asked.repair.then(|| match mended {
            Some(mended) => Repair {
                additions: mended
                    .repair
                    .additions
                    .iter()
                    .map(|addition| addition_mirror(addition, terms))
                    .collect(),
                verified: mended.verified,
                verified_reason: mended.reason.clone(),
                minimal: mended.minimal,
                minimal_reason: match mended.repair.additions.is_empty() {
                    true => None,
                    false => mended.minimal.map(|_| mended.minimal_among),
                },
            },
            None => Repair {
                additions: Vec::new(),
                verified: "no",
                verified_reason: "no additions were found that would mend it".to_owned(),
                minimal: None,
                minimal_reason: None,
            },
        });
        blocks.extend(repair.iter().flat_map(repair_lines).map(Block::Line));
        NamedResult {
            name: stg.name().to_owned(),
            answer: Some(answer),
            sizes: Sizes {
                stats: Stats::of_graph(reachable)
                    .with(Stat::Roles, reachable.roles().len())
                    .with(Stat::Dead, dead),
                complete: true,
            },
            models: GraphDrawing::pictures(&[(stg, DotMarks::default())], &self.workspace.terms),
            blocks,
            realization: Some(Box::new(Realization {
                conditions: by_conditions,
                semantic,
                semantic_reason,
                violations,
                untold,
                repair,
            })),
            ..NamedResult::default()
        }
    }
}

/// States of the composition that are looked at when the verdict does not depend on it.
const BESIDE: u64 = 5_000;

/// What else the composition shows.
fn remarks(
    semantic: &Semantic,
    closing: &Closing,
    stg: &Stg,
    terms: &Terms,
) -> impl Iterator<Item = String> {
    let names = |roles: &[Role]| -> Vec<String> {
        roles
            .iter()
            .map(|role| terms.names.text(role.0).to_owned())
            .collect()
    };
    let nobody = semantic.nobody_could.then(|| {
        "no services that exchange these messages could do better: the run shows what they could not prevent".to_owned()
    });
    let waiting = match closing {
        Closing::Alone { services } if semantic.holds() => {
            let roles = stg.roles();
            let staying: Vec<Role> = roles
                .into_iter()
                .filter(|it| services.contains(it))
                .collect();
            (!staying.is_empty()).then(|| {
                format!(
                    "at the end these services wait for the next conversation: {}",
                    names(&staying).join(", ")
                )
            })
        }
        _ => None,
    };
    let serve = names(&semantic.would_serve);
    let advice = (!serve.is_empty()).then(|| {
        let are = if serve.len() == 1 { "is" } else { "are" };
        let (declarations, options): (Vec<String>, Vec<String>) = serve
            .iter()
            .map(|name| (format!("`service {name}`"), format!("--service {name}")))
            .unzip();
        format!(
            "{} {are} never told of the end; if that is a service that waits for the next conversation, declare it: {} (or {}), and it holds",
            serve.join(" and "),
            declarations.join(", "),
            options.join(" ")
        )
    });
    nobody.into_iter().chain(waiting).chain(advice)
}

/// Why the two criteria differ, where they do.
fn apart(conditions: VerdictKind, semantic: VerdictKind, found: &Conditions) -> Option<String> {
    let orders = found
        .violations
        .iter()
        .any(|violation| violation.condition() == "ordering");
    match (conditions, semantic) {
        (VerdictKind::Fails, VerdictKind::Holds) if orders => Some(
            "the criteria differ: what may happen out of order is allowed in that order too".to_owned(),
        ),
        (VerdictKind::Fails, VerdictKind::Holds) => Some(
            "the criteria differ: a role that is not told does the same on every branch, or may wait"
                .to_owned(),
        ),
        (VerdictKind::Holds, VerdictKind::Fails) => Some(
            "the criteria differ: the conditions look at neighbouring steps, the run at all of them"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The verdict of the conditions.
fn word(found: &Conditions) -> VerdictKind {
    match (found.violations.is_empty(), found.doubtful.is_empty()) {
        (false, _) => VerdictKind::Fails,
        (true, false) => VerdictKind::Unknown,
        (true, true) => VerdictKind::Holds,
    }
}

fn all_violations(found: &Conditions) -> impl Iterator<Item = &choros_realize::Violation> {
    let doubtful = found.doubtful.iter().map(|(violation, _)| violation);
    found.violations.iter().chain(doubtful)
}

/// What decides each branching, one line each.
fn branching_lines(stg: &Stg, found: &Conditions, terms: &Terms) -> Vec<String> {
    found
        .branchings
        .iter()
        .map(|branching| {
            let label = &stg.node(branching.node).label;
            let mut ways: Vec<String> = branching
                .branches
                .iter()
                .map(|&branch| stg.edge(branch).event.text(terms))
                .collect();
            if branching.may_end {
                ways.push("end".to_owned());
            }
            let name = |role: &Role| terms.names.text(role.0);
            let decision = match &branching.decision {
                Decision::Data => "data decide".to_owned(),
                Decision::Role(role) => format!("{} decides", name(role)),
                Decision::Undecided(role, _) => {
                    format!("data decide, or {} (not settled)", name(role))
                }
            };
            format!("state {label}: {decision} between {}", ways.join(", "))
        })
        .collect()
}

/// A violation as the report carries it.
fn mirror(violation: &choros_realize::Violation, stg: &Stg, terms: &Terms) -> Violation {
    Violation {
        code: violation.code().code,
        condition: violation.condition(),
        roles: violation
            .roles(stg)
            .into_iter()
            .map(|role| terms.names.text(role.0).to_owned())
            .collect(),
        transitions: violation
            .edges()
            .into_iter()
            .map(|id| (stg.edge(id).label_text(terms), stg.edge(id).origin))
            .collect(),
        message: violation.message(stg, terms),
        reason: violation.reason(terms),
    }
}

/// What explains a *no*: where a role is not told in time, that says more than the thesis' rule about who is told.
fn explained<'a>(
    found: &'a Conditions,
    violations: &'a [Violation],
    untold: &'a [Violation],
) -> impl Iterator<Item = &'a Violation> {
    let said = |violation: &choros_realize::Violation, mirror: &Violation| {
        let role = mirror.roles.last();
        matches!(violation, choros_realize::Violation::Uninformed { .. })
            && untold.iter().any(|it| it.roles.first() == role)
    };
    let kept = all_violations(found)
        .zip(violations)
        .filter(move |(violation, mirror)| !said(violation, mirror));
    kept.map(|(_, mirror)| mirror).chain(untold)
}

/// A role that is not told, as the report carries it.
fn untold_mirror(untold: &choros_realize::Untold, stg: &Stg, terms: &Terms) -> Violation {
    let role = untold
        .role()
        .map(|role| terms.names.text(role.0).to_owned());
    Violation {
        code: untold.code().code,
        condition: "told",
        roles: role.into_iter().collect(),
        transitions: untold
            .edges()
            .into_iter()
            .map(|id| (stg.edge(id).label_text(terms), stg.edge(id).origin))
            .collect(),
        message: untold.message(stg, terms),
        reason: untold.reason(stg, terms),
    }
}

/// An addition as the report carries it.
fn addition_mirror(addition: &choros_realize::Addition, terms: &Terms) -> Addition {
    let name = |role: Role| terms.names.text(role.0).to_owned();
    Addition {
        operation: terms.names.text(addition.operation.0).to_owned(),
        from: name(addition.from),
        to: name(addition.to),
        carries: addition
            .carries
            .map(|variable| terms.variable_text(variable).to_owned()),
        before: addition.before.clone(),
        reason: addition.reason.clone(),
    }
}

/// What a repair says to people.
fn repair_lines(repair: &Repair) -> Vec<String> {
    let mut lines: Vec<String> = repair
        .additions
        .iter()
        .map(|addition| {
            format!(
                "add +{} before {}: {}",
                addition.text(),
                addition.before,
                addition.reason
            )
        })
        .collect();
    let minimal = match (repair.minimal, repair.minimal_reason) {
        (Some(word), Some(reason)) => format!("; minimal: {word} ({reason})"),
        (Some(word), None) => format!("; minimal: {word}"),
        (None, _) => String::new(),
    };
    lines.push(format!(
        "additions: {}{minimal}; verified: {} ({})",
        repair.additions.len(),
        repair.verified,
        repair.verified_reason
    ));
    lines
}

/// The violations as evidence, of which the last ones are none if guards exclude each other.
fn explanation(violations: &[Violation], doubtful: usize) -> Tree {
    let leaf = |claim: String, origin: Option<Span>, because: Vec<Tree>| Tree {
        claim,
        origin,
        evidence: None,
        because,
    };
    let because = violations
        .iter()
        .map(|violation| {
            let origin = violation.transitions.last().and_then(|(_, origin)| *origin);
            let claim = format!(
                "{} [{}]: {}",
                violation.condition, violation.code, violation.message
            );
            leaf(
                claim,
                origin,
                vec![leaf(violation.reason.clone(), None, Vec::new())],
            )
        })
        .collect();
    let claim = match violations.len() {
        0 => "no condition is broken".to_owned(),
        1 => "one condition is broken".to_owned(),
        many => format!("{many} conditions are broken"),
    };
    let claim = match doubtful {
        0 => claim,
        all if all == violations.len() => format!("{claim} unless the guards exclude each other"),
        some => format!("{claim}, the last {some} unless guards exclude each other"),
    };
    leaf(claim, None, because)
}

pub(super) fn unknown(reason: String) -> Answer {
    Answer {
        word: VerdictKind::Unknown,
        condition: None,
        reason: Some(reason),
        evidence: None,
    }
}
