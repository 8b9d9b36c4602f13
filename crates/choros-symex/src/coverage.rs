//! Which paths of a tree make a suite.
//!
//! A criterion names *items* of the model; a path covers the items that lie on it.
//! Suites are found greedily: the path that covers most of what is left comes next (of several, the one that
//! terminates, then the shorter, then the earlier one), and in the end every path that the others make superfluous is
//! dropped.
//! Of very many paths, each is taken that covers something new, in the same order but for what it covers.
//! Such a suite is irredundant: no test can be left out. It need not be the smallest one, which is a set-cover problem.

use choros_base::Choice;
use choros_data::{Term, Terms};
use choros_model::stg::Role;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::covering::{CoverageItem, Ways, add_items, covering};
use crate::graph::{EdgeLabel, EdgeOrigin, Graph};
use crate::label::TreeLabel;
use crate::outward::{Outward, outward};
use crate::test_case::{Part, TestCase};
use crate::tree::{Tree, TreeCut, TreeNodeId};

/// What a suite has to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoverageCriterion {
    /// Every node of the model.
    States,
    /// Every edge and termination of the model.
    Transitions,
    /// Every edge and termination of a node that has several: both sides of each decision.
    Branches,
    /// Every path up to the bound.
    Paths,
    /// Every `#` of the purpose.
    Purpose,
}

impl Choice for CoverageCriterion {
    const CHOICES: &'static [(&'static str, CoverageCriterion, &'static str)] = &[
        (
            "states",
            CoverageCriterion::States,
            "Every state of the model",
        ),
        (
            "transitions",
            CoverageCriterion::Transitions,
            "Every transition of the model",
        ),
        (
            "branches",
            CoverageCriterion::Branches,
            "Every transition of a state with several",
        ),
        (
            "paths",
            CoverageCriterion::Paths,
            "Every path up to the bound",
        ),
        (
            "purpose",
            CoverageCriterion::Purpose,
            "Every place where the purpose is reached",
        ),
    ];
}

/// A suite and what it covers.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The tests, in the order of their last nodes.
    pub tests: Vec<TestCase>,
    /// How many items of the criterion there are.
    pub items: usize,
    /// How many more there are that no run can reach, as far as that is known: all of them where the whole tree was
    /// built, and otherwise those behind guards that are never true.
    pub infeasible: usize,
    /// Those that no test covers.
    pub missing: Vec<CoverageItem>,
    /// How many items are covered after each test.
    pub growth: Vec<usize>,
}

/// Which paths may be tests.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// Only those that end with `√`.
    pub only_terminating: bool,
    /// Those too that leave the service in the middle, or that the tester has no part in. What is left of one
    /// conversation would disturb the next, so they are tests only where they are asked for, or where there are no
    /// others.
    pub incomplete: bool,
    /// Only those that contain `#`: there is a purpose.
    pub only_accepted: bool,
    /// The roles that the tester plays.
    pub played: &'a [Role],
}

/// The suite of a tree.
pub fn select(
    graph: &Graph,
    tree: &Tree,
    criterion: CoverageCriterion,
    candidates: Candidates<'_>,
    terms: &mut Terms,
) -> Selection {
    let alike = alike(tree, leaves(tree, candidates), terms);
    let leaves: Vec<TreeNodeId> = alike.iter().map(|it| it[0]).collect();
    let mut wanted: FxHashSet<CoverageItem> = match criterion {
        CoverageCriterion::Paths => leaves
            .iter()
            .map(|&leaf| CoverageItem::Path(leaf))
            .collect(),
        other => items(graph, other),
    };
    let all = wanted.len();
    if criterion != CoverageCriterion::Paths {
        let reachable = if is_whole(tree) {
            reachable(graph, tree)
        } else {
            possible(graph, terms)
        };
        wanted.retain(|item| reachable.contains(item));
    }
    let ways = Ways::new(graph, tree);
    let covered = match criterion {
        CoverageCriterion::Paths => leaves
            .iter()
            .map(|&leaf| FxHashSet::from_iter([CoverageItem::Path(leaf)]))
            .enumerate()
            .collect(),
        _ => covering(&ways, &alike, &wanted),
    };
    let reached: FxHashSet<CoverageItem> = covered.values().flatten().copied().collect();
    let mut missing: Vec<CoverageItem> = wanted
        .iter()
        .copied()
        .filter(|item| !reached.contains(item))
        .collect();
    missing.sort_unstable();
    let mut chosen: Vec<usize> = covered.keys().copied().collect();
    chosen.sort_unstable_by_key(|&index| leaves[index]);
    let mut so_far: FxHashSet<CoverageItem> = FxHashSet::default();
    let growth = chosen.iter().map(|&index| {
        so_far.extend(covered.get(&index).into_iter().flatten());
        so_far.len()
    });
    let growth = growth.collect();
    let ends = chosen.into_iter().map(|index| leaves[index]);
    Selection {
        tests: ends
            .enumerate()
            .map(|(index, end)| {
                let name = format!("test_{}", index + 1);
                TestCase::of(tree, end, name, candidates.played)
            })
            .collect(),
        items: wanted.len(),
        infeasible: all - wanted.len(),
        missing,
        growth,
    }
}

/// The ends of the paths that may be tests.
fn leaves(tree: &Tree, candidates: Candidates<'_>) -> Vec<TreeNodeId> {
    let leaves = tree.ids().filter(|&id| tree.is_leaf(id));
    let leaves = leaves
        .filter(|&id| !candidates.only_terminating || tree.is_terminating(id))
        .filter(|&id| !candidates.only_accepted || tree.accepts(id));
    let mut leaves: Vec<TreeNodeId> = leaves.collect();
    let on_path = |id: TreeNodeId, is: &dyn Fn(&TreeLabel) -> bool| {
        let path = tree.path(id).into_iter();
        path.filter_map(|node| tree.node(node).label.as_ref())
            .any(is)
    };
    if !candidates.incomplete {
        // Steps of a purpose may follow the end.
        let is_end = |label: &TreeLabel| matches!(label, TreeLabel::End | TreeLabel::Raise(_));
        keep(&mut leaves, |id| on_path(id, &is_end));
        // A path on which the tester neither says nor hears nor awaits anything says nothing about a service.
        let is_seen = |label: &TreeLabel| Part::of(label, candidates.played) != Part::Hidden;
        keep(&mut leaves, |id| on_path(id, &is_seen));
    }
    leaves
}

/// Keeps those that are better, if there are any.
fn keep(leaves: &mut Vec<TreeNodeId>, is_better: impl Fn(TreeNodeId) -> bool) {
    let better: Vec<TreeNodeId> = leaves.iter().copied().filter(|&id| is_better(id)).collect();
    if !better.is_empty() {
        *leaves = better;
    }
}

/// All items of a graph.
fn items(graph: &Graph, criterion: CoverageCriterion) -> FxHashSet<CoverageItem> {
    let edges = graph.edges().iter().enumerate();
    match criterion {
        CoverageCriterion::States => graph
            .states
            .iter()
            .filter_map(|state| state.node.map(CoverageItem::State))
            .collect(),
        CoverageCriterion::Transitions => edges
            .filter(|(_, edge)| edge.of != EdgeOrigin::Purpose)
            .map(|(_, edge)| CoverageItem::Transition(edge.of))
            .collect(),
        CoverageCriterion::Branches => edges
            .filter(|(_, edge)| edge.of != EdgeOrigin::Purpose && decides(graph, edge.source))
            .map(|(_, edge)| CoverageItem::Transition(edge.of))
            .collect(),
        CoverageCriterion::Purpose => edges
            .filter(|(_, edge)| edge.label == EdgeLabel::Accept)
            .filter_map(|(_, edge)| edge.purpose.map(CoverageItem::Acceptance))
            .collect(),
        CoverageCriterion::Paths => FxHashSet::default(),
    }
}

/// Whether several steps of the model leave a state.
fn decides(graph: &Graph, state: crate::StateId) -> bool {
    let of_model = graph
        .outgoing(state)
        .filter(|(_, edge)| edge.of != EdgeOrigin::Purpose);
    of_model.count() > 1
}

/// The leaves, those together whose paths look alike from outside; the first stands for all.
fn alike(tree: &Tree, leaves: Vec<TreeNodeId>, terms: &mut Terms) -> Vec<Vec<TreeNodeId>> {
    let mut groups: Vec<Vec<TreeNodeId>> = Vec::new();
    let mut known: FxHashMap<Outward, usize> = FxHashMap::default();
    for leaf in leaves {
        let group = *known
            .entry(outward(tree, leaf, terms))
            .or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(leaf),
            None => groups.push(vec![leaf]),
        }
    }
    groups
}

/// Whether nothing that is feasible is missing from a tree.
fn is_whole(tree: &Tree) -> bool {
    let mut nodes = tree.nodes.iter();
    tree.stopped.is_none() && !tree.silent_cut && nodes.all(|it| it.cut == TreeCut::Not)
}

/// Everything that lies on some path.
fn reachable(graph: &Graph, tree: &Tree) -> FxHashSet<CoverageItem> {
    let mut found = Vec::new();
    for id in tree.ids() {
        add_items(graph, tree.node(id).state, tree.node(id).edge, &mut found);
    }
    for join in &tree.joins {
        let target = tree.node(join.target).state;
        add_items(graph, target, Some(join.edge), &mut found);
    }
    found.into_iter().collect()
}

/// Everything that is not behind a guard that is never true.
fn possible(graph: &Graph, terms: &mut Terms) -> FxHashSet<CoverageItem> {
    let mut found = FxHashSet::default();
    let mut known: FxHashSet<crate::StateId> = [graph.initial].into_iter().collect();
    let mut work = vec![graph.initial];
    while let Some(state) = work.pop() {
        found.extend(graph.state(state).node.map(CoverageItem::State));
        for (_, edge) in graph.outgoing(state) {
            if terms.simplify(edge.guard) == Term::FALSE {
                continue;
            }
            found.insert(CoverageItem::Transition(edge.of));
            if edge.label == EdgeLabel::Accept {
                found.extend(edge.purpose.map(CoverageItem::Acceptance));
            }
            if known.insert(edge.target) {
                work.push(edge.target);
            }
        }
    }
    found
}
