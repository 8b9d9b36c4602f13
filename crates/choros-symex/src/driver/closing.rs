//! Branches while everything unseen is followed from them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::branch::{Branch, Key};

/// The branches that were found, and what is left to do.
#[derive(Default)]
pub(super) struct Closing {
    pub(super) all: Vec<Branch>,
    known: FxHashMap<Key, usize>,
    /// The positions of those that are to be followed.
    pub(super) work: VecDeque<usize>,
    /// Unseen steps that take no time, between branches that owe no output.
    pub(super) steps: Vec<(usize, usize)>,
}

impl Closing {
    /// Adds a branch, or widens the window of the equal one; its position.
    pub(super) fn add(&mut self, branch: Branch) -> usize {
        let key = branch.key();
        match self.known.get(&key) {
            Some(&position) => {
                let old = &mut self.all[position];
                let window = old.window.hull(branch.window);
                let hidden = old.hidden.min(branch.hidden);
                if window != old.window || hidden != old.hidden {
                    old.window = window;
                    old.hidden = hidden;
                    if !self.work.contains(&position) {
                        self.work.push_back(position);
                    }
                }
                position
            }
            None => {
                let position = self.all.len();
                self.known.insert(key, position);
                self.work.push_back(position);
                self.all.push(branch);
                position
            }
        }
    }

    /// Whether the steps go round anywhere: whether something is left after taking away, again and again, what has no
    /// step into it.
    pub(super) fn has_cycle(&self) -> bool {
        let count = self.all.len();
        let mut into = vec![0_usize; count];
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(source, target) in &self.steps {
            into[target] += 1;
            from[source].push(target);
        }
        let mut free: Vec<usize> = (0..count).filter(|&node| into[node] == 0).collect();
        let mut taken = 0;
        while let Some(node) = free.pop() {
            taken += 1;
            for &target in &from[node] {
                into[target] -= 1;
                if into[target] == 0 {
                    free.push(target);
                }
            }
        }
        taken < count
    }
}
