//! The tree of a g-choreography.
//!
//! `G ::= (o) | A -> B : m | G;G | G|G | G+G | repeat G` (Coto's thesis, section 2.1.2; Tuosto and Guanciale 2018).
//! The three binary operators are associative, so a node has any number of parts.

use choros_base::{Name, Names, Span};

use super::roles::Roles;

/// A g-choreography.
///
/// Nodes lie in one list and a node is made after its parts, so everything that goes from the leaves to the root is a
/// loop over the list, and nothing recurses as deep as the input wants.
/// Two nodes may share a part: an unfolded loop shares what follows it.
#[derive(Debug, Clone, Default)]
pub struct Gchor {
    nodes: Vec<Node>,
    root: Option<NodeId>,
}

/// A node: a position in the list of its g-choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

choros_base::indices!(NodeId);

/// A node and where it is written.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub form: Form,
    /// Where it is written.
    pub origin: Option<Span>,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// `(o)`: nothing happens.
    Empty,
    /// `A -> B : m`.
    Interaction(Interaction),
    /// `G ; G'`: each participant does its part of `G` before its part of `G'`.
    Sequence(Vec<NodeId>),
    /// `G | G'`: in any order.
    Fork(Vec<NodeId>),
    /// `G + G'`: one of them.
    Choice {
        /// Who is said to decide, as in `sel A { … }`.
        decider: Option<Name>,
        branches: Vec<NodeId>,
    },
    /// `repeat G`: any number of times, none included, until a participant decides to leave.
    Repeat {
        /// Who is said to decide, as in `repeat A { … }`.
        controller: Option<Name>,
        /// What is repeated.
        body: NodeId,
    },
}

/// `A -> B : m`.
///
/// Readers reject an interaction of a participant with itself; nothing here relies on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interaction {
    /// The sender.
    pub from: Name,
    /// The receiver.
    pub to: Name,
    pub message: Name,
}

impl Interaction {
    /// As it is written: `A -> B : m`.
    pub fn text(self, names: &Names) -> String {
        format!(
            "{} -> {} : {}",
            names.text(self.from),
            names.text(self.to),
            names.text(self.message)
        )
    }
}

impl Form {
    /// The parts of a node, in their order.
    pub fn parts(&self) -> &[NodeId] {
        match self {
            Form::Empty | Form::Interaction(_) => &[],
            Form::Sequence(parts) | Form::Fork(parts) => parts,
            Form::Choice { branches, .. } => branches,
            Form::Repeat { body, .. } => std::slice::from_ref(body),
        }
    }
}

impl Gchor {
    /// Nodes may nest so deeply: algorithms that recurse along the tree rely on it, and readers and unfolding keep it.
    pub const DEPTH_LIMIT: u32 = 600;

    /// Without any node; the last one that is added is the root unless another is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node.
    ///
    /// # Panics
    ///
    /// When a part is not there yet, which no reader can cause: a node needs the numbers of its parts.
    pub fn add(&mut self, form: Form, origin: Option<Span>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        assert!(
            form.parts().iter().all(|&part| part < id),
            "a node is made after its parts"
        );
        self.nodes.push(Node { form, origin });
        self.root = Some(id);
        id
    }

    /// Lets another node be the whole.
    pub fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
    }

    /// The whole; `None` when there is no node at all.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The node after an id of this g-choreography.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What a node is.
    pub fn form(&self, id: NodeId) -> &Form {
        &self.node(id).form
    }

    /// All nodes, parts before wholes; some may belong to no other.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes that the root is made of, in the order of the text, each once.
    pub fn in_order(&self) -> Vec<NodeId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut order = Vec::new();
        let mut open: Vec<NodeId> = self.root.into_iter().collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            order.push(id);
            open.extend(self.form(id).parts().iter().rev());
        }
        order
    }

    /// Whether something is repeated.
    pub fn has_loops(&self) -> bool {
        self.in_order()
            .iter()
            .any(|&id| matches!(self.form(id), Form::Repeat { .. }))
    }

    /// The participants in the order of first mention, and which of them take part in each node.
    pub fn roles(&self) -> Roles {
        Roles::of(self)
    }

    /// The different interactions in the order of first mention.
    pub fn interactions(&self) -> Vec<Interaction> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        for id in self.in_order() {
            if let Form::Interaction(interaction) = self.form(id)
                && seen.insert(*interaction)
            {
                found.push(*interaction);
            }
        }
        found
    }

    /// How deep nodes nest.
    pub fn depth(&self) -> u32 {
        let mut depths: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parts = node.form.parts().iter();
            let deepest = parts.map(|part| depths[part.index()]).max();
            depths.push(deepest.unwrap_or(0) + 1);
        }
        self.root.map_or(0, |root| depths[root.index()])
    }
}
