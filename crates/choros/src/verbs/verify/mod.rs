//! Does the formula hold, and why?

mod system;

use choros_base::{Diagnostic, Names};
use choros_check::{AbstractLabels, Bounds, UnfoldedLts, check, cmc_text, unused_rules};
use choros_model::lts::Lts;
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::Arity;
use choros_query::socl::diagnostics::{rule_never_matches, vacuous_truth};
use choros_report::answers::{Answered, Question, Run, Stop, Verification};
use choros_workspace::{Asked, collect_questions};

pub use choros_workspace::QuestionSource;

use self::system::{Behaviour, Subject, open};
use crate::{Request, Settings, Workspace};

/// What is asked about what.
#[derive(Debug, Clone, Default)]
pub struct VerifyRequest {
    /// The model.
    pub model: Request,
    /// Files of abstraction rules, which count together; without any, the rules in the model, or none.
    pub rules: Vec<String>,
    /// The questions, in their order.
    pub questions: Vec<QuestionSource>,
    /// Values of variables that messages bind: a name and `0..3` or `1, 2`.
    pub domains: Vec<(String, String)>,
    /// Whether actions of formulas name all arguments.
    pub strict: bool,
    /// How far from the start states are examined.
    pub depth: Option<u32>,
    /// Whether explanations are written as CMC does.
    pub cmc_style: bool,
}

/// Checks formulas against a model.
pub fn verify(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
) -> Answered<Verification> {
    let mut run = settings.run();
    run.semantics.relation = Some(RELATION.to_owned());
    if let Some(depth) = request.depth {
        let bounds = &mut run.semantics.bounds;
        bounds.insert("depth".to_owned(), u64::from(depth));
    }
    let answer = answer(workspace, request, settings, &mut run);
    run.interrupted = settings.is_cancelled();
    Answered { answer, run }
}

const RELATION: &str = "SocL on maximal paths";

/// Questions and what they are read with.
pub(super) struct Posed {
    pub(super) asked: Vec<Asked>,
    pub(super) rule_sets: Vec<Abstraction>,
    pub(super) state_labels: StateLabels,
    pub(super) names: Names,
}

/// Opens the model, reads the questions, and hands both on.
pub(super) fn posed<T>(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut Run,
    then: impl FnOnce(&mut dyn Lts, &mut Posed, &mut Run) -> T,
) -> Result<T, Stop> {
    let Subject {
        behaviour,
        state_labels,
        own_rules,
        mut names,
    } = open(workspace, request, settings, run)?;
    let mut system = match behaviour {
        Behaviour::System(system) => system,
        Behaviour::Held(ref held) => {
            let system = held.system().map_err(|found| {
                run.findings.push(*found);
                Stop::Mistakes
            })?;
            run.semantics.notes.extend(held.note().map(str::to_owned));
            system
        }
    };
    let questions = collect_questions(
        workspace,
        &request.rules,
        &request.questions,
        own_rules.as_deref(),
        &mut names,
        run,
    )?;
    let mut posed = Posed {
        asked: questions.asked,
        rule_sets: questions.rule_sets,
        state_labels,
        names,
    };
    Ok(then(&mut *system, &mut posed, run))
}

impl VerifyRequest {
    /// How many arguments an action of a formula must name.
    pub(super) fn arity(&self) -> Arity {
        if self.strict {
            Arity::Exact
        } else {
            Arity::Prefix
        }
    }
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut Run,
) -> Result<Verification, Stop> {
    posed(workspace, request, settings, run, |system, posed, run| {
        questions_answered(system, posed, request, settings, &mut run.findings)
    })
}

fn questions_answered(
    system: &mut dyn Lts,
    posed: &mut Posed,
    request: &VerifyRequest,
    settings: &Settings,
    findings: &mut Vec<Diagnostic>,
) -> Verification {
    let bounds = Bounds {
        max_states: settings.max_states,
        depth: request.depth,
        budget: settings.until_cancelled(),
    };
    let names = &mut posed.names;
    let mut graph = UnfoldedLts::new(system, bounds);
    let mut sets: Vec<AbstractLabels> = posed
        .rule_sets
        .iter()
        .map(|abstraction| AbstractLabels::new(abstraction.clone(), posed.state_labels))
        .collect();
    let mut verification = Verification::default();
    for asked in &posed.asked {
        settings.events.doing(format!("checking `{}`", asked.name));
        let labels = &mut sets[asked.rules];
        let checked = check(&mut graph, labels, names, &asked.formula, request.arity());
        warn_of_vacuity(asked, &checked.vacuous, names, findings);
        let explanation = checked.explanation.filter(|_| request.cmc_style);
        verification.questions.push(Question {
            name: asked.name.clone(),
            verdict: checked.verdict,
            states: u64::from(checked.states),
            transitions: u64::from(checked.transitions),
            explanation: explanation.map(|it| cmc_text(&it, &mut graph)),
        });
    }
    for labels in &mut sets {
        for unused in unused_rules(&mut graph, labels, names) {
            let text = unused.rule.print(names);
            let found = rule_never_matches::diagnostic(unused.rule.span, &text, unused.hint);
            let known = |known: &Diagnostic| known.primary() == found.primary();
            if !findings.iter().any(known) {
                findings.push(found);
            }
        }
    }
    verification
}

fn warn_of_vacuity(
    asked: &Asked,
    vacuous: &[choros_query::socl::NodeId],
    names: &Names,
    findings: &mut Vec<Diagnostic>,
) {
    for &node in vacuous {
        let node = asked.formula.node(node);
        let Some(actions) = node.kind.binding_actions() else {
            continue;
        };
        let spelt = asked.formula.print_actions(actions, names, &|_| None);
        let place = actions.atoms().first().map_or(node.span, |atom| atom.span);
        findings.push(vacuous_truth::diagnostic(place, &asked.name, &spelt));
    }
}
