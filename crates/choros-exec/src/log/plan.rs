//! What is taken from a record: a tree of labels, so that the rest is skipped and not built.

use super::mapping::Mapping;

/// Which values of messages are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedValues {
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
    Fault,
    Id,
    Session,
    /// A part of its body was not kept.
    Truncated,
    /// Why its body could not be read.
    Unread,
    /// The value at one of the wanted paths.
    Data(u32),
}

impl Target {
    /// The part of the observation that it is, by its name in the native form; none for data.
    pub(super) fn part(self) -> Option<&'static str> {
        match self {
            Target::At => Some("at"),
            Target::By => Some("by"),
            Target::Direction => Some("dir"),
            Target::From => Some("from"),
            Target::To => Some("to"),
            Target::Operation => Some("op"),
            Target::Fault => Some("fault"),
            Target::Id => Some("id"),
            Target::Session => Some("session"),
            Target::Truncated => Some("truncated"),
            Target::Unread => Some("unread"),
            Target::Data(_) => None,
        }
    }
}

/// A mapping and what is wanted, as a tree of labels.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    nodes: Vec<PlanNode>,
    /// The wanted paths, by their number.
    pub(super) paths: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct PlanNode {
    children: Vec<Child>,
    /// Some child is too long to be compared at once.
    has_long_children: bool,
    pub(super) targets: Vec<Target>,
    /// Everything from here on is data.
    pub(super) everything: bool,
}

/// A node below a node.
#[derive(Debug, Clone)]
struct Child {
    label: Box<str>,
    node: u32,
    /// The label and the quote after it as one number, and the bits of it that count; none of a long label.
    quoted: u64,
    mask: u64,
}

impl Child {
    fn new(label: &str, node: u32) -> Child {
        let mut bytes = [0; 8];
        let mut mask = [0; 8];
        if label.len() < 8 {
            bytes[..label.len()].copy_from_slice(label.as_bytes());
            bytes[label.len()] = b'"';
            mask[..=label.len()].fill(u8::MAX);
        }
        Child {
            label: label.into(),
            node,
            quoted: u64::from_le_bytes(bytes),
            mask: u64::from_le_bytes(mask),
        }
    }

    fn is_long(&self) -> bool {
        self.mask == 0
    }
}

/// Where to look first among the nodes below a node: most records name their parts in the same order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hint(usize);

/// Which node a label leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelTarget {
    /// To this one; the label is so long.
    Known(usize, usize),
    /// To none, if it has no escapes.
    Unknown,
    /// It must be read.
    Long,
}

impl Mapping {
    /// Where each part is.
    fn parts(&self) -> Vec<(&'static str, Target)> {
        vec![
            (self.at, Target::At),
            (self.by, Target::By),
            (self.direction, Target::Direction),
            (self.from, Target::From),
            (self.to, Target::To),
            (self.operation, Target::Operation),
            (self.fault, Target::Fault),
            (self.id, Target::Id),
            (self.session, Target::Session),
            (self.truncated, Target::Truncated),
            (self.unread, Target::Unread),
        ]
    }
}

impl Plan {
    pub(super) fn new(mapping: Option<&Mapping>, wanted: &WantedValues) -> Plan {
        let mut plan = Plan {
            nodes: vec![PlanNode::default()],
            paths: Vec::new(),
        };
        // Without a mapping, the whole record is data.
        let parts = mapping.map_or_else(Vec::new, Mapping::parts);
        let data = mapping.map_or("", |it| it.data);
        for (path, target) in parts {
            let node = plan.node(path);
            plan.nodes[node].targets.push(target);
        }
        match wanted {
            WantedValues::All => {
                let node = plan.node(data);
                plan.nodes[node].everything = true;
            }
            WantedValues::Paths(paths) => {
                for path in paths {
                    let number = plan.paths.len() as u32;
                    plan.paths.push(path.clone());
                    let whole = if data.is_empty() {
                        path.clone()
                    } else {
                        format!("{data}.{path}")
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
                    let made = Child::new(label, child as u32);
                    self.nodes[node].has_long_children |= made.is_long();
                    self.nodes[node].children.push(made);
                    child
                }
            };
        }
        node
    }

    /// The node below a node that the quoted label at the beginning of `text`, after its first quote, leads to.
    #[inline]
    pub(super) fn child_at(&self, node: usize, text: &[u8], hint: &mut Hint) -> LabelTarget {
        let node = &self.nodes[node];
        let Some(start) = text.first_chunk::<8>() else {
            return LabelTarget::Long;
        };
        let start = u64::from_le_bytes(*start);
        let (before, after) = node.children.split_at(hint.0.min(node.children.len()));
        for (step, child) in after.iter().chain(before).enumerate() {
            if start & child.mask == child.quoted && !child.is_long() {
                let position = hint.0 + step;
                hint.0 = if position >= node.children.len() {
                    position + 1 - node.children.len()
                } else {
                    position + 1
                };
                return LabelTarget::Known(child.node as usize, child.label.len());
            }
        }
        if node.has_long_children {
            LabelTarget::Long
        } else {
            LabelTarget::Unknown
        }
    }

    /// The node below a node.
    pub(super) fn child(&self, node: usize, label: &str) -> Option<usize> {
        self.nodes[node]
            .children
            .iter()
            .find(|child| *child.label == *label)
            .map(|child| child.node as usize)
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
