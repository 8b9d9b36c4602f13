//! Does the formula hold, and why?

use choros_base::{Diagnostic, Names};
use choros_check::{AbstractLabels, UnfoldedLts, UnfoldingBounds, check, cmc_text, unused_rules};
use choros_model::lts::Lts;
use choros_query::socl::diagnostics::{rule_never_matches, vacuous_truth};
use choros_report::answers::{Answered, AnsweredQuestion, Verification};
use choros_workspace::{PosedQuestion, PosedQuestions, posed_questions};
pub use choros_workspace::{QuestionSource, VerifyRequest};

use crate::{Settings, Workspace};

/// Checks formulas against a model.
pub fn verify(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
) -> Answered<Verification> {
    settings.answered(|run| {
        run.semantics.relation = Some(RELATION.to_owned());
        if let Some(depth) = request.depth {
            let bounds = &mut run.semantics.bounds;
            bounds.insert("depth".to_owned(), u64::from(depth));
        }
        posed_questions(workspace, request, settings, run, |system, posed, run| {
            questions_answered(system, posed, request, settings, &mut run.findings)
        })
    })
}

const RELATION: &str = "SocL on maximal paths";

fn questions_answered(
    system: &mut dyn Lts,
    posed: &mut PosedQuestions,
    request: &VerifyRequest,
    settings: &Settings,
    findings: &mut Vec<Diagnostic>,
) -> Verification {
    let bounds = UnfoldingBounds {
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
        let checked = checked.with_labels_if(request.labels, &graph);
        warn_of_vacuity(asked, &checked.vacuous, names, findings);
        let explanation = checked.explanation.filter(|_| request.cmc_style);
        verification.questions.push(AnsweredQuestion {
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
    asked: &PosedQuestion,
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
