//! The activities of some components that can happen at once.
//!
//! The components are laid out as a tree whose leaves are activities, with copies of replications beside them:
//! one that may do anything, and one that may only invoke, for a communication between two copies.
//! By symmetry no other copies are needed.
//! A copy that had no part in a step was never made.

use super::process::{
    Block, Id, Message, Process, Receive, halt, open, protection, replication, scope,
};

/// Components laid out.
#[derive(Debug)]
pub(crate) struct Active {
    nodes: Vec<Node>,
    /// The next free number for what is delimited.
    pub(crate) next: u32,
}

#[derive(Debug)]
struct Node {
    parent: usize,
    kind: NodeKind,
    /// Inside a copy that may only invoke.
    is_second: bool,
    /// Kills of one of the labels are pending in it; of scopes only.
    has_pending_kill: bool,
}

#[derive(Debug)]
enum NodeKind {
    Root,
    Protection,
    Scope(Vec<Id>),
    /// A copy of a replication.
    Copy,
    Replication(Box<Block>),
    Kill(Id, u32),
    Invoke(Message),
    Choice(Vec<Receive>),
}

/// An activity that can happen at once, or could if no kill were pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    node: usize,
    /// Which branch of a choice.
    branch: usize,
}

impl Active {
    /// Lays components out; numbers from `next` on are free.
    pub(crate) fn new(body: &[Process], next: u32) -> Active {
        let mut active = Active {
            nodes: Vec::new(),
            next,
        };
        let root = active.node(0, NodeKind::Root, false);
        active.add(body, root, false);
        active.mark_pending_kills();
        active
    }

    fn node(&mut self, parent: usize, kind: NodeKind, is_second: bool) -> usize {
        self.nodes.push(Node {
            parent,
            kind,
            is_second,
            has_pending_kill: false,
        });
        self.nodes.len() - 1
    }

    fn add(&mut self, body: &[Process], parent: usize, is_second: bool) {
        for process in body {
            match process {
                Process::Kill(label, origin) => {
                    self.node(parent, NodeKind::Kill(*label, *origin), is_second);
                }
                Process::Invoke(message) => {
                    self.node(parent, NodeKind::Invoke(message.clone()), is_second);
                }
                Process::Choice(receives) => {
                    self.node(parent, NodeKind::Choice(receives.clone()), is_second);
                }
                Process::Protection(body) => {
                    let node = self.node(parent, NodeKind::Protection, is_second);
                    self.add(body, node, is_second);
                }
                Process::Scope(labels, body) => {
                    let node = self.node(parent, NodeKind::Scope(labels.clone()), is_second);
                    self.add(body, node, is_second);
                }
                Process::Replication(block) => {
                    self.node(parent, NodeKind::Replication(block.clone()), is_second);
                    self.copy(block, parent, is_second);
                    if !is_second && has_invoke(&block.body) {
                        self.copy(block, parent, true);
                    }
                }
            }
        }
    }

    fn copy(&mut self, block: &Block, parent: usize, is_second: bool) {
        let (_, body) = open(block, &mut self.next);
        let node = self.node(parent, NodeKind::Copy, is_second);
        self.add(&body, node, is_second);
    }

    /// `noKill`: a scope in which one of its own labels can be killed at once holds up everything else in it.
    fn mark_pending_kills(&mut self) {
        for leaf in 0..self.nodes.len() {
            let NodeKind::Kill(label, _) = self.nodes[leaf].kind else {
                continue;
            };
            if let Some(scope) = self.scope_of(leaf, label) {
                self.nodes[scope].has_pending_kill = true;
            }
        }
    }

    /// The scope that delimits a label around a node.
    fn scope_of(&self, node: usize, label: Id) -> Option<usize> {
        self.above(node).find(|&above| {
            matches!(&self.nodes[above].kind, NodeKind::Scope(labels) if labels.contains(&label))
        })
    }

    /// The nodes around a node, the innermost first, without the root.
    fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(self.nodes[node].parent), |&above| {
            Some(self.nodes[above].parent)
        })
        .take_while(|&above| above != 0)
    }

    /// Whether a pending kill holds an activity up.
    pub(crate) fn is_blocked(&self, leaf: Leaf) -> bool {
        self.above(leaf.node)
            .any(|above| self.nodes[above].has_pending_kill)
    }

    /// All receives; those of second copies would say the same again and are left out.
    pub(crate) fn receives(&self) -> Vec<(Leaf, &Receive)> {
        let mut found = Vec::new();
        for (node, it) in self.nodes.iter().enumerate() {
            if let (NodeKind::Choice(receives), false) = (&it.kind, it.is_second) {
                let branches = receives.iter().enumerate();
                found.extend(branches.map(|(branch, receive)| (Leaf { node, branch }, receive)));
            }
        }
        found
    }

    /// All invokes, and whether they are those of second copies.
    pub(crate) fn invokes(&self) -> Vec<(Leaf, &Message, bool)> {
        let leaves = self.nodes.iter().enumerate();
        leaves
            .filter_map(|(node, it)| match &it.kind {
                NodeKind::Invoke(message) => {
                    Some((Leaf { node, branch: 0 }, message, it.is_second))
                }
                _ => None,
            })
            .collect()
    }

    /// All kills with their origins.
    pub(crate) fn kills(&self) -> Vec<(Leaf, u32)> {
        let leaves = self.nodes.iter().enumerate();
        leaves
            .filter_map(|(node, it)| match it.kind {
                NodeKind::Kill(_, origin) if !it.is_second => {
                    Some((Leaf { node, branch: 0 }, origin))
                }
                _ => None,
            })
            .collect()
    }

    /// The components after some activities were replaced by what follows them.
    pub(crate) fn after(&self, replaced: Vec<(Leaf, Vec<Process>)>) -> Vec<Process> {
        let mut step = Step::new(self, None);
        for (leaf, by) in replaced {
            step.replace(leaf.node, by);
        }
        step.body(0, false)
    }

    /// The components after a kill; `None` when nothing delimits its label.
    pub(crate) fn after_kill(&self, leaf: Leaf) -> Option<Vec<Process>> {
        let NodeKind::Kill(label, _) = self.nodes[leaf.node].kind else {
            return None;
        };
        let scope = self.scope_of(leaf.node, label)?;
        let mut step = Step::new(self, Some(scope));
        step.replace(leaf.node, Vec::new());
        Some(step.body(0, false))
    }
}

fn has_invoke(body: &[Process]) -> bool {
    body.iter().any(|process| match process {
        Process::Invoke(_) => true,
        Process::Kill(..) | Process::Choice(_) => false,
        Process::Protection(body) | Process::Scope(_, body) => has_invoke(body),
        Process::Replication(block) => has_invoke(&block.body),
    })
}

/// Puts components together again after a step.
struct Step<'a> {
    active: &'a Active,
    children: Vec<Vec<usize>>,
    replaced: Vec<Option<Vec<Process>>>,
    /// Something inside took part.
    is_touched: Vec<bool>,
    /// The scope in which a kill takes effect.
    killed: Option<usize>,
}

impl<'a> Step<'a> {
    fn new(active: &'a Active, killed: Option<usize>) -> Self {
        let mut children = vec![Vec::new(); active.nodes.len()];
        for (node, it) in active.nodes.iter().enumerate().skip(1) {
            children[it.parent].push(node);
        }
        Step {
            active,
            children,
            replaced: vec![None; active.nodes.len()],
            is_touched: vec![false; active.nodes.len()],
            killed,
        }
    }

    fn replace(&mut self, node: usize, by: Vec<Process>) {
        self.replaced[node] = Some(by);
        self.is_touched[node] = true;
        for above in self.active.above(node) {
            self.is_touched[above] = true;
        }
    }

    fn body(&mut self, node: usize, is_halting: bool) -> Vec<Process> {
        let children = std::mem::take(&mut self.children[node]);
        children
            .into_iter()
            .flat_map(|child| self.process(child, is_halting))
            .collect()
    }

    /// A node; where a kill takes effect, `halt` of it: (parkill) halts what stands beside the path from the kill to
    /// its scope, and a protection is left alone unless the path leads through it.
    fn process(&mut self, node: usize, is_halting: bool) -> Vec<Process> {
        if let Some(by) = self.replaced[node].take() {
            return by;
        }
        let is_touched = self.is_touched[node];
        match &self.active.nodes[node].kind {
            NodeKind::Root => Vec::new(),
            NodeKind::Copy if !is_touched => Vec::new(),
            NodeKind::Copy => self.body(node, is_halting),
            NodeKind::Kill(..) | NodeKind::Invoke(_) | NodeKind::Choice(_) if is_halting => {
                Vec::new()
            }
            NodeKind::Kill(label, origin) => vec![Process::Kill(*label, *origin)],
            NodeKind::Invoke(message) => vec![Process::Invoke(message.clone())],
            NodeKind::Choice(receives) => vec![Process::Choice(receives.clone())],
            NodeKind::Replication(block) => {
                let whole = replication((**block).clone());
                if is_halting { halt(whole) } else { whole }
            }
            NodeKind::Protection => protection(self.body(node, is_halting && is_touched)),
            NodeKind::Scope(labels) => {
                let is_killed = self.killed == Some(node);
                let body = self.body(node, is_halting || is_killed);
                scope(labels.clone(), body)
            }
        }
    }
}
