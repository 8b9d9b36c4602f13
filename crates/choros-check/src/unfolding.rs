//! What is known of a system so far: a breadth-first prefix of it.
//!
//! States are numbered in the order in which they are found and expanded in that order, so the first `n` expanded
//! states are always the same ones, whatever was asked before: an answer does not depend on the questions before it.

use choros_base::{Budget, StopReason};
use choros_model::lts::{ActionId, Cut, Extent, Lts, StateId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A system that is unfolded as far as questions need it.
pub struct UnfoldedLts<'l> {
    system: &'l mut dyn Lts,
    bounds: UnfoldingBounds,
    ids: FxHashMap<StateId, u32>,
    originals: Vec<StateId>,
    depths: Vec<u32>,
    /// `steps[first[s]..first[s + 1]]` leave the expanded state `s`.
    first: Vec<u32>,
    steps: Vec<(ActionId, u32)>,
    /// How many states were known after each expansion.
    known: Vec<u32>,
    /// Where the propositions of a state lie, once someone asked.
    ready: Vec<Option<(u32, u32)>>,
    propositions: Vec<ActionId>,
    /// States of which the system could not tell everything.
    stuck: FxHashSet<u32>,
    /// Why it could not, the first time.
    stuck_reason: Option<Cut>,
    buffer: Vec<(ActionId, StateId)>,
}

/// How far a system may be unfolded.
#[derive(Debug, Clone)]
pub struct UnfoldingBounds {
    /// This many states at most.
    pub max_states: u64,
    /// This many steps from the start at most.
    pub depth: Option<u32>,
    /// Ends the work from outside.
    pub budget: Budget,
}

/// Why nothing more can be expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnfoldingEnd {
    /// Everything is expanded.
    Complete,
    /// The bound of states.
    States(u64),
    /// The bound of steps from the start.
    Depth(u32),
    /// Someone asked to stop, or the work given is used up.
    Spent(StopReason),
}

impl<'l> UnfoldedLts<'l> {
    /// The start of a system.
    pub fn new(system: &'l mut dyn Lts, bounds: UnfoldingBounds) -> Self {
        let start = system.initial();
        Self {
            system,
            bounds,
            ids: [(start, 0)].into_iter().collect(),
            originals: vec![start],
            depths: vec![0],
            first: vec![0],
            steps: Vec::new(),
            known: Vec::new(),
            ready: vec![None],
            propositions: Vec::new(),
            stuck: FxHashSet::default(),
            stuck_reason: None,
            buffer: Vec::new(),
        }
    }

    /// The system itself.
    pub fn system(&self) -> &dyn Lts {
        self.system
    }

    /// The system, and what ends the work from outside.
    pub(crate) fn given(&mut self) -> (&mut dyn Lts, &Budget) {
        (&mut *self.system, &self.bounds.budget)
    }

    /// A step in the words of the model: its details, or else its label.
    pub fn step_text(&mut self, from: u32, action: ActionId, to: u32) -> String {
        let (source, target) = (self.original(from), self.original(to));
        match self.system.step_details(source, action, target) {
            Some(details) => details,
            None => self.system.action(action).text(self.system.terms()),
        }
    }

    /// Its name for a state.
    pub fn original(&self, state: u32) -> StateId {
        self.originals[state as usize]
    }

    /// States found so far.
    pub fn found(&self) -> u32 {
        self.originals.len() as u32
    }

    /// States expanded so far; they are the first ones.
    pub fn expanded(&self) -> u32 {
        self.known.len() as u32
    }

    /// States that were found when the first `expanded` states were expanded.
    pub fn found_after(&self, expanded: u32) -> u32 {
        match expanded {
            0 => 1,
            _ => self.known[expanded as usize - 1],
        }
    }

    /// Steps that leave the first `expanded` states.
    pub fn steps_after(&self, expanded: u32) -> u32 {
        self.first[expanded as usize]
    }

    /// The steps of an expanded state, as positions for [`UnfoldedLts::step`].
    pub fn steps(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }

    /// The label and target of a step.
    pub fn step(&self, position: usize) -> (ActionId, u32) {
        self.steps[position]
    }

    /// Whether the system could not tell what follows a state or holds in it.
    pub fn is_stuck(&self, state: u32) -> bool {
        self.stuck.contains(&state)
    }

    /// Why the system could not tell, for the first state where that happened.
    pub fn first_stuck(&self) -> Option<&Cut> {
        self.stuck_reason.as_ref()
    }

    /// Whether everything is known of the system.
    pub fn is_complete(&self) -> bool {
        self.expanded() == self.found() && self.stuck.is_empty()
    }

    /// Whether someone asked to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.bounds.budget.spend(), Err(StopReason::Cancelled))
    }

    /// What a state is ready for; empty where the system cannot tell.
    pub fn propositions(&mut self, state: u32) -> std::ops::Range<usize> {
        let (start, end) = match self.ready[state as usize] {
            Some(range) => range,
            None => {
                let start = self.propositions.len() as u32;
                let original = self.originals[state as usize];
                let answer = self.system.propositions(original, &mut self.propositions);
                if let Err(stuck) = answer {
                    self.propositions.truncate(start as usize);
                    self.stuck.insert(state);
                    self.stuck_reason.get_or_insert(stuck.into());
                }
                let range = (start, self.propositions.len() as u32);
                self.ready[state as usize] = Some(range);
                range
            }
        };
        start as usize..end as usize
    }

    /// The proposition at a position of [`UnfoldedLts::propositions`].
    pub fn proposition(&self, position: usize) -> ActionId {
        self.propositions[position]
    }

    /// The end of the layer of states that are as far from the start as the first state that is not among the first
    /// `expanded` ones; all states of that layer are known when those before it are expanded.
    pub fn layer_end(&self, expanded: u32) -> u32 {
        match self.depths.get(expanded as usize) {
            Some(&depth) => self.depths.partition_point(|&other| other <= depth) as u32,
            None => expanded,
        }
    }

    /// Expands states until the first `wanted` are expanded or nothing more can be.
    pub fn expand(&mut self, wanted: u32) -> Result<(), UnfoldingEnd> {
        while self.expanded() < wanted {
            let state = self.expanded();
            let Some(&depth) = self.depths.get(state as usize) else {
                return Err(UnfoldingEnd::Complete);
            };
            if self.bounds.depth.is_some_and(|bound| depth >= bound) {
                return Err(UnfoldingEnd::Depth(depth));
            }
            if u64::from(self.found()) > self.bounds.max_states {
                return Err(UnfoldingEnd::States(self.bounds.max_states));
            }
            self.bounds.budget.spend().map_err(UnfoldingEnd::Spent)?;
            self.expand_next(state, depth);
        }
        Ok(())
    }

    fn expand_next(&mut self, state: u32, depth: u32) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let original = self.originals[state as usize];
        let cut = match self.system.successors(original, &mut buffer) {
            Ok(Extent::Whole) => None,
            Ok(Extent::Cut(cut)) => Some(cut),
            Err(stuck) => Some(Cut::from(stuck)),
        };
        if let Some(cut) = cut {
            // Half of the successors would pass for all of them.
            buffer.clear();
            self.stuck.insert(state);
            self.stuck_reason.get_or_insert(cut);
        }
        for &(action, target) in &buffer {
            let next = self.originals.len() as u32;
            let id = *self.ids.entry(target).or_insert(next);
            if id == next {
                self.originals.push(target);
                self.depths.push(depth + 1);
                self.ready.push(None);
            }
            self.steps.push((action, id));
        }
        self.first.push(self.steps.len() as u32);
        self.known.push(self.originals.len() as u32);
        self.buffer = buffer;
    }
}
