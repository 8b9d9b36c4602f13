//! Nodes that are one: the same state, the same history as seen from outside, the same values.
//!
//! Silent steps of parallel branches can be taken in any order, and each order is a path of its own.
//! Two nodes η and η' are *alike* if there is a bijection ρ of the symbols of the one to those of the other with
//! - the same state, reached over the same number of edges,
//! - the same events other than `τ` in the same order, with the same data under ρ,
//! - the same conjuncts of π under ρ,
//! - the same value under ρ of each variable that some path from the state reads before it writes it.
//!
//! What follows η then is what follows η' up to ρ: a step reads live variables and what was sent last to an operation
//! (which is in the history), asks for the same under the same π, and leads to nodes that are alike again.
//! So only the first of them is kept, and the edges that lead to the others lead to it (see [`crate::tree::Join`]).
//! A tree is then a graph without cycles, whose levels are the numbers of edges from the root, and every path of the
//! tree without merging is a path of it, with the same outside.
//!
//! ρ is found by naming symbols apart from their order: the second value that came for `x` is `x~1` on every path.

use std::sync::Arc;

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, StateId};
use crate::label::TreeLabel;
use crate::live::live_variables;
use crate::tree::{SymbolSource, TreeNodeId};
use crate::unfolding::Successor;

/// What has to be known to find nodes that are alike.
pub(crate) struct Merging {
    live: Vec<Vec<usize>>,
    /// For each state, whether more than one edge leads to it; nodes of others have parents that are alike.
    meets: Vec<bool>,
    /// Histories by the one before and the last event; 0 is the empty one.
    histories: FxHashMap<(u32, TreeLabel), u32>,
    /// Numbers of conjuncts.
    conjuncts: FxHashMap<Term, u32>,
    nodes: Vec<Past>,
    /// The nodes of one level.
    level: FxHashMap<Likeness, TreeNodeId>,
    depth: u32,
}

/// What is compared.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Likeness {
    state: StateId,
    history: u32,
    conjuncts: Arc<[u32]>,
    values: Vec<Term>,
}

/// What a node remembers of the way to it.
#[derive(Clone)]
pub(crate) struct Past {
    depth: u32,
    history: u32,
    /// Sorted.
    conjuncts: Arc<[u32]>,
    names: Arc<SymbolNames>,
}

/// Names of symbols that do not depend on the order of silent steps.
#[derive(Clone, Default)]
struct SymbolNames {
    terms: FxHashMap<Var, Term>,
    counts: FxHashMap<Var, usize>,
}

impl Merging {
    pub(crate) fn new(graph: &Graph, terms: &Terms) -> Merging {
        let mut entered = vec![0_usize; graph.states.len()];
        for edge in graph.edges() {
            entered[edge.target.index()] += 1;
        }
        Merging {
            live: live_variables(graph, terms),
            meets: entered.into_iter().map(|count| count > 1).collect(),
            histories: FxHashMap::default(),
            conjuncts: FxHashMap::default(),
            nodes: vec![Past {
                depth: 0,
                history: 0,
                conjuncts: Arc::default(),
                names: Arc::default(),
            }],
            level: FxHashMap::default(),
            depth: 0,
        }
    }

    /// What is compared of a node that may be added below another, and what it has to remember.
    pub(crate) fn likeness(
        &mut self,
        parent: TreeNodeId,
        successor: &Successor,
        terms: &mut Terms,
    ) -> (Option<Likeness>, Past) {
        let mut past = self.nodes[parent.index()].clone();
        past.depth += 1;
        let node = &successor.node;
        for symbol in &successor.symbols {
            if symbol.source != SymbolSource::Received {
                continue;
            }
            let names = Arc::make_mut(&mut past.names);
            let count = names.counts.entry(symbol.variable).or_default();
            let name = format!("{}~{count}", terms.variable_text(symbol.variable));
            *count += 1;
            let name = terms.names.intern(&name);
            let named = terms.variable(name, terms.variable_sort(symbol.symbol));
            names.terms.insert(symbol.symbol, terms.var(named));
        }
        if let Some(label) = &node.label
            && *label != TreeLabel::Silent
        {
            let label = past.names.label(label, terms);
            let next = self.histories.len() as u32 + 1;
            past.history = *self.histories.entry((past.history, label)).or_insert(next);
        }
        if node.condition != Term::TRUE {
            let condition = past.names.rename(node.condition, terms);
            let parts = match terms.kind(condition) {
                TermKind::Apply(Op::And, parts) => parts,
                _ => &[condition],
            };
            let mut conjuncts = past.conjuncts.to_vec();
            for &part in parts {
                let next = self.conjuncts.len() as u32;
                conjuncts.push(*self.conjuncts.entry(part).or_insert(next));
            }
            conjuncts.sort_unstable();
            conjuncts.dedup();
            past.conjuncts = conjuncts.into();
        }
        let likeness = self.meets[node.state.index()].then(|| {
            let live = self.live[node.state.index()].iter();
            Likeness {
                state: node.state,
                history: past.history,
                conjuncts: past.conjuncts.clone(),
                values: live
                    .map(|&position| past.names.rename(node.values[position], terms))
                    .collect(),
            }
        });
        (likeness, past)
    }

    /// The node of the same level that is alike.
    pub(crate) fn known(&self, likeness: &Likeness, past: &Past) -> Option<TreeNodeId> {
        if past.depth != self.depth {
            return None;
        }
        self.level.get(likeness).copied()
    }

    /// The next node was added.
    pub(crate) fn add(&mut self, node: TreeNodeId, likeness: Option<Likeness>, past: Past) {
        if past.depth != self.depth {
            self.level.clear();
            self.depth = past.depth;
        }
        if let Some(likeness) = likeness {
            self.level.insert(likeness, node);
        }
        debug_assert_eq!(node.index(), self.nodes.len());
        self.nodes.push(past);
    }
}

impl SymbolNames {
    fn rename(&self, term: Term, terms: &mut Terms) -> Term {
        if self.terms.is_empty() || !terms.has_variables(term) {
            return term;
        }
        terms.substitute(term, &self.terms)
    }

    fn label(&self, label: &TreeLabel, terms: &mut Terms) -> TreeLabel {
        let mut label = label.clone();
        if let TreeLabel::Message(message) = &mut label {
            for field in &mut message.fields {
                field.fresh = None;
                field.value = self.rename(field.value, terms);
                field.term = field.value;
            }
        }
        label
    }
}
