//! What is taken from a record: a tree of labels, so that the rest is skipped and not built.

use super::mapping::{Mapping, Source};

/// Which values of messages are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All of them.
    All,
    /// Those at these paths.
    Paths(Vec<String>),
}

/// A part of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    At,
    By,
    Direction,
    From,
    To,
    Operation,
    Id,
    Session,
    /// The value at one of the wanted paths.
    Data(u32),
}

/// A mapping and what is wanted, as a tree of labels.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    nodes: Vec<PlanNode>,
    /// The wanted paths, by their number.
    pub(super) paths: Vec<String>,
    pub(super) mapping: Mapping,
}

#[derive(Debug, Clone, Default)]
pub(super) struct PlanNode {
    children: Vec<(Box<str>, u32)>,
    pub(super) targets: Vec<Target>,
    /// Everything from here on is data.
    pub(super) everything: bool,
}

impl Plan {
    pub(super) fn new(mapping: Mapping, wanted: &Wanted) -> Plan {
        let mut plan = Plan {
            nodes: vec![PlanNode::default()],
            paths: Vec::new(),
            mapping,
        };
        let mapping = &plan.mapping;
        let parts = [
            (mapping.at.clone(), Target::At),
            (mapping.by.clone(), Target::By),
            (mapping.direction.clone(), Target::Direction),
            (mapping.from.clone(), Target::From),
            (mapping.to.clone(), Target::To),
            (mapping.operation.clone(), Target::Operation),
            (mapping.id.clone(), Target::Id),
            (mapping.session.clone(), Target::Session),
        ];
        let data = mapping.data.clone();
        for (source, target) in parts {
            if let Some(Source::Path(path)) = source {
                let node = plan.node(&path);
                plan.nodes[node].targets.push(target);
            }
        }
        match wanted {
            Wanted::All => {
                let node = plan.node(&data);
                plan.nodes[node].everything = true;
            }
            Wanted::Paths(paths) => {
                for path in paths {
                    let number = plan.paths.len() as u32;
                    plan.paths.push(path.clone());
                    let whole = match data.is_empty() {
                        true => path.clone(),
                        false => format!("{data}.{path}"),
                    };
                    let node = plan.node(&whole);
                    plan.nodes[node].targets.push(Target::Data(number));
                }
            }
        }
        plan
    }

    /// The node of a path, made if it is not there.
    fn node(&mut self, path: &str) -> usize {
        let mut node = 0;
        for label in path.split('.').filter(|label| !label.is_empty()) {
            node = match self.child(node, label) {
                Some(child) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes.push(PlanNode::default());
                    self.nodes[node].children.push((label.into(), child as u32));
                    child
                }
            };
        }
        node
    }

    /// The node below a node, and where its label stands among its sisters; `hint` is where to look first, since
    /// most records name their parts in the same order.
    pub(super) fn child_near(
        &self,
        node: usize,
        label: &str,
        hint: usize,
    ) -> Option<(usize, usize)> {
        let children = &self.nodes[node].children;
        let count = children.len();
        for step in 0..count {
            let position = match hint + step {
                beyond if beyond >= count => beyond - count,
                position => position,
            };
            let (known, child) = &children[position];
            if **known == *label {
                return Some((*child as usize, position));
            }
        }
        None
    }

    /// The node below a node.
    pub(super) fn child(&self, node: usize, label: &str) -> Option<usize> {
        self.nodes[node]
            .children
            .iter()
            .find(|(known, _)| **known == *label)
            .map(|&(_, child)| child as usize)
    }

    pub(super) fn at(&self, node: usize) -> &PlanNode {
        &self.nodes[node]
    }

    /// The node of a flat path, and how much of the path lies below the node whose everything is data.
    pub(super) fn find<'p>(&self, path: &'p str) -> (Option<usize>, Option<&'p str>) {
        let mut node = Some(0);
        let mut below = self.nodes[0].everything.then_some(path);
        let mut rest = path;
        while !rest.is_empty() {
            let (label, after) = rest.split_once('.').unwrap_or((rest, ""));
            node = node.and_then(|node| self.child(node, label));
            rest = after;
            if below.is_none() && node.is_some_and(|node| self.nodes[node].everything) {
                below = Some(rest);
            }
        }
        (node, below)
    }
}
