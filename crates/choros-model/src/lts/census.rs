//! Counting a system without keeping it.
//!
//! Breadth first, as [`super::explore`] goes, but of each state only its predecessor is kept, so that systems with
//! millions of states can be counted and a shortest run to each deadlock is still known.

use choros_base::Budget;

use super::{ActionId, Cut, Extent, Lts, LtsCounts, StateId};

/// What was counted.
#[derive(Debug, Clone, Default)]
pub struct Census {
    /// Sizes; a state whose successors are not known is not a deadlock.
    pub counts: LtsCounts,
    /// The deadlocks, nearest first.
    pub deadlocks: Vec<StateId>,
    /// Whether everything was counted.
    pub extent: Extent,
    /// For each state but the first, the state and label from which it was discovered.
    parents: Vec<Option<(StateId, ActionId)>>,
}

/// Unfolds a system until nothing is new or the budget, spent by the state, is used up.
///
/// `watch` is told from time to time how many states there are.
pub fn census(system: &mut impl Lts, budget: &Budget, mut watch: impl FnMut(usize)) -> Census {
    let mut found = Census::default();
    let initial = system.initial();
    let mut known: Vec<bool> = Vec::new();
    let mut queue = vec![initial];
    discover(initial, None, &mut known, &mut found.parents);
    let mut successors: Vec<(ActionId, StateId)> = Vec::new();
    let mut next = 0;
    while next < queue.len() {
        let state = queue[next];
        next += 1;
        if next % 4096 == 0 {
            watch(queue.len());
        }
        successors.clear();
        let answer = match budget.spend() {
            Err(spent) => Err(Cut::from(spent)),
            Ok(()) => {
                let answer = system.successors(state, &mut successors);
                answer.map_err(Cut::from)
            }
        };
        let all = match answer {
            Ok(extent) => {
                let all = extent.is_whole();
                found.extent.include(extent);
                all
            }
            Err(cut) => {
                // Whatever comes later would only be refused again.
                found.extent.cut(cut);
                break;
            }
        };
        if all && successors.is_empty() && !system.ended(state) {
            found.deadlocks.push(state);
        }
        found.counts.transitions += successors.len();
        for &(action, target) in &successors {
            if discover(
                target,
                Some((state, action)),
                &mut known,
                &mut found.parents,
            ) {
                queue.push(target);
            }
        }
    }
    found.counts.states = queue.len();
    found.counts.deadlocks = found.deadlocks.len();
    found
}

/// Notes a state; answers whether it is new.
fn discover(
    state: StateId,
    parent: Option<(StateId, ActionId)>,
    known: &mut Vec<bool>,
    parents: &mut Vec<Option<(StateId, ActionId)>>,
) -> bool {
    let index = state.index();
    if known.len() <= index {
        known.resize(index + 1, false);
        parents.resize(index + 1, None);
    }
    let is_new = !std::mem::replace(&mut known[index], true);
    if is_new {
        parents[index] = parent;
    }
    is_new
}

impl Census {
    /// A shortest run to a state that was counted: sources, labels and targets.
    pub fn run_to(&self, state: StateId) -> Vec<(StateId, ActionId, StateId)> {
        let mut steps = Vec::new();
        let mut state = state;
        while let Some(&Some((before, action))) = self.parents.get(state.index()) {
            steps.push((before, action, state));
            state = before;
        }
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::super::{explore, read_aut};
    use super::*;

    #[test]
    fn it_counts_what_exploration_finds() {
        let text = "des (0, 5, 5)\n(0, a, 1)\n(0, b, 2)\n(1, a, 3)\n(2, b, 3)\n(3, c, 4)\n";
        let file = SourceMap::new().add("test.aut", text);
        let (mut lts, _) = read_aut(file, text);
        let explored = explore(&mut lts, &Budget::unlimited());
        let counted = census(&mut lts, &Budget::unlimited(), |_| {});
        assert_eq!(counted.counts, explored.counts());
        assert_eq!(counted.deadlocks, [StateId(4)]);
        let run = counted.run_to(StateId(4));
        assert_eq!(run.len(), 3);
        assert_eq!(run[2].2, StateId(4));
        assert!(counted.extent.is_whole());
    }

    #[test]
    fn a_budget_cuts_it() {
        let text = "des (0, 2, 3)\n(0, a, 1)\n(1, a, 2)\n";
        let file = SourceMap::new().add("test.aut", text);
        let (mut lts, _) = read_aut(file, text);
        let counted = census(&mut lts, &Budget::steps(1), |_| {});
        assert_eq!((counted.counts.states, counted.counts.deadlocks), (2, 0));
        assert!(!counted.extent.is_whole());
    }
}
