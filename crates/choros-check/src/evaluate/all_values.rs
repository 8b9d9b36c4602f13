//! Formulas about all values of some variables.
//!
//! Such a formula is asked with each value that a label or a proposition carries, and with one that none carries: a
//! value is compared with those of labels and propositions only, so all values that none carries give one answer.
//! That it holds is known when the whole system is, since a later state may bring another value; that it fails is
//! known at once.

use choros_base::Name;
use choros_query::abstraction::StateLabels;
use choros_query::socl::{GroundAction, Variable};
use rustc_hash::FxHashSet;

use super::instance::InstanceId;
use super::rounds::Evaluator;
use super::truth::FormulaValue;

/// More combinations of values than this are not asked about.
const MAX_COMBINATIONS: usize = 10_000;

/// Values that were met.
#[derive(Debug, Default)]
pub(super) struct KnownValues {
    /// In the order in which they were met.
    met: Vec<Name>,
    known: FxHashSet<Name>,
    /// States below were searched for values.
    searched: u32,
    /// The values for which the formula fails.
    refuted: Option<InstanceId>,
    /// There were too many combinations.
    pub(super) too_many: bool,
}

impl KnownValues {
    fn meet(&mut self, actions: &[GroundAction]) {
        for &value in actions.iter().flat_map(|it| &it.arguments) {
            if self.known.insert(value) {
                self.met.push(value);
            }
        }
    }
}

impl Evaluator<'_, '_> {
    /// The value of the whole formula in the first state.
    pub(crate) fn whole(&mut self) -> FormulaValue {
        let formula = self.formula;
        let variables = formula.for_all();
        if variables.is_empty() {
            let root = self.root();
            return self.value(root, 0);
        }
        self.search_values();
        let mut values = self.values.met.clone();
        values.push(self.value_of_none());
        let combinations = values.len().checked_pow(variables.len() as u32);
        let Some(combinations) = combinations.filter(|&it| it <= MAX_COMBINATIONS) else {
            self.values.too_many = true;
            return FormulaValue::Open;
        };
        let mut whole = FormulaValue::True;
        for number in 0..combinations {
            let one = |variable: Variable| {
                let place = variables.iter().position(|&it| it == variable)?;
                let digit = number / values.len().pow(place as u32);
                Some(values[digit % values.len()])
            };
            let instance = self.instances.add(formula, formula.root(), &one);
            let value = self.value(instance, 0);
            if value == FormulaValue::False {
                self.values.refuted = Some(instance);
                return value;
            }
            whole = whole.and(value);
        }
        let is_complete = self.graph.is_complete() && self.graph.expanded() == self.limit();
        if whole == FormulaValue::True && !is_complete {
            return FormulaValue::Open;
        }
        whole
    }

    /// The whole formula; of one about all values, with the values that decide it.
    pub(crate) fn root(&mut self) -> InstanceId {
        if let Some(refuted) = self.values.refuted {
            return refuted;
        }
        let formula = self.formula;
        let other = self.value_of_none();
        let value = self.values.met.first().copied().unwrap_or(other);
        let is_free = |it: Variable| formula.for_all().contains(&it).then_some(value);
        self.instances.add(formula, formula.root(), &is_free)
    }

    /// A value that no label carries.
    fn value_of_none(&mut self) -> Name {
        let mut text = "another value".to_owned();
        loop {
            let name = self.names.intern(&text);
            if !self.values.known.contains(&name) {
                return name;
            }
            text.push('\'');
        }
    }

    fn search_values(&mut self) {
        let by_steps = self.labels.state_labels == StateLabels::Steps;
        for state in self.values.searched..self.limit() {
            let mut ready = Vec::new();
            for position in self.graph.steps(state) {
                let label = self.label(position);
                self.values.meet(self.labels.actions(label));
                ready.push(self.graph.step(position).0);
            }
            if !by_steps {
                let range = self.graph.propositions(state);
                ready = range.map(|it| self.graph.proposition(it)).collect();
            }
            for action in ready {
                let system = self.graph.system();
                let made = self.labels.propositions(action, system, self.names);
                self.values.meet(made);
            }
        }
        self.values.searched = self.limit();
    }
}
