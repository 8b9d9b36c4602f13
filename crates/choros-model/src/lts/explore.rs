//! Breadth-first exploration of any system into an explicit one.
//!
//! States are numbered in the order of discovery, so equal models give equal numbers, and the path by which a state
//! was discovered is a shortest one.

use choros_base::Budget;
use choros_data::Terms;
use rustc_hash::FxHashMap;

use super::{
    Action, ActionId, Cut, ExplicitLts, ExplicitLtsBuilder, Extent, Lts, LtsCounts, StateId,
};
use crate::evidence::{Evidence, Step, StepEvent, Trace};

/// What was found.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The part of the system that was unfolded; its extent says whether that is all.
    pub lts: ExplicitLts,
    /// For each state, the system's own id of it.
    originals: Vec<StateId>,
    /// For each state but the first, the state and label from which it was discovered.
    parents: Vec<Option<(StateId, ActionId)>>,
    /// Whether the successors of a state are known: only then may its having none be called a deadlock.
    expanded: Vec<bool>,
}

/// Unfolds a system until nothing is new or the budget, spent by the state, is used up.
pub fn explore(system: &mut impl Lts, budget: &Budget) -> Exploration {
    let mut builder = ExplicitLtsBuilder::new();
    let mut search = Search::default();
    let mut successors: Vec<(ActionId, StateId)> = Vec::new();
    let mut holding: Vec<ActionId> = Vec::new();
    let mut labels = Relabelled::default();
    let initial = system.initial();
    search.state(initial, None);
    let mut next = 0;
    while next < search.originals.len() {
        let (state, original) = (StateId(next as u32), search.originals[next]);
        next += 1;
        successors.clear();
        holding.clear();
        let answer = match budget.spend() {
            Err(spent) => Err(Cut::from(spent)),
            Ok(()) => system
                .successors(original, &mut successors)
                .and_then(|extent| {
                    system.propositions(original, &mut holding)?;
                    Ok(extent)
                })
                .map_err(Cut::from),
        };
        search.expanded[state.index()] = answer == Ok(Extent::Whole);
        match answer {
            Ok(Extent::Whole) => {}
            Ok(Extent::Cut(cut)) => builder.cut(cut),
            Err(cut) => {
                builder.cut(cut);
                // What came before the failure is not a set of successors.
                successors.clear();
                holding.clear();
            }
        }
        let transitions: Vec<(ActionId, StateId)> = successors
            .iter()
            .map(|&(action, target)| {
                let action = labels.get(action, system, &mut builder);
                (action, search.state(target, Some((state, action))))
            })
            .collect();
        let holding: Vec<ActionId> = holding
            .iter()
            .map(|&action| labels.get(action, system, &mut builder))
            .collect();
        builder.state(transitions, &holding, system.ended(original));
    }
    Exploration {
        lts: builder.finish(StateId(0), system.terms().clone()),
        originals: search.originals,
        parents: search.parents,
        expanded: search.expanded,
    }
}

/// The builder's ids of the system's labels: comparing labels themselves at each transition would cost more than all
/// the rest.
#[derive(Default)]
struct Relabelled {
    known: FxHashMap<ActionId, ActionId>,
}

impl Relabelled {
    fn get(
        &mut self,
        action: ActionId,
        system: &impl Lts,
        builder: &mut ExplicitLtsBuilder,
    ) -> ActionId {
        let label = || builder.action(system.action(action));
        *self.known.entry(action).or_insert_with(label)
    }
}

#[derive(Default)]
struct Search {
    ids: FxHashMap<StateId, StateId>,
    originals: Vec<StateId>,
    parents: Vec<Option<(StateId, ActionId)>>,
    expanded: Vec<bool>,
}

impl Search {
    fn state(&mut self, original: StateId, parent: Option<(StateId, ActionId)>) -> StateId {
        let next = StateId(self.originals.len() as u32);
        let id = *self.ids.entry(original).or_insert(next);
        if id == next {
            self.originals.push(original);
            self.parents.push(parent);
            self.expanded.push(false);
        }
        id
    }
}

impl Exploration {
    /// Whether everything was unfolded.
    pub fn complete(&self) -> bool {
        self.lts.extent().is_whole()
    }

    /// Sizes of what was unfolded; a state whose successors are not known is not a deadlock.
    pub fn counts(&self) -> LtsCounts {
        LtsCounts {
            deadlocks: self.deadlocks().count(),
            ..self.lts.counts()
        }
    }

    /// The deadlocks, nearest first.
    pub fn deadlocks(&self) -> impl Iterator<Item = StateId> {
        self.lts
            .deadlocks()
            .filter(|state| self.expanded[state.index()])
    }

    /// A shortest run to the nearest deadlock; `system` is the one that was explored.
    pub fn deadlock_trace(&self, system: &impl Lts) -> Option<Evidence> {
        let deadlock = self.deadlocks().next()?;
        let mut trace = self.trace_to(deadlock, system);
        trace.conclusion = format!(
            "deadlock: nothing can follow {}, which has not ended",
            system.describe(self.originals[deadlock.index()])
        );
        Some(Evidence::Trace(trace))
    }

    /// A shortest run to a state; `system` is the one that was explored.
    pub fn trace_to(&self, state: StateId, system: &impl Lts) -> Trace {
        let describe = |state: StateId| system.describe(self.originals[state.index()]);
        let mut steps = Vec::new();
        let mut state = state;
        while let Some((before, action)) = self.parents[state.index()] {
            steps.push(Step {
                event: step_event(&self.lts.actions()[action.index()], self.lts.terms()),
                guard: None,
                bindings: Vec::new(),
                states: Some((describe(before), describe(state))),
                origin: None,
            });
            state = before;
        }
        steps.reverse();
        Trace {
            steps,
            conclusion: String::new(),
            ..Trace::default()
        }
    }
}

/// A label as the event of a step.
pub fn step_event(action: &Action, terms: &Terms) -> StepEvent {
    match action {
        Action::Silent => StepEvent::Silent,
        Action::Named { ends: None, .. } | Action::Offered { .. } | Action::Hidden(_) => {
            StepEvent::Other(action.text(terms))
        }
        Action::Named {
            name,
            ends: Some((from, to)),
            direction,
            arguments,
        } => StepEvent::Message {
            operation: terms.names.text(*name).to_owned(),
            from: terms.names.text(*from).to_owned(),
            to: terms.names.text(*to).to_owned(),
            direction: *direction,
            fields: arguments
                .iter()
                .map(|value| (String::new(), terms.print_value(value)))
                .collect(),
        },
    }
}
