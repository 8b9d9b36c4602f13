//! In which order scopes are compensated (12.5.2): what depends on another scope is undone before it, rounds and
//! scopes in a sequence in the reverse order of completion, and what ran side by side in any order.

use super::run::Completed;
use super::{Kind, Made};

impl Made {
    /// Whether a scope has to be undone before another; `later` says whether it completed later.
    pub(super) fn is_undone_before(&self, one: &Completed, other: &Completed, later: bool) -> bool {
        let mut branches = one.branches.iter();
        let apart = branches.any(|it| other.branches.iter().any(|at| at.0 == it.0 && at.1 != it.1));
        if apart {
            return false;
        }
        if self.are_in_branches(one.scope, other.scope) {
            self.comes_before(other.scope, one.scope)
        } else {
            later
        }
    }

    /// Whether two activities are in two branches of a flow.
    fn are_in_branches(&self, one: usize, other: usize) -> bool {
        self.nodes.iter().any(|node| {
            let Kind::Flow(branches, _) = &node.kind else {
                return false;
            };
            let in_which = |it: usize| {
                branches
                    .iter()
                    .position(|&branch| self.within(branch).contains(&it))
            };
            matches!((in_which(one), in_which(other)), (Some(one), Some(other)) if one != other)
        })
    }

    /// Whether something in the first is over before something in the second begins, by sequences and links.
    fn comes_before(&self, first: usize, second: usize) -> bool {
        // Activity n begins at 2 n and is over at 2 n + 1.
        let mut after: Vec<(usize, usize)> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            after.push((2 * number, 2 * number + 1));
            for part in self.parts(number) {
                after.push((2 * number, 2 * part));
                after.push((2 * part + 1, 2 * number + 1));
            }
            if let Kind::Sequence(parts) = &node.kind {
                after.extend(parts.windows(2).map(|it| (2 * it[0] + 1, 2 * it[1])));
            }
            for &(link, _) in &node.sources {
                let targets = self.nodes.iter().enumerate();
                let targets = targets.filter(|it| it.1.targets.contains(&link));
                after.extend(targets.map(|it| (2 * number + 1, 2 * it.0)));
            }
        }
        let mut found: Vec<usize> = self.within(first).into_iter().map(|it| 2 * it).collect();
        let mut at = 0;
        while at < found.len() {
            let next = after.iter().filter(|it| it.0 == found[at]).map(|it| it.1);
            let next: Vec<usize> = next.filter(|it| !found.contains(it)).collect();
            found.extend(next);
            at += 1;
        }
        // Where it starts does not count: nothing in it comes after itself.
        let starts: Vec<usize> = self.within(second).into_iter().map(|it| 2 * it).collect();
        starts.iter().any(|it| found.contains(it))
    }
}
