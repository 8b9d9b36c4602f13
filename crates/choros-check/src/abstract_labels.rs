//! Concrete labels seen through abstraction rules, each computed once.

use choros_base::Names;
use choros_model::lts::{ActionId, Lts};
use choros_query::abstraction::{Abstraction, StateLabels, activity};
use choros_query::socl::GroundAction;
use rustc_hash::FxHashMap;

/// One set of rules applied to one system.
pub struct AbstractLabels {
    abstraction: Abstraction,
    /// Where propositions come from.
    pub state_labels: StateLabels,
    used: Vec<bool>,
    labels: Vec<Vec<GroundAction>>,
    label_ids: FxHashMap<Vec<GroundAction>, u32>,
    of_step: Vec<Option<u32>>,
    of_state: Vec<Option<Vec<GroundAction>>>,
}

impl AbstractLabels {
    /// Nothing is computed yet.
    pub fn new(abstraction: Abstraction, state_labels: StateLabels) -> Self {
        Self {
            used: vec![false; abstraction.rules().len()],
            abstraction,
            state_labels,
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            of_step: Vec::new(),
            of_state: Vec::new(),
        }
    }

    /// The number of the set of actions after a concrete label; equal sets have one number.
    pub fn label(&mut self, action: ActionId, system: &dyn Lts, names: &mut Names) -> u32 {
        let place = action.index();
        if let Some(Some(label)) = self.of_step.get(place) {
            return *label;
        }
        let actions = match activity(system.action(action), system.terms(), names) {
            Some(activity) => self.abstraction.actions(&activity, &mut self.used),
            None => Vec::new(),
        };
        let next = self.labels.len() as u32;
        let label = *self.label_ids.entry(actions.clone()).or_insert(next);
        if label == next {
            self.labels.push(actions);
        }
        if self.of_step.len() <= place {
            self.of_step.resize(place + 1, None);
        }
        self.of_step[place] = Some(label);
        label
    }

    /// The actions of a label.
    pub fn actions(&self, label: u32) -> &[GroundAction] {
        &self.labels[label as usize]
    }

    /// What a concrete proposition (or a step, where states are labelled by their steps) makes true.
    pub fn propositions(
        &mut self,
        action: ActionId,
        system: &dyn Lts,
        names: &mut Names,
    ) -> &[GroundAction] {
        let place = action.index();
        if self.of_state.len() <= place {
            self.of_state.resize(place + 1, None);
        }
        if self.of_state[place].is_none() {
            let found = match activity(system.action(action), system.terms(), names) {
                Some(activity) => self
                    .abstraction
                    .propositions(&activity, names, &mut self.used),
                None => Vec::new(),
            };
            self.of_state[place] = Some(found);
        }
        self.of_state[place].as_deref().unwrap_or(&[])
    }

    /// What concrete labels mean.
    pub(crate) fn abstraction(&self) -> &Abstraction {
        &self.abstraction
    }

    /// The rules, and for each whether it has matched something.
    pub fn rules(&self) -> impl Iterator<Item = (&choros_query::abstraction::Rule, bool)> {
        self.abstraction
            .rules()
            .iter()
            .zip(self.used.iter().copied())
    }
}
