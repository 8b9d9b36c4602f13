//! A labelled transition system that is all there.

use choros_base::Name;
use choros_data::Terms;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Action, ActionId, Cut, Extent, Lts, NoSuccessors, StateId};
use crate::stg::Direction;

/// A labelled transition system in arrays: states are `0..n`, the transitions of a state lie side by side.
#[derive(Debug, Clone)]
pub struct ExplicitLts {
    terms: Terms,
    initial: StateId,
    /// `transitions[first[s]..first[s + 1]]` leave state `s`.
    first: Vec<u32>,
    transitions: Vec<(ActionId, StateId)>,
    actions: Vec<Action>,
    /// `propositions[first_proposition[s]..first_proposition[s + 1]]` hold in state `s`.
    first_proposition: Vec<u32>,
    propositions: Vec<ActionId>,
    ended: Vec<bool>,
    extent: Extent,
}

/// Sizes as they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LtsCounts {
    pub states: usize,
    /// Distinct triples of source, label and target.
    pub transitions: usize,
    /// States without successor that have not ended.
    pub deadlocks: usize,
}

impl ExplicitLts {
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.ended.len() as u32).map(StateId)
    }

    /// The transitions that leave a state.
    pub fn transitions(&self, state: StateId) -> &[(ActionId, StateId)] {
        let state = state.index();
        &self.transitions[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// All labels; an [`ActionId`] of this system is a position here.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Where runs start.
    pub fn start(&self) -> StateId {
        self.initial
    }

    /// Whether it is the whole system, or the part that a bound left.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Its sizes.
    pub fn counts(&self) -> LtsCounts {
        LtsCounts {
            states: self.ended.len(),
            transitions: self.transitions.len(),
            deadlocks: self.deadlocks().count(),
        }
    }

    /// The states without successor that have not ended, in their order.
    pub fn deadlocks(&self) -> impl Iterator<Item = StateId> {
        self.states()
            .filter(|&state| self.transitions(state).is_empty() && !self.ended(state))
    }
}

impl Lts for ExplicitLts {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn initial(&mut self) -> StateId {
        self.initial
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        into.extend_from_slice(self.transitions(state));
        // Which states lack successors is not kept; being asked for any of them is enough to be told.
        Ok(self.extent.clone())
    }

    fn action(&self, action: ActionId) -> &Action {
        &self.actions[action.index()]
    }

    fn propositions(
        &mut self,
        state: StateId,
        into: &mut Vec<ActionId>,
    ) -> Result<(), NoSuccessors> {
        let state = state.index();
        let range = self.first_proposition[state]..self.first_proposition[state + 1];
        into.extend_from_slice(&self.propositions[range.start as usize..range.end as usize]);
        Ok(())
    }

    fn ended(&self, state: StateId) -> bool {
        self.ended[state.index()]
    }

    fn describe(&self, state: StateId) -> String {
        state.0.to_string()
    }
}

const FEW_TRANSITIONS: usize = 32;

/// Puts an explicit system together, state by state.
#[derive(Debug, Default)]
pub struct ExplicitLtsBuilder {
    first: Vec<u32>,
    transitions: Vec<(ActionId, StateId)>,
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, ActionId>,
    first_proposition: Vec<u32>,
    propositions: Vec<ActionId>,
    ended: Vec<bool>,
    extent: Extent,
}

impl ExplicitLtsBuilder {
    /// An empty system.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a label; equal labels have one id.
    pub fn action(&mut self, action: &Action) -> ActionId {
        if let Some(&id) = self.action_ids.get(action) {
            return id;
        }
        let id = ActionId(self.actions.len() as u32);
        self.actions.push(action.clone());
        self.action_ids.insert(action.clone(), id);
        id
    }

    /// The id of a label of which only the text is known.
    pub fn named_action(&mut self, name: Name) -> ActionId {
        self.action(&Action::Named {
            name,
            ends: None,
            direction: Direction::Interaction,
            arguments: Vec::new(),
        })
    }

    /// Adds the next state with all that leaves it and holds in it; repeated transitions are kept once.
    ///
    /// Targets may be states that are added later.
    pub fn state(
        &mut self,
        transitions: impl IntoIterator<Item = (ActionId, StateId)>,
        propositions: &[ActionId],
        ended: bool,
    ) -> StateId {
        let id = StateId(self.ended.len() as u32);
        self.first.push(self.transitions.len() as u32);
        self.first_proposition.push(self.propositions.len() as u32);
        let start = self.transitions.len();
        let mut seen = FxHashSet::default();
        for transition in transitions {
            // Most states have few transitions, which are looked through faster than hashed.
            let is_known = match self.transitions.len() - start {
                0..FEW_TRANSITIONS => self.transitions[start..].contains(&transition),
                FEW_TRANSITIONS => {
                    seen.extend(self.transitions[start..].iter().copied());
                    !seen.insert(transition)
                }
                _ => !seen.insert(transition),
            };
            if !is_known {
                self.transitions.push(transition);
            }
        }
        self.propositions.extend_from_slice(propositions);
        self.ended.push(ended);
        id
    }

    /// Notes that a bound kept something out.
    pub fn cut(&mut self, cut: Cut) {
        self.extent.cut(cut);
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.ended.len()
    }

    /// The system; transitions to states that were never added lead to states without successors.
    pub fn finish(mut self, initial: StateId, terms: Terms) -> ExplicitLts {
        let last = self.transitions.iter().map(|(_, target)| target.0).max();
        let last = last.map_or(initial.0, |last| last.max(initial.0));
        while self.ended.len() <= last as usize {
            self.state([], &[], false);
        }
        self.first.push(self.transitions.len() as u32);
        self.first_proposition.push(self.propositions.len() as u32);
        ExplicitLts {
            terms,
            initial,
            first: self.first,
            transitions: self.transitions,
            actions: self.actions,
            first_proposition: self.first_proposition,
            propositions: self.propositions,
            ended: self.ended,
            extent: self.extent,
        }
    }
}
