//! Does the formula hold, and why?

mod questions;
mod system;

use choros_base::Names;
use choros_check::{AbstractLabels, Bounds, Unfolding, check, cmc_text, unused_rules};
use choros_model::lts::Lts;
use choros_query::abstraction::{Rule, StateLabels};
use choros_query::socl::Arity;
use choros_query::socl::diagnostics::{rule_never_matches, vacuous_truth};
use choros_report::{Answer, Block, Outcome, Report, Sizes, Stat, Stats, Word};

use self::questions::{Asked, collect};
use crate::{Project, Request, Settings};

/// What is asked about what.
#[derive(Debug, Clone)]
pub struct Verifying {
    /// The model.
    pub model: Request,
    /// Files of abstraction rules, which count together; without any, the rules in the model, or none.
    pub rules: Vec<String>,
    /// The questions, in their order.
    pub questions: Vec<QuestionSource>,
    /// `--domain name=values`: values of variables that messages bind.
    pub domains: Vec<(String, String)>,
    /// Whether actions of formulas name all arguments.
    pub strict: bool,
    /// How far from the start states are looked at.
    pub depth: Option<u32>,
    /// Whether explanations are written as CMC does.
    pub cmc_style: bool,
    /// Whether a plain yes is explained as well.
    pub explain: bool,
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
pub fn verify(project: &mut Project<'_>, verifying: &Verifying, settings: &Settings) -> Report {
    let mut report = Report {
        verb: "verify",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        explain: verifying.explain,
        ..Report::default()
    };
    report.semantics.relation = Some(RELATION.to_owned());
    if let Some(depth) = verifying.depth {
        let bounds = &mut report.semantics.bounds;
        bounds.insert("depth".to_owned(), u64::from(depth));
    }
    system::with_system(project, verifying, settings, &mut report, answer_all);
    report.interrupted = settings.is_cancelled();
    report
}

const RELATION: &str = "SocL on maximal paths";

/// What is known of a model before anything is asked.
struct Loaded<'l> {
    system: &'l mut dyn Lts,
    state_labels: StateLabels,
    /// The rules in the model itself.
    own_rules: Option<Vec<Rule>>,
    /// Names of rules and formulas.
    names: Names,
}

fn answer_all(
    project: &mut Project<'_>,
    loaded: Loaded<'_>,
    verifying: &Verifying,
    settings: &Settings,
    report: &mut Report,
) {
    let Loaded {
        system,
        state_labels,
        own_rules,
        mut names,
    } = loaded;
    let questions = collect(project, verifying, own_rules.as_deref(), &mut names, report);
    let Some(questions) = questions else {
        return;
    };
    let bounds = Bounds {
        max_states: settings.max_states,
        depth: verifying.depth,
        budget: settings.until_cancelled(),
    };
    let mut graph = Unfolding::new(system, bounds);
    let mut sets: Vec<AbstractLabels> = questions
        .rule_sets
        .into_iter()
        .map(|abstraction| AbstractLabels::new(abstraction, state_labels))
        .collect();
    let arity = match verifying.strict {
        true => Arity::Exact,
        false => Arity::Prefix,
    };
    for asked in &questions.asked {
        settings.progress.show(format!("checking `{}`", asked.name));
        let labels = &mut sets[asked.rules];
        let checked = check(&mut graph, labels, &mut names, &asked.formula, arity);
        let mut outcome = Outcome {
            name: asked.name.clone(),
            answer: Some(Answer::of(&checked.verdict, &project.terms)),
            sizes: Sizes {
                stats: Stats::default()
                    .with(Stat::States, checked.states as usize)
                    .with(Stat::Transitions, checked.transitions as usize),
                complete: true,
            },
            ..Outcome::default()
        };
        if let Some(answer) = &mut outcome.answer {
            outcome.sizes.complete = answer.word != Word::Unknown;
            if verifying.cmc_style
                && let Some(explanation) = &checked.explanation
            {
                answer.evidence = None;
                outcome.blocks.push(Block::Picture {
                    format: "text",
                    text: cmc_text(explanation, &mut graph),
                });
            }
        }
        report.outcomes.push(outcome);
        warn_of_vacuity(asked, &checked.vacuous, &names, report);
    }
    for labels in &mut sets {
        for unused in unused_rules(&mut graph, labels, &mut names) {
            let text = unused.rule.print(&names);
            let found = rule_never_matches::diagnostic(unused.rule.span, &text, unused.hint);
            let known = |known: &choros_base::Diagnostic| known.primary() == found.primary();
            if !report.diagnostics.iter().any(known) {
                report.diagnostics.push(found);
            }
        }
    }
}

fn warn_of_vacuity(
    asked: &Asked,
    vacuous: &[choros_query::socl::NodeId],
    names: &Names,
    report: &mut Report,
) {
    for &node in vacuous {
        let node = asked.formula.node(node);
        let Some(actions) = node.kind.binding_actions() else {
            continue;
        };
        let spelt = asked.formula.print_actions(actions, names, &|_| None);
        let place = actions.atoms().first().map_or(node.span, |atom| atom.span);
        report
            .diagnostics
            .push(vacuous_truth::diagnostic(place, &asked.name, &spelt));
    }
}
