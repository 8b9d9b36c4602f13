//! Explanations as evidence: claims, the traces that settle them, and their parts.

use choros_model::Evidence;
use choros_model::evidence::{Binding, Departure, Step, Trace, Tree, WrongEvent};
use choros_model::lts::step_event;

use super::{ExplainedPath, ExplainedStep, Explanation, ExplanationReason, Numbering, PathEnd};
use crate::unfolding::UnfoldedLts;

/// What is said about each step of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepDetail {
    /// The state it leads to.
    State,
    /// Also the action that abstraction rules make of it.
    StateAndLabel,
}

/// The tree of an explanation.
pub fn explanation_evidence(
    explanation: &Explanation,
    detail: StepDetail,
    graph: &UnfoldedLts<'_>,
) -> Evidence {
    let writer = Writer {
        graph,
        detail,
        numbering: Numbering::of(explanation, graph),
    };
    Evidence::Tree(writer.tree(explanation, ""))
}

struct Writer<'a, 'l> {
    graph: &'a UnfoldedLts<'l>,
    detail: StepDetail,
    numbering: Numbering,
}

impl Writer<'_, '_> {
    fn tree(&self, explanation: &Explanation, prefix: &str) -> Tree {
        let verb = if explanation.holds { "holds" } else { "fails" };
        let state = self.numbering.name(explanation.state);
        let mut claim = format!("{prefix}{} {verb} in {state}", explanation.formula);
        let mut evidence = None;
        let mut because = Vec::new();
        match &explanation.reason {
            ExplanationReason::Constant => {}
            ExplanationReason::Label(bearer) => match bearer {
                Some(action) => claim.push_str(&format!(
                    ", which is ready for {}",
                    self.graph
                        .system()
                        .action(*action)
                        .text(self.graph.system().terms())
                )),
                None => claim.push_str(", which is ready for nothing of the kind"),
            },
            ExplanationReason::Parts(parts) => because = self.trees(parts),
            ExplanationReason::NoStep => claim.push_str(", which has no steps"),
            ExplanationReason::Step(taken, parts) => {
                let conclusion = if parts.is_empty() {
                    "this step does not match"
                } else {
                    ""
                };
                let step = std::slice::from_ref(taken);
                evidence = Some(self.trace(step, parts.is_empty(), conclusion.to_owned()));
                because = self.trees(parts);
            }
            ExplanationReason::Steps { matching, of } => {
                match (matching.len(), of) {
                    (0, 1) => claim.push_str(", whose only step does not match"),
                    (0, of) => claim.push_str(&format!(", none of whose {of} steps matches")),
                    (1, 1) => claim.push_str(", by its only step"),
                    (some, of) => claim.push_str(&format!(", by {some} of its {of} steps")),
                }
                for (taken, parts) in matching {
                    let trace = self.trace(std::slice::from_ref(taken), false, String::new());
                    because.push(Tree {
                        claim: format!("after this step, in {}", self.numbering.name(taken.to)),
                        origin: None,
                        evidence: Some(Box::new(trace)),
                        because: self.trees(parts),
                    });
                }
            }
            ExplanationReason::Path(path) => {
                if path.steps.is_empty() && path.end == PathEnd::Stopped {
                    claim.push_str(", which has no steps");
                } else if !path.steps.is_empty() {
                    evidence = Some(self.path(path));
                }
                because = self.trees(&path.parts);
            }
            ExplanationReason::Everywhere { states, example } => {
                match states {
                    1 => claim.push_str(", on all paths"),
                    states => claim.push_str(&format!(", on all paths ({states} states)")),
                }
                if let Some(example) = example {
                    because = vec![self.tree(example, "for example, ")];
                }
            }
            ExplanationReason::Omitted => claim.push_str(" (not explained further)"),
        }
        Tree {
            claim,
            origin: None,
            evidence: evidence.map(Box::new),
            because,
        }
    }

    fn trees(&self, parts: &[Explanation]) -> Vec<Tree> {
        parts.iter().map(|part| self.tree(part, "")).collect()
    }

    fn path(&self, path: &ExplainedPath) -> Evidence {
        let last = path.steps.last().map(|taken| taken.to);
        let name = |state: Option<u32>| state.map_or(String::new(), |it| self.numbering.name(it));
        let conclusion = match path.end {
            PathEnd::State | PathEnd::Step => String::new(),
            PathEnd::Refused => "the last step does not match".to_owned(),
            PathEnd::Stopped => format!("{} has no steps", name(last)),
            PathEnd::Cycle(back) => {
                let again = name(path.steps.get(back).map(|taken| taken.from));
                format!("and so on from {again}, forever")
            }
        };
        let refused = matches!(path.end, PathEnd::Refused);
        self.trace(&path.steps, refused, conclusion)
    }

    /// The abstract label beside the concrete one, if it is asked for, and the name of the state that claims speak of.
    fn bindings(&self, taken: &ExplainedStep) -> Vec<Binding> {
        let binding = |variable: &str, value: String| Binding {
            variable: variable.to_owned(),
            value,
        };
        let mut bindings = Vec::new();
        if self.detail == StepDetail::StateAndLabel && !taken.label.is_empty() {
            bindings.push(binding("abstract", taken.label.clone()));
        }
        bindings.push(binding("state", self.numbering.name(taken.to)));
        bindings
    }

    /// The steps as a run, of which the last does not match where one was refused.
    fn trace(&self, steps: &[ExplainedStep], refused: bool, conclusion: String) -> Evidence {
        let wrong = if refused {
            WrongEvent::LastStep
        } else {
            WrongEvent::Nothing
        };
        Evidence::Trace(Trace {
            departure: Departure {
                wrong,
                ..Departure::default()
            },
            steps: steps
                .iter()
                .map(|taken| Step {
                    event: step_event(
                        self.graph.system().action(taken.action),
                        self.graph.system().terms(),
                    ),
                    guard: None,
                    bindings: self.bindings(taken),
                    states: Some((
                        self.numbering.name(taken.from),
                        self.numbering.name(taken.to),
                    )),
                    origin: None,
                })
                .collect(),
            conclusion,
            ..Trace::default()
        })
    }
}
