//! Explanations from values that are known.

use choros_query::socl::{NodeKind, Quantifier};

use super::path::{Sought, reach, settling_path};
use super::{ExplainedPath, ExplainedStep, Explanation, ExplanationReason};
use crate::evaluate::{Evaluator, FormulaValue, InstanceId, Shape, Target};

/// An explanation has no more parts than this; the rest is left out, and says so.
const MAX_PARTS: usize = 400;

/// Why the formula has its value in the first state; `None` while the value is open.
pub fn explain(evaluator: &mut Evaluator<'_, '_>) -> Option<Explanation> {
    let root = evaluator.root();
    let holds = match evaluator.value(root, 0) {
        FormulaValue::True => true,
        FormulaValue::False => false,
        FormulaValue::Open => return None,
    };
    let mut builder = Builder {
        evaluator,
        parts: 0,
    };
    Some(builder.explain(root, 0, holds))
}

struct Builder<'e, 'a, 'l> {
    evaluator: &'e mut Evaluator<'a, 'l>,
    parts: usize,
}

impl Builder<'_, '_, '_> {
    /// The depth of the recursion is that of the formula, which its parser bounds.
    fn explain(&mut self, instance: InstanceId, state: u32, holds: bool) -> Explanation {
        let evaluator = &mut *self.evaluator;
        let node = evaluator.instances.get(instance).node;
        let formula = evaluator
            .formula
            .print_part(node, evaluator.names, &|variable| {
                evaluator
                    .instances
                    .value(evaluator.formula, instance, variable)
            });
        self.parts += 1;
        let reason = if self.parts > MAX_PARTS {
            ExplanationReason::Omitted
        } else {
            self.reason(instance, state, holds)
        };
        Explanation {
            node,
            formula,
            state,
            holds,
            reason,
        }
    }

    fn reason(&mut self, instance: InstanceId, state: u32, holds: bool) -> ExplanationReason {
        let formula = self.evaluator.formula;
        let node = self.evaluator.instances.get(instance).node;
        match &formula.node(node).kind {
            NodeKind::Constant(_) | NodeKind::State(_) => ExplanationReason::Constant,
            NodeKind::Proposition(_) => {
                ExplanationReason::Label(self.evaluator.bearer(instance, state).ok())
            }
            NodeKind::Not(_) => {
                let part = self.evaluator.instances.get(instance).parts[0];
                ExplanationReason::Parts(vec![self.explain(part, state, !holds)])
            }
            NodeKind::And(_) => self.parts(instance, state, holds, holds),
            NodeKind::Or(_) => self.parts(instance, state, holds, !holds),
            NodeKind::Implies(..) => self.implication(instance, state, holds),
            NodeKind::Next(Quantifier::Some, ..) | NodeKind::Diamond(..) => {
                if holds {
                    self.one_step(instance, state, true)
                } else {
                    self.all_steps(instance, state, false)
                }
            }
            NodeKind::Next(Quantifier::All, ..) => {
                if holds {
                    self.all_steps(instance, state, true)
                } else {
                    self.failing_step(instance, state)
                }
            }
            NodeKind::Box(..) => {
                if holds {
                    self.all_steps(instance, state, true)
                } else {
                    self.one_step(instance, state, false)
                }
            }
            NodeKind::Always(..) | NodeKind::Eventually(..) | NodeKind::Until(_) => {
                match self.evaluator.instances.shape(formula, instance) {
                    Some(shape) => self.paths(instance, shape, state, holds),
                    None => ExplanationReason::Omitted,
                }
            }
        }
    }

    /// All parts, or the first that decides alone.
    fn parts(
        &mut self,
        instance: InstanceId,
        state: u32,
        holds: bool,
        all: bool,
    ) -> ExplanationReason {
        let parts = self.evaluator.instances.get(instance).parts.clone();
        let wanted = FormulaValue::of(holds);
        let deciding: Vec<InstanceId> = if all {
            parts
        } else {
            parts
                .into_iter()
                .find(|&part| self.evaluator.value(part, state) == wanted)
                .into_iter()
                .collect()
        };
        ExplanationReason::Parts(
            deciding
                .into_iter()
                .map(|part| self.explain(part, state, holds))
                .collect(),
        )
    }

    fn implication(&mut self, instance: InstanceId, state: u32, holds: bool) -> ExplanationReason {
        let (left, right) = {
            let parts = &self.evaluator.instances.get(instance).parts;
            (parts[0], parts[1])
        };
        let parts = if !holds {
            vec![
                self.explain(left, state, true),
                self.explain(right, state, false),
            ]
        } else if self.evaluator.value(left, state) == FormulaValue::False {
            vec![self.explain(left, state, false)]
        } else {
            vec![self.explain(right, state, true)]
        };
        ExplanationReason::Parts(parts)
    }

    /// One step after which a part holds (`EX`) or fails (`[γ]`).
    fn one_step(
        &mut self,
        instance: InstanceId,
        state: u32,
        part_holds: bool,
    ) -> ExplanationReason {
        for position in self.steps(state) {
            let label = self.evaluator.label(position);
            let target = self.evaluator.graph.step(position).1;
            for &then in self.evaluator.after(instance, label).iter() {
                if self.evaluator.value(then, target) == FormulaValue::of(part_holds) {
                    let taken = self.evaluator.taken(state, position);
                    let part = self.explain(then, target, part_holds);
                    return ExplanationReason::Step(taken, vec![part]);
                }
            }
        }
        ExplanationReason::NoStep
    }

    /// A step that does not satisfy the action formula, or after which the part fails in all ways to match.
    fn failing_step(&mut self, instance: InstanceId, state: u32) -> ExplanationReason {
        for position in self.steps(state) {
            let label = self.evaluator.label(position);
            let target = self.evaluator.graph.step(position).1;
            if self.evaluator.is_good(instance, label, target) == FormulaValue::False {
                let taken = self.evaluator.taken(state, position);
                let after = self.evaluator.after(instance, label);
                let parts = after
                    .iter()
                    .map(|&then| self.explain(then, target, false))
                    .collect();
                return ExplanationReason::Step(taken, parts);
            }
        }
        ExplanationReason::NoStep
    }

    /// Every step that satisfies the action formula, and what follows it.
    fn all_steps(
        &mut self,
        instance: InstanceId,
        state: u32,
        part_holds: bool,
    ) -> ExplanationReason {
        let formula = self.evaluator.formula;
        let node = self.evaluator.instances.get(instance).node;
        // `AX` needs one way to match per step; the others speak of all ways.
        let one_way = matches!(formula.node(node).kind, NodeKind::Next(Quantifier::All, ..));
        let steps = self.steps(state);
        let of = steps.len();
        let mut matching: Vec<(ExplainedStep, Vec<Explanation>)> = Vec::new();
        for position in steps {
            let label = self.evaluator.label(position);
            let target = self.evaluator.graph.step(position).1;
            let mut after = self.evaluator.after(instance, label).to_vec();
            if after.is_empty() {
                continue;
            }
            if one_way {
                let wanted = FormulaValue::of(part_holds);
                after.retain(|&then| self.evaluator.value(then, target) == wanted);
                after.truncate(1);
            }
            let taken = self.evaluator.taken(state, position);
            let parts = after
                .iter()
                .map(|&then| self.explain(then, target, part_holds))
                .collect();
            matching.push((taken, parts));
        }
        match of {
            0 => ExplanationReason::NoStep,
            _ => ExplanationReason::Steps { matching, of },
        }
    }

    fn steps(&self, state: u32) -> std::ops::Range<usize> {
        if self.evaluator.is_expanded(state) {
            self.evaluator.graph.steps(state)
        } else {
            0..0
        }
    }

    fn paths(
        &mut self,
        instance: InstanceId,
        shape: Shape,
        state: u32,
        holds: bool,
    ) -> ExplanationReason {
        let by_one_path = holds == (shape.quantifier == Quantifier::Some);
        if by_one_path {
            return match self.path(instance, shape, state, holds) {
                Some(path) => ExplanationReason::Path(path),
                None => ExplanationReason::Omitted,
            };
        }
        let states = reach(
            self.evaluator,
            Sought {
                instance,
                shape,
                holds,
            },
            state,
        );
        let count = states.len();
        let example = match (holds, shape.target) {
            (true, Target::Nothing) => {
                // Where the part speaks of something that happens, rather than of nothing.
                let part = shape.left;
                let telling = states
                    .into_iter()
                    .find(|&state| part.is_some_and(|part| self.is_telling(part, state)));
                match (part, telling) {
                    (Some(part), Some(telling)) => Some(self.explain(part, telling, true)),
                    (Some(part), None) => Some(self.explain(part, state, true)),
                    (None, _) => None,
                }
            }
            (true, _) => self.path(instance, shape, state, true).map(|path| {
                let mut example = self.explain_nothing(instance, state, true);
                example.reason = ExplanationReason::Path(path);
                example
            }),
            (false, _) => None,
        };
        ExplanationReason::Everywhere {
            states: count,
            example: example.map(Box::new),
        }
    }

    fn explain_nothing(&mut self, instance: InstanceId, state: u32, holds: bool) -> Explanation {
        let limit = std::mem::replace(&mut self.parts, MAX_PARTS);
        let explanation = self.explain(instance, state, holds);
        self.parts = limit;
        explanation
    }

    fn path(
        &mut self,
        instance: InstanceId,
        shape: Shape,
        state: u32,
        holds: bool,
    ) -> Option<ExplainedPath> {
        let found = settling_path(
            self.evaluator,
            Sought {
                instance,
                shape,
                holds,
            },
            state,
        )?;
        let parts = found
            .parts
            .into_iter()
            .map(|(part, state, holds)| self.explain(part, state, holds))
            .collect();
        Some(ExplainedPath {
            steps: found.steps,
            end: found.end,
            parts,
        })
    }

    /// Whether a box has something to speak of in a state.
    fn is_telling(&mut self, instance: InstanceId, state: u32) -> bool {
        let formula = self.evaluator.formula;
        let node = self.evaluator.instances.get(instance).node;
        if !matches!(formula.node(node).kind, NodeKind::Box(..)) {
            return false;
        }
        self.steps(state).into_iter().any(|position| {
            let label = self.evaluator.label(position);
            !self.evaluator.after(instance, label).is_empty()
        })
    }
}
