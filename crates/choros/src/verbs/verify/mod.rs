//! Does the formula hold, and why?

mod questions;
mod system;

use choros_base::{Diagnostic, Names};
use choros_check::{AbstractLabels, Bounds, UnfoldedLts, check, cmc_text, unused_rules};
use choros_query::socl::Arity;
use choros_query::socl::diagnostics::{rule_never_matches, vacuous_truth};
use choros_report::answers::{Answered, Question, Run, Stop, Verification};

use self::questions::{Asked, collect};
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
    /// How far from the start states are looked at.
    pub depth: Option<u32>,
    /// Whether explanations are written as CMC does.
    pub cmc_style: bool,
}

/// Where a question comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionSource {
    /// A formula on the command line.
    Formula(String),
    /// A file of formulas.
    File(String),
    /// `NAME:interaction`.
    Pattern(String),
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

fn answer(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut Run,
) -> Result<Verification, Stop> {
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
    let questions = collect(workspace, request, own_rules.as_deref(), &mut names, run)?;
    let bounds = Bounds {
        max_states: settings.max_states,
        depth: request.depth,
        budget: settings.until_cancelled(),
    };
    let mut graph = UnfoldedLts::new(&mut *system, bounds);
    let mut sets: Vec<AbstractLabels> = questions
        .rule_sets
        .into_iter()
        .map(|abstraction| AbstractLabels::new(abstraction, state_labels))
        .collect();
    let arity = if request.strict {
        Arity::Exact
    } else {
        Arity::Prefix
    };
    let mut verification = Verification::default();
    for asked in &questions.asked {
        settings.events.doing(format!("checking `{}`", asked.name));
        let labels = &mut sets[asked.rules];
        let checked = check(&mut graph, labels, &mut names, &asked.formula, arity);
        warn_of_vacuity(asked, &checked.vacuous, &names, &mut run.findings);
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
        for unused in unused_rules(&mut graph, labels, &mut names) {
            let text = unused.rule.print(&names);
            let found = rule_never_matches::diagnostic(unused.rule.span, &text, unused.hint);
            let known = |known: &Diagnostic| known.primary() == found.primary();
            if !run.findings.iter().any(known) {
                run.findings.push(found);
            }
        }
    }
    Ok(verification)
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
