//! Evaluation in rounds over ever larger prefixes of a system.
//!
//! A round looks at the first states in breadth-first order and answers with true, false or open.
//! While the answer is open, the prefix grows: by a whole layer at least, and by a fixed share at least, so that all rounds
//! together cost no more than a constant times the last.
//! What a round found to be true or false stays so, because it holds whatever the rest of the system is; what was open
//! is forgotten.
//! (Figure 4 of Fantechi et al. would store *aborted* as an answer and return it in later rounds.)

use choros_base::{Name, Names};
use choros_query::abstraction::StateLabels;
use choros_query::socl::{
    Actions, Arity, Formula, NodeKind, Quantifier, Variable, match_actions, match_atom,
};

use super::all_values::KnownValues;
use super::instance::{InstanceId, Instances, Shape, Target, step_actions};
use super::region::{Cell, Region, RegionEdge};
use super::truth::FormulaValue;
use crate::abstract_labels::AbstractLabels;
use crate::unfolding::{UnfoldedLts, UnfoldingEnd};

/// Evaluates one formula.
pub struct Evaluator<'a, 'l> {
    pub(crate) graph: &'a mut UnfoldedLts<'l>,
    pub(crate) labels: &'a mut AbstractLabels,
    pub(crate) names: &'a mut Names,
    pub(crate) formula: &'a Formula,
    arity: Arity,
    pub(crate) instances: Instances,
    /// States below are examined as expanded.
    limit: u32,
    round: u32,
    /// Sub-formulas whose action formula some step satisfied.
    matched: Vec<bool>,
    /// Steps that are assumed fair.
    pub(super) fair: &'a [Actions],
    /// By label: the assumptions of which it is a step.
    pub(super) fair_labels: Vec<Option<u64>>,
    /// What formulas about all values of some variables are asked with.
    pub(super) values: KnownValues,
    /// Maps of states to cells that are not in use.
    maps: Vec<Vec<u32>>,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The value in the first state.
    pub value: FormulaValue,
    /// States that were expanded for it.
    pub expanded: u32,
    /// Why it is open, if it is.
    pub halt: Option<UnfoldingEnd>,
}

const NOT_ASKED: u32 = 0;
const TRUE: u32 = 1;
const FALSE: u32 = 2;
const OPEN: u32 = 3;

/// No cell.
const NOWHERE: u32 = u32::MAX;

/// By how many states a round is larger than the one before it, at least.
///
/// While rounds cost little, small steps keep the number of states small; later, doubling saves rounds.
fn growth(limit: u32) -> u32 {
    match limit {
        0..1000 => limit / 2,
        _ => limit,
    }
}

impl<'a, 'l> Evaluator<'a, 'l> {
    /// Nothing is known yet.
    pub fn new(
        graph: &'a mut UnfoldedLts<'l>,
        labels: &'a mut AbstractLabels,
        names: &'a mut Names,
        formula: &'a Formula,
        arity: Arity,
    ) -> Self {
        Self {
            graph,
            labels,
            names,
            formula,
            arity,
            instances: Instances::default(),
            limit: 0,
            round: 0,
            matched: vec![false; formula.nodes().count()],
            fair: &[],
            fair_labels: Vec::new(),
            values: KnownValues::default(),
            maps: Vec::new(),
        }
    }

    /// Only paths that are fair to these steps count.
    #[must_use]
    pub fn assuming_fair(mut self, fair: &'a [Actions]) -> Self {
        self.fair = fair;
        self
    }

    pub(super) fn arity(&self) -> Arity {
        self.arity
    }

    /// The value of the formula in the first state.
    pub fn run(&mut self) -> Evaluation {
        loop {
            let value = self.whole();
            let mut answered = Evaluation {
                value,
                expanded: self.limit,
                halt: None,
            };
            if value != FormulaValue::Open {
                return answered;
            }
            let wanted = self
                .graph
                .layer_end(self.limit)
                .max(self.limit.saturating_add(growth(self.limit)))
                .max(self.limit + 1);
            let halted = self.graph.expand(wanted).err();
            let reached = self.graph.expanded().min(wanted);
            if reached == self.limit {
                answered.halt = halted.or(Some(UnfoldingEnd::Complete));
                return answered;
            }
            self.limit = reached;
            self.round += 1;
        }
    }

    /// Whether some step satisfied the action formula of a sub-formula.
    pub(crate) fn has_matched(&self, node: choros_query::socl::NodeId) -> bool {
        self.matched[node.index()]
    }

    /// States below are examined as expanded.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Whether there were too many values to ask about.
    pub(crate) fn has_too_many_values(&self) -> bool {
        self.values.too_many
    }

    /// Whether the steps of a state are known.
    pub(crate) fn is_expanded(&self, state: u32) -> bool {
        state < self.limit && !self.graph.is_stuck(state)
    }

    /// What is known already.
    pub(crate) fn known(&self, instance: InstanceId, state: u32) -> Option<FormulaValue> {
        let values = &self.instances.get(instance).values_in;
        match values.get(state as usize).copied().unwrap_or(NOT_ASKED) {
            TRUE => Some(FormulaValue::True),
            FALSE => Some(FormulaValue::False),
            open if open == OPEN + self.round => Some(FormulaValue::Open),
            _ => None,
        }
    }

    fn store(&mut self, instance: InstanceId, state: u32, value: FormulaValue) {
        let stored = match value {
            FormulaValue::True => TRUE,
            FormulaValue::False => FALSE,
            FormulaValue::Open => OPEN + self.round,
        };
        let found = self.graph.found() as usize;
        let values = &mut self.instances.get_mut(instance).values_in;
        if values.len() <= state as usize {
            values.resize(found, NOT_ASKED);
        }
        values[state as usize] = stored;
    }

    /// The value of an instance in a state.
    pub(crate) fn value(&mut self, instance: InstanceId, state: u32) -> FormulaValue {
        if let Some(value) = self.known(instance, state) {
            return value;
        }
        let formula = self.formula;
        let node = self.instances.get(instance).node;
        let value = match &formula.node(node).kind {
            NodeKind::Constant(value) => return FormulaValue::of(*value),
            NodeKind::Proposition(_) => self.proposition(instance, state),
            // Only graphs have data; they are asked about them elsewhere.
            NodeKind::State(_) => return FormulaValue::Open,
            NodeKind::Not(_) => self.part(instance, 0, state).negate(),
            NodeKind::And(parts) => {
                let mut value = FormulaValue::True;
                for index in 0..parts.len() {
                    value = value.and(self.part(instance, index, state));
                    if value == FormulaValue::False {
                        break;
                    }
                }
                value
            }
            NodeKind::Or(parts) => {
                let mut value = FormulaValue::False;
                for index in 0..parts.len() {
                    value = value.or(self.part(instance, index, state));
                    if value == FormulaValue::True {
                        break;
                    }
                }
                value
            }
            NodeKind::Implies(..) => match self.part(instance, 0, state).negate() {
                FormulaValue::True => FormulaValue::True,
                other => other.or(self.part(instance, 1, state)),
            },
            NodeKind::Next(Quantifier::Some, ..) | NodeKind::Diamond(..) => {
                self.next_some(instance, state)
            }
            NodeKind::Next(Quantifier::All, ..) => self.next_all(instance, state),
            NodeKind::Box(..) => self.next_box(instance, state),
            NodeKind::Always(..) | NodeKind::Eventually(..) | NodeKind::Until(_) => {
                if let Some(shape) = self.instances.shape(formula, instance) {
                    self.solve(instance, shape, state);
                }
                return self.known(instance, state).unwrap_or(FormulaValue::Open);
            }
        };
        self.store(instance, state, value);
        value
    }

    fn part(&mut self, instance: InstanceId, index: usize, state: u32) -> FormulaValue {
        let part = self.instances.get(instance).parts[index];
        self.value(part, state)
    }

    /// The concrete proposition that makes an instance true, or whether it is false or open.
    pub(crate) fn bearer(
        &mut self,
        instance: InstanceId,
        state: u32,
    ) -> Result<choros_model::lts::ActionId, FormulaValue> {
        let formula = self.formula;
        let node = self.instances.get(instance).node;
        let NodeKind::Proposition(atom) = &formula.node(node).kind else {
            return Err(FormulaValue::Open);
        };
        let by_steps = self.labels.state_labels == StateLabels::Steps;
        let range = match by_steps {
            true if !self.is_expanded(state) => return Err(FormulaValue::Open),
            true => self.graph.steps(state),
            false => self.graph.propositions(state),
        };
        for position in range {
            let action = if by_steps {
                self.graph.step(position).0
            } else {
                self.graph.proposition(position)
            };
            let instances = &self.instances;
            let value = |variable| instances.value(formula, instance, variable);
            let made = self
                .labels
                .propositions(action, self.graph.system(), self.names);
            if made
                .iter()
                .any(|closed| match_atom(atom, closed, &value, self.arity).is_some())
            {
                return Ok(action);
            }
        }
        if self.graph.is_stuck(state) {
            Err(FormulaValue::Open)
        } else {
            Err(FormulaValue::False)
        }
    }

    fn proposition(&mut self, instance: InstanceId, state: u32) -> FormulaValue {
        match self.bearer(instance, state) {
            Ok(_) => FormulaValue::True,
            Err(value) => value,
        }
    }

    /// The abstract label of a step.
    pub(crate) fn label(&mut self, position: usize) -> u32 {
        let (action, _) = self.graph.step(position);
        self.labels.label(action, self.graph.system(), self.names)
    }

    /// What has to hold after a step with this label: one instance per way in which it satisfies `γ`.
    pub(crate) fn after(&mut self, instance: InstanceId, label: u32) -> Box<[InstanceId]> {
        let place = label as usize;
        if let Some(Some(known)) = self.instances.get(instance).after.get(place) {
            return known.clone();
        }
        let formula = self.formula;
        let node = self.instances.get(instance).node;
        let kind = &formula.node(node).kind;
        let mut after = Vec::new();
        if let (Some(actions), Some(&then)) = (kind.binding_actions(), kind.parts().last()) {
            let step = self.labels.actions(label);
            let instances = &self.instances;
            let value = |variable| instances.value(formula, instance, variable);
            let ways = match_actions(actions, step, &value, self.arity);
            for way in ways {
                let outer: Vec<(Variable, Option<Name>)> = formula
                    .node(then)
                    .free
                    .iter()
                    .map(|&free| (free, self.instances.value(formula, instance, free)))
                    .collect();
                let value = |variable: Variable| {
                    let bound = way.iter().find(|(other, _)| *other == variable);
                    let outer = || outer.iter().find(|(other, _)| *other == variable);
                    bound.map(|it| it.1).or_else(|| outer().and_then(|it| it.1))
                };
                after.push(self.instances.add(formula, then, &value));
            }
        }
        if !after.is_empty() {
            self.matched[node.index()] = true;
        }
        let after: Box<[InstanceId]> = after.into();
        let known = &mut self.instances.get_mut(instance).after;
        if known.len() <= place {
            known.resize(place + 1, None);
        }
        known[place] = Some(after.clone());
        after
    }

    /// Whether a label satisfies the `χ` of an operator over paths.
    pub(crate) fn leads_on(&mut self, instance: InstanceId, label: u32) -> bool {
        let place = label as usize;
        if let Some(Some(known)) = self.instances.get(instance).steps.get(place) {
            return *known;
        }
        let formula = self.formula;
        let node = self.instances.get(instance).node;
        let satisfied = match step_actions(&formula.node(node).kind) {
            None => true,
            Some(actions) => {
                let instances = &self.instances;
                let value = |variable| instances.value(formula, instance, variable);
                !match_actions(actions, self.labels.actions(label), &value, self.arity).is_empty()
            }
        };
        let known = &mut self.instances.get_mut(instance).steps;
        if known.len() <= place {
            known.resize(place + 1, None);
        }
        known[place] = Some(satisfied);
        satisfied
    }

    /// Whether a step satisfies `γ` and leads to where the right side holds, in one of the ways to match.
    pub(crate) fn is_good(
        &mut self,
        instance: InstanceId,
        label: u32,
        target: u32,
    ) -> FormulaValue {
        let mut value = FormulaValue::False;
        for &then in self.after(instance, label).iter() {
            value = value.or(self.value(then, target));
            if value == FormulaValue::True {
                break;
            }
        }
        value
    }

    fn next_some(&mut self, instance: InstanceId, state: u32) -> FormulaValue {
        if !self.is_expanded(state) {
            return FormulaValue::Open;
        }
        let mut value = FormulaValue::False;
        for position in self.graph.steps(state) {
            let label = self.label(position);
            let target = self.graph.step(position).1;
            value = value.or(self.is_good(instance, label, target));
            if value == FormulaValue::True {
                break;
            }
        }
        value
    }

    fn next_all(&mut self, instance: InstanceId, state: u32) -> FormulaValue {
        if !self.is_expanded(state) {
            return FormulaValue::Open;
        }
        let steps = self.graph.steps(state);
        let mut value = FormulaValue::of(!steps.is_empty());
        for position in steps {
            let label = self.label(position);
            let target = self.graph.step(position).1;
            value = value.and(self.is_good(instance, label, target));
            if value == FormulaValue::False {
                break;
            }
        }
        value
    }

    fn next_box(&mut self, instance: InstanceId, state: u32) -> FormulaValue {
        if !self.is_expanded(state) {
            return FormulaValue::Open;
        }
        let mut value = FormulaValue::True;
        for position in self.graph.steps(state) {
            let label = self.label(position);
            let target = self.graph.step(position).1;
            for &then in self.after(instance, label).iter() {
                value = value.and(self.value(then, target));
                if value == FormulaValue::False {
                    return value;
                }
            }
        }
        value
    }

    /// Finds the values of an operator over paths in all states that its value in `start` depends on.
    fn solve(&mut self, instance: InstanceId, shape: Shape, start: u32) {
        let mut cell_of = self.maps.pop().unwrap_or_default();
        cell_of.resize(self.graph.found() as usize, NOWHERE);
        let mut region = Region {
            fair: self.all_fair(),
            ..Region::default()
        };
        let mut states = vec![start];
        cell_of[start as usize] = 0;
        let mut next = 0;
        while next < states.len() {
            let state = states[next];
            let cell = self.cell(instance, shape, state, &mut region.steps, &mut |target| {
                let known = &mut cell_of[target as usize];
                if *known == NOWHERE {
                    *known = states.len() as u32;
                    states.push(target);
                }
                *known
            });
            region.cells.push(cell);
            next += 1;
        }
        let values = region.solve(shape.quantifier, shape.weak);
        for (cell, value) in region.cells.iter().zip(values) {
            self.store(instance, cell.state, value);
            cell_of[cell.state as usize] = NOWHERE;
        }
        self.maps.push(cell_of);
    }

    fn cell(
        &mut self,
        instance: InstanceId,
        shape: Shape,
        state: u32,
        steps: &mut Vec<RegionEdge>,
        cell_of: &mut dyn FnMut(u32) -> u32,
    ) -> Cell {
        let start = steps.len() as u32;
        let settled = |value: FormulaValue| Cell {
            state,
            value: Some(value),
            left: FormulaValue::True,
            now: FormulaValue::False,
            steps: start..start,
            idle: 0,
        };
        if let Some(value) = self.known(instance, state) {
            return settled(value);
        }
        let now = match shape.target {
            Target::State(right) => self.value(right, state),
            Target::Nothing | Target::Step => FormulaValue::False,
        };
        if now == FormulaValue::True {
            return settled(FormulaValue::True);
        }
        let left = match shape.left {
            Some(left) => self.value(left, state),
            None => FormulaValue::True,
        };
        if left == FormulaValue::False {
            return settled(now);
        }
        if !self.is_expanded(state) || self.graph.is_cancelled() {
            return settled(FormulaValue::Open);
        }
        let range = self.graph.steps(state);
        if range.is_empty() {
            let end = if shape.weak {
                left
            } else {
                FormulaValue::False
            };
            return settled(end.or(now));
        }
        for position in range {
            let label = self.label(position);
            let target = self.graph.step(position).1;
            let good = match shape.target {
                Target::Step => self.is_good(instance, label, target),
                Target::Nothing | Target::State(_) => FormulaValue::False,
            };
            let goes = good != FormulaValue::True && self.leads_on(instance, label);
            let decided = match shape.quantifier {
                Quantifier::Some => good == FormulaValue::True && left == FormulaValue::True,
                Quantifier::All => {
                    good == FormulaValue::False && !goes && now == FormulaValue::False
                }
            };
            if decided {
                steps.truncate(start as usize);
                return settled(FormulaValue::of(shape.quantifier == Quantifier::Some));
            }
            steps.push(RegionEdge {
                good,
                to: goes.then_some(target),
                fair: self.fair_label(label),
            });
        }
        // Only now is it known that the targets matter.
        for step in &mut steps[start as usize..] {
            step.to = step.to.map(&mut *cell_of);
        }
        Cell {
            state,
            value: None,
            left,
            now,
            steps: start..steps.len() as u32,
            idle: self.idle(state),
        }
    }
}
