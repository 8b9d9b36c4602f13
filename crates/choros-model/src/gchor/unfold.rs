//! Loops written out.
//!
//! The thesis unfolds `repeat G` into `G;…;G`, exactly `n` times, and so loses the decision to leave (section 3.3).
//! [`LoopUnfolding::UpTo`] keeps it: `repeat G` followed by `K` becomes `{ G;{ G;… + K } + K }`, none to `n` times.
//! What follows the loop is pulled into the branches, because `⟦(G+H);K⟧ = ⟦G;K⟧ ∪ ⟦H;K⟧` and because only so each
//! choice shows its decider on both sides: a loop that is well-formed unfolds into choices that are well-branched.
//! What follows a fork cannot be pulled into one of its threads; there, a thread that ends in a loop ends in a choice
//! with `(o)`.

use choros_base::{Budget, StopReason};

use super::{Form, Gchor, NodeId};

/// How often a loop goes round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopUnfolding {
    /// Exactly this many times.
    Exactly(u32),
    /// Any number of times up to this one, none included; every decision to leave is kept.
    UpTo(u32),
}

/// The g-choreography without loops.
///
/// Each node that is made takes a step of the budget.
pub fn unfold(
    gchor: &Gchor,
    unfolding: LoopUnfolding,
    budget: &Budget,
) -> Result<Gchor, StopReason> {
    let mut work = Work {
        from: gchor,
        unfolding,
        budget,
        result: Gchor::new(),
    };
    if let Some(root) = gchor.root() {
        let root = work.node(root, None)?;
        work.result.set_root(root);
    }
    if work.result.depth() <= Gchor::DEPTH_LIMIT {
        Ok(work.result)
    } else {
        // Deeper trees would be safe here but not for those who walk them.
        Err(StopReason::Steps(u64::from(Gchor::DEPTH_LIMIT)))
    }
}

struct Work<'a> {
    from: &'a Gchor,
    unfolding: LoopUnfolding,
    budget: &'a Budget,
    result: Gchor,
}

impl Work<'_> {
    fn add(&mut self, form: Form, like: NodeId) -> Result<NodeId, StopReason> {
        self.budget.spend()?;
        Ok(self.result.add(form, self.from.node(like).origin))
    }

    /// A node and then `after`, which is in the result already; recursion is as deep as the given tree.
    fn node(&mut self, id: NodeId, after: Option<NodeId>) -> Result<NodeId, StopReason> {
        match self.from.form(id).clone() {
            Form::Empty => match after {
                Some(after) => Ok(after),
                None => self.add(Form::Empty, id),
            },
            Form::Interaction(interaction) => {
                let leaf = self.add(Form::Interaction(interaction), id)?;
                self.then(leaf, after, id)
            }
            Form::Fork(parts) => {
                let parts = self.each(&parts, None)?;
                let fork = self.add(Form::Fork(parts), id)?;
                self.then(fork, after, id)
            }
            Form::Choice { decider, branches } => {
                // Only a branch that ends in a loop needs what follows; the others would only repeat it.
                let pulled = match self.unfolding {
                    LoopUnfolding::UpTo(_) if branches.iter().any(|&it| self.ends_in_loop(it)) => {
                        after
                    }
                    _ => None,
                };
                let branches = self.each(&branches, pulled)?;
                let choice = self.add(Form::Choice { decider, branches }, id)?;
                match pulled {
                    Some(_) => Ok(choice),
                    None => self.then(choice, after, id),
                }
            }
            Form::Sequence(parts) => {
                // From the end, so that a loop finds what follows it.
                let mut rest: Vec<NodeId> = after.into_iter().collect();
                for &part in parts.iter().rev() {
                    let leaves = matches!(self.unfolding, LoopUnfolding::UpTo(_));
                    if leaves && self.ends_in_loop(part) {
                        let after = match rest.len() {
                            0 => None,
                            1 => Some(rest[0]),
                            _ => {
                                rest.reverse();
                                Some(self.add(Form::Sequence(std::mem::take(&mut rest)), id)?)
                            }
                        };
                        let whole = self.node(part, after)?;
                        rest = vec![whole];
                    } else {
                        let part = self.node(part, None)?;
                        rest.push(part);
                    }
                }
                rest.reverse();
                match rest.len() {
                    0 => self.add(Form::Empty, id),
                    1 => Ok(rest[0]),
                    _ => self.add(Form::Sequence(rest), id),
                }
            }
            Form::Repeat { controller, body } => match self.unfolding {
                LoopUnfolding::Exactly(times) => {
                    let body = self.node(body, None)?;
                    let mut parts = Vec::new();
                    for _ in 0..times {
                        self.budget.spend()?;
                        parts.push(body);
                    }
                    parts.extend(after);
                    match parts.len() {
                        0 => self.add(Form::Empty, id),
                        1 => Ok(parts[0]),
                        _ => self.add(Form::Sequence(parts), id),
                    }
                }
                LoopUnfolding::UpTo(times) => {
                    let left = match after {
                        Some(after) => after,
                        None => self.add(Form::Empty, id)?,
                    };
                    let mut whole = left;
                    for _ in 0..times {
                        let again = self.node(body, Some(whole))?;
                        let form = Form::Choice {
                            decider: controller,
                            branches: vec![again, left],
                        };
                        whole = self.add(form, id)?;
                    }
                    Ok(whole)
                }
            },
        }
    }

    fn each(&mut self, parts: &[NodeId], after: Option<NodeId>) -> Result<Vec<NodeId>, StopReason> {
        parts.iter().map(|&part| self.node(part, after)).collect()
    }

    fn then(
        &mut self,
        node: NodeId,
        after: Option<NodeId>,
        like: NodeId,
    ) -> Result<NodeId, StopReason> {
        match after {
            None => Ok(node),
            Some(after) => self.add(Form::Sequence(vec![node, after]), like),
        }
    }

    /// Whether a loop stands at the end of some branch, outside of forks.
    fn ends_in_loop(&self, id: NodeId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.from.form(id) {
                Form::Repeat { .. } => return true,
                Form::Sequence(parts) => open.extend(parts.last()),
                Form::Choice { branches, .. } => open.extend(branches),
                Form::Empty | Form::Interaction(_) | Form::Fork(_) => {}
            }
        }
        false
    }
}
