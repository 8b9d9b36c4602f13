//! Fairness: which endless paths count.
//!
//! An assumption names steps.
//! A path is fair to it if it takes such steps again and again, or comes to states without one again and again (weak
//! fairness, or justice); a path that ends is fair.
//! So a set of states in which a path can go round is fair if, for each assumption, it has a state without such a step,
//! or has such a step inside: the path that goes round all of it is fair, and of a fair path the states that it comes
//! to again and again are such a set.

use choros_query::socl::{Actions, Arity, GroundAction, match_actions};

use super::rounds::Evaluator;

impl Evaluator<'_, '_> {
    /// The assumptions of which a label is a step, as bits.
    pub(crate) fn fair_label(&mut self, label: u32) -> u64 {
        let place = label as usize;
        if let Some(Some(known)) = self.fair_labels.get(place) {
            return *known;
        }
        let mut found = 0;
        for (index, steps) in self.fair.iter().enumerate() {
            if is_step(steps, self.labels.actions(label), self.arity()) {
                found |= 1 << index;
            }
        }
        if self.fair_labels.len() <= place {
            self.fair_labels.resize(place + 1, None);
        }
        self.fair_labels[place] = Some(found);
        found
    }

    /// The assumptions that have no step in a state.
    pub(crate) fn idle(&mut self, state: u32) -> u64 {
        let mut enabled = 0;
        if !self.fair.is_empty() {
            for position in self.graph.steps(state) {
                let label = self.label(position);
                enabled |= self.fair_label(label);
            }
        }
        self.all_fair() & !enabled
    }

    /// All assumptions.
    pub(crate) fn all_fair(&self) -> u64 {
        let count = self.fair.len() as u32;
        u64::MAX.checked_shr(u64::BITS - count).unwrap_or(0)
    }
}

/// Whether a step has one of these actions.
fn is_step(steps: &Actions, label: &[GroundAction], arity: Arity) -> bool {
    !match_actions(steps, label, &|_| None, arity).is_empty()
}

/// The components in which a path can stay that is fair to all assumptions.
pub(crate) fn fair_components(
    count: usize,
    all: u64,
    following: &dyn Fn(u32) -> Vec<(u32, u64)>,
    idle: &dyn Fn(u32) -> u64,
) -> Vec<Vec<u32>> {
    let (numbers, components) = components(count, following);
    let is_fair = |component: &Vec<u32>| {
        let (mut met, mut goes_round) = (0, false);
        for &cell in component {
            met |= idle(cell);
            for (to, fair) in following(cell) {
                if numbers[to as usize] == numbers[cell as usize] {
                    goes_round = true;
                    met |= fair;
                }
            }
        }
        goes_round && met & all == all
    };
    components.into_iter().filter(is_fair).collect()
}

/// Tarjan's components, without recursion.
fn components(
    count: usize,
    following: &dyn Fn(u32) -> Vec<(u32, u64)>,
) -> (Vec<u32>, Vec<Vec<u32>>) {
    const NONE: u32 = u32::MAX;
    let mut numbers = vec![NONE; count];
    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut index = vec![NONE; count];
    let mut low = vec![0u32; count];
    let mut next = 0;
    let mut open: Vec<u32> = Vec::new();
    for start in 0..count as u32 {
        if index[start as usize] != NONE {
            continue;
        }
        let mut work: Vec<(u32, Vec<(u32, u64)>)> = Vec::new();
        let mut enter = Some(start);
        loop {
            if let Some(cell) = enter.take() {
                index[cell as usize] = next;
                low[cell as usize] = next;
                next += 1;
                open.push(cell);
                work.push((cell, following(cell)));
            }
            let Some((cell, rest)) = work.last_mut() else {
                break;
            };
            let cell = *cell;
            if let Some((to, _)) = rest.pop() {
                if index[to as usize] == NONE {
                    enter = Some(to);
                } else if numbers[to as usize] == NONE {
                    low[cell as usize] = low[cell as usize].min(index[to as usize]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[cell as usize]);
            }
            if low[cell as usize] == index[cell as usize] {
                let number = found.len() as u32;
                let mut component = Vec::new();
                while let Some(member) = open.pop() {
                    numbers[member as usize] = number;
                    component.push(member);
                    if member == cell {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    (numbers, found)
}
