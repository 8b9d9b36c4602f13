//! The symbolic execution tree.

use std::sync::Arc;

use choros_data::{Assignment, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{StateId, TreeLabel};

/// A node of a tree; a position in [`Tree::nodes`]. The root is 0, and numbers go breadth first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeNodeId(pub u32);

choros_base::indices!(TreeNodeId);

impl TreeNodeId {
    pub const ROOT: TreeNodeId = TreeNodeId(0);
}

/// A symbolic execution tree, cut at a bound.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The nodes, breadth first.
    pub nodes: Vec<TreeNode>,
    /// The symbols `vs0`, `vs1`, … in the order of their numbers.
    pub symbols: Vec<Symbol>,
    /// Further edges to nodes that stand for others which are alike from outside, in the order in which they were found.
    pub joins: Vec<Join>,
    /// The variables of the graph; [`TreeNode::symbols`] and [`TreeNode::values`] are in this order.
    pub variables: Vec<Var>,
    /// The bound on edges other than `τ`.
    pub depth: u32,
    /// What was cut because the solver could not tell, and why.
    pub doubts: Vec<UndecidedStep>,
    /// How often the solver was asked.
    pub checks: usize,
    /// Whether some path was cut because of too many `τ` in a row.
    pub silent_cut: bool,
    /// Why the tree ends before its bound, if it does.
    pub stopped: Option<choros_base::StopReason>,
}

/// An edge to a node that stands for the one it would lead to: both are alike up to the names of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// Where it starts; the target is among its children.
    pub source: TreeNodeId,
    /// The edge of the graph.
    pub edge: usize,
    /// The node that was there before, on the same level.
    pub target: TreeNodeId,
}

/// A symbol: a fresh name for one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    /// The variable of terms that carries its name and sort.
    pub symbol: Var,
    /// The variable of the graph that it was made for.
    pub variable: Var,
    /// Where its value comes from.
    pub source: SymbolSource,
    /// The node on whose edge it was made.
    pub node: TreeNodeId,
}

/// Where the value of a symbol comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolSource {
    /// It is what the variable holds at the start.
    Start,
    /// A message brought it.
    Received,
    /// It was computed: the term over earlier symbols, with all definitions put in.
    Assigned(Term),
}

/// η = (s, π, σ).
#[derive(Debug, Clone)]
pub struct TreeNode {
    /// s: the state of the graph.
    pub state: StateId,
    /// The node it was reached from; the root has none.
    pub parent: Option<TreeNodeId>,
    /// What happened on the way; the root has none.
    pub label: Option<TreeLabel>,
    /// The edge of the graph that was taken.
    pub edge: Option<usize>,
    /// How many edges other than `τ` lead here from the root.
    pub depth: u32,
    /// What this edge adds to π, over symbols, definitions of symbols included.
    pub increment: Vec<Term>,
    /// The same with all definitions put in and simplified; *true* where nothing is added but definitions.
    pub condition: Term,
    /// The same without the types of messages: what guards and contracts ask for.
    pub decision: Term,
    /// σ: the symbol of each variable.
    pub symbols: Arc<[Var]>,
    /// The value of each variable with all definitions put in.
    pub values: Arc<[Term]>,
    /// The nodes reached from here, those included that have another parent ([`Tree::joins`]).
    pub children: Vec<TreeNodeId>,
    /// Why nothing, or not everything, was built below.
    pub cut: TreeCut,
    /// Values of free symbols that satisfy π; symbols that do not matter have none.
    pub witness: Option<Arc<Assignment>>,
}

/// Why a node has no children, or not all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeCut {
    /// Everything that is feasible was built.
    #[default]
    Not,
    /// Some steps would go beyond the bound.
    Bound,
    /// For some steps the solver could not tell whether they are feasible.
    UndecidedStep,
    /// The node is included in an earlier one, on the way here or elsewhere: what follows it, follows that one.
    Included {
        /// The earlier node.
        by: TreeNodeId,
        /// Whether it is on the way from the root to this node.
        same_branch: bool,
    },
    /// The work was stopped.
    Stopped,
}

/// A step that was left out because the solver could not tell.
#[derive(Debug, Clone)]
pub struct UndecidedStep {
    /// From where.
    pub node: TreeNodeId,
    /// The edge of the graph.
    pub edge: usize,
    /// What the solver said.
    pub reason: choros_smt::Reason,
}

impl Tree {
    pub fn node(&self, id: TreeNodeId) -> &TreeNode {
        &self.nodes[id.index()]
    }

    /// All ids, breadth first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TreeNodeId> + use<> {
        (0..self.nodes.len() as u32).map(TreeNodeId)
    }

    pub(crate) fn join(&mut self, join: Join) {
        self.nodes[join.source.index()].children.push(join.target);
        self.joins.push(join);
    }

    /// The steps that lead to each node other than that from its parent: where they start, and their edges.
    pub(crate) fn joined(&self) -> Vec<Vec<(TreeNodeId, usize)>> {
        let mut joined = vec![Vec::new(); self.nodes.len()];
        for join in &self.joins {
            joined[join.target.index()].push((join.source, join.edge));
        }
        joined
    }

    /// What has to be equal for a run over one node to be a run over a child of it that has another parent: symbols of
    /// the paths to both, in pairs.
    pub fn same_symbols(&self, node: TreeNodeId, child: TreeNodeId) -> Vec<(Var, Var)> {
        let Some(parent) = self.node(child).parent.filter(|&it| it != node) else {
            return Vec::new();
        };
        // The k-th value that came for a variable is the k-th on every path to nodes that are alike.
        let own = self.received(node);
        let others = self.received(parent);
        let pairs = own
            .iter()
            .filter_map(|(variable, symbols)| Some((symbols, others.get(variable)?)));
        let pairs = pairs.flat_map(|(own, others)| own.iter().copied().zip(others.iter().copied()));
        let mut pairs: Vec<(Var, Var)> = pairs.filter(|(own, other)| own != other).collect();
        pairs.sort_unstable_by_key(|&(own, _)| self.symbols.iter().position(|it| it.symbol == own));
        pairs
    }

    /// The symbols that stand for received values on the way to a node, for each variable in their order.
    pub(crate) fn received(&self, node: TreeNodeId) -> FxHashMap<Var, Vec<Var>> {
        let mut found: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
        for id in self.path(node) {
            let from = self.symbols.partition_point(|it| it.node < id);
            let made = self.symbols[from..].iter().take_while(|it| it.node == id);
            for symbol in made.filter(|it| it.source == SymbolSource::Received) {
                found
                    .entry(symbol.variable)
                    .or_default()
                    .push(symbol.symbol);
            }
        }
        found
    }

    /// The nodes from the root to this one, both included.
    pub fn path(&self, id: TreeNodeId) -> Vec<TreeNodeId> {
        let mut path = vec![id];
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// π over symbols, definitions included: the conjuncts in the order in which they were added.
    pub fn path_condition(&self, id: TreeNodeId) -> Vec<Term> {
        let path = self.path(id);
        path.iter()
            .flat_map(|&node| self.node(node).increment.iter().copied())
            .collect()
    }

    /// π with all definitions put in: the conjuncts over symbols that were received or there at the start, each once.
    pub fn solved_condition(&self, id: TreeNodeId) -> Vec<Term> {
        self.conjuncts(id, |node| node.condition)
    }

    /// The conjuncts of π that guards and contracts ask for, with all definitions put in, each once.
    pub fn decisions(&self, id: TreeNodeId) -> Vec<Term> {
        self.conjuncts(id, |node| node.decision)
    }

    fn conjuncts(&self, id: TreeNodeId, of: impl Fn(&TreeNode) -> Term) -> Vec<Term> {
        // A model and a purpose may ask for the same.
        let mut seen = FxHashSet::default();
        let path = self.path(id);
        path.iter()
            .map(|&node| of(self.node(node)))
            .filter(|&conjunct| conjunct != Term::TRUE && seen.insert(conjunct))
            .collect()
    }

    /// Whether a node is a leaf: nothing was built below it.
    pub fn is_leaf(&self, id: TreeNodeId) -> bool {
        self.node(id).children.is_empty()
    }

    /// Whether `√` lies on the way to a node; only steps of a purpose can follow it.
    pub fn is_terminating(&self, id: TreeNodeId) -> bool {
        self.path(id)
            .iter()
            .any(|&node| self.node(node).label == Some(TreeLabel::End))
    }

    /// Whether `#` lies on the way from the root to the node.
    pub fn accepts(&self, id: TreeNodeId) -> bool {
        self.path(id)
            .iter()
            .any(|&node| self.node(node).label == Some(TreeLabel::Accept))
    }

    /// How many nodes, leaves, leaves reached by `√`, and leaves reached by a fault there are on all paths.
    ///
    /// A node that several paths lead to counts once for each, so merging does not change these numbers.
    pub fn sizes(&self) -> TreeSizes {
        let mut below = vec![TreeSizes::default(); self.nodes.len()];
        // Children have larger numbers than their parents.
        for id in self.ids().rev() {
            let node = self.node(id);
            let mut sizes = TreeSizes {
                nodes: 1,
                ..TreeSizes::default()
            };
            if node.children.is_empty() {
                sizes.leaves = 1;
                sizes.terminating = usize::from(self.is_terminating(id));
                sizes.raised = usize::from(matches!(node.label, Some(TreeLabel::Raise(_))));
            }
            for child in &node.children {
                sizes.add(below[child.index()]);
            }
            below[id.index()] = sizes;
        }
        below.first().copied().unwrap_or_default()
    }

    /// Whether everything that can happen is in the tree: no bound and no doubt left anything out.
    ///
    /// What inclusion left out is there under another node.
    pub fn is_complete(&self) -> bool {
        self.nodes
            .iter()
            .all(|node| matches!(node.cut, TreeCut::Not | TreeCut::Included { .. }))
    }

    /// The symbol of a variable at a node.
    pub fn symbol(&self, id: TreeNodeId, variable: Var) -> Option<Var> {
        let position = self.variables.iter().position(|&it| it == variable)?;
        self.node(id).symbols.get(position).copied()
    }

    /// The conjuncts of π as they are printed.
    pub fn condition_text(&self, id: TreeNodeId, terms: &Terms) -> Vec<String> {
        self.path_condition(id)
            .into_iter()
            .map(|conjunct| terms.print(conjunct))
            .collect()
    }
}

/// How big a tree is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeSizes {
    /// Nodes, the root included.
    pub nodes: usize,
    /// Nodes without children.
    pub leaves: usize,
    /// Leaves that were reached by `√`.
    pub terminating: usize,
    /// Leaves that were reached by raising a fault.
    pub raised: usize,
}

impl TreeSizes {
    fn add(&mut self, other: TreeSizes) {
        for (own, more) in [
            (&mut self.nodes, other.nodes),
            (&mut self.leaves, other.leaves),
            (&mut self.terminating, other.terminating),
            (&mut self.raised, other.raised),
        ] {
            *own = own.saturating_add(more);
        }
    }
}
