//! Does the formula hold, and why?

use choros_base::{Names, StopReason};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_query::socl::{Actions, Arity, Formula, NodeId, unmatched};

use crate::abstract_labels::AbstractLabels;
use crate::evaluate::{Evaluation, Evaluator, FormulaValue};
use crate::explain::{Explanation, StepDetail, explain, explanation_evidence};
use crate::unfolding::{UnfoldedLts, UnfoldingEnd};

/// An answer.
#[derive(Debug)]
pub struct CheckedFormula {
    /// The verdict with its evidence.
    pub verdict: Verdict,
    /// The same as data; `None` with *unknown*.
    pub explanation: Option<Explanation>,
    /// States that were found for it.
    pub states: u32,
    /// Steps that were examined.
    pub transitions: u32,
    /// Sub-formulas because of which the formula holds though they speak of nothing that happens.
    pub vacuous: Vec<NodeId>,
}

/// Answers one question; what was unfolded for it stays in `graph` for the next.
pub fn check(
    graph: &mut UnfoldedLts<'_>,
    labels: &mut AbstractLabels,
    names: &mut Names,
    formula: &Formula,
    arity: Arity,
) -> CheckedFormula {
    check_fair(graph, labels, names, formula, arity, &[])
}

/// The same where only paths count that are fair to these steps.
pub fn check_fair(
    graph: &mut UnfoldedLts<'_>,
    labels: &mut AbstractLabels,
    names: &mut Names,
    formula: &Formula,
    arity: Arity,
    fair: &[Actions],
) -> CheckedFormula {
    let evaluator = Evaluator::new(graph, labels, names, formula, arity);
    let mut evaluator = evaluator.assuming_fair(fair);
    let answered = evaluator.run();
    let explanation = explain(&mut evaluator);
    let too_many = evaluator.has_too_many_values();
    let vacuous = match answered.value {
        FormulaValue::True => unmatched(formula, |node| evaluator.has_matched(node)),
        FormulaValue::False | FormulaValue::Open => Vec::new(),
    };
    let evidence = explanation
        .as_ref()
        .map(|explanation| explanation_evidence(explanation, StepDetail::State, graph));
    let verdict = if too_many {
        let reason = "the formula is about too many combinations of values";
        Verdict::Unknown(Unknown::whatever_the_bound(reason.to_owned()))
    } else {
        verdict(&answered, evidence, graph)
    };
    CheckedFormula {
        verdict,
        explanation,
        states: graph.found_after(answered.expanded),
        transitions: graph.steps_after(answered.expanded),
        vacuous,
    }
}

impl CheckedFormula {
    /// The answer whose evidence also says what abstraction rules make of each step, if that is asked for.
    #[must_use]
    pub fn with_labels_if(mut self, asked: bool, graph: &UnfoldedLts<'_>) -> CheckedFormula {
        if !asked {
            return self;
        }
        if let (Some(explanation), Verdict::Holds(evidence) | Verdict::Fails(evidence)) =
            (&self.explanation, &mut self.verdict)
        {
            *evidence = explanation_evidence(explanation, StepDetail::StateAndLabel, graph);
        }
        self
    }
}

fn verdict(answered: &Evaluation, evidence: Option<Evidence>, graph: &UnfoldedLts<'_>) -> Verdict {
    match (answered.value, evidence) {
        (FormulaValue::True, Some(evidence)) => Verdict::Holds(evidence),
        (FormulaValue::False, Some(evidence)) => Verdict::Fails(evidence),
        _ => Verdict::Unknown(unknown(answered.halt.as_ref(), graph)),
    }
}

fn unknown(halt: Option<&UnfoldingEnd>, graph: &UnfoldedLts<'_>) -> Unknown {
    let looked = format!("after {} states", graph.found());
    let (reason, bound) = match halt {
        _ if graph.is_cancelled() => (format!("stopped {looked}"), None),
        Some(UnfoldingEnd::States(bound)) => (
            format!("the bound of {bound} states was reached"),
            Some(Bound::States(Some(bound.saturating_mul(10)))),
        ),
        Some(UnfoldingEnd::Depth(bound)) => (
            format!("the bound of {bound} steps from the start was reached {looked}"),
            Some(Bound::Depth(Some(u64::from(
                bound.saturating_mul(2).max(1),
            )))),
        ),
        Some(UnfoldingEnd::Spent(StopReason::Steps(bound))) => {
            (format!("the bound of {bound} steps was reached"), None)
        }
        Some(UnfoldingEnd::Complete | UnfoldingEnd::Spent(StopReason::Cancelled)) | None => {
            let cut = graph.first_stuck();
            let reason = cut.map_or("nothing more is known", |it| it.reason.as_str());
            let reason = format!("the model cannot say more: {reason}");
            (reason, cut.and_then(|it| it.bound))
        }
    };
    Unknown {
        reason,
        help: bound.into(),
        evidence: None,
    }
}
