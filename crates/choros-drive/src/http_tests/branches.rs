//! What else a service may say where a test awaits something.
//!
//! A test follows one path with fixed values, and a correct service may take another one: because it chooses, or because
//! a partner does whom no one plays. So we keep all nodes of the tree where the service may be after what was sent and
//! seen, and what the values that were sent say of the symbols there.

use std::collections::HashSet;

use choros_data::{Term, Terms};
use choros_model::stg::Role;
use choros_smt::{Satisfiability, Solver};
use choros_symex::{Part, SymbolicMessage, Tree, TreeCut, TreeLabel, TreeNodeId};

/// Where the service may be.
pub(super) struct Branches<'b> {
    tree: &'b Tree,
    played: &'b [Role],
    standings: Vec<Standing>,
}

/// One place where it may be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Standing {
    pub(super) node: TreeNodeId,
    /// What is known of the symbols on the way there: by what was sent, and by what was seen on the path of the test.
    pub(super) known: Vec<Term>,
}

impl<'b> Branches<'b> {
    pub(super) fn new(tree: &'b Tree, played: &'b [Role]) -> Branches<'b> {
        Branches {
            tree,
            played,
            standings: vec![Standing {
                node: TreeNodeId::ROOT,
                known: Vec::new(),
            }],
        }
    }

    /// The tester sends a message of the path, of whose values these facts are known.
    pub(super) fn sent(
        &mut self,
        own: &SymbolicMessage,
        facts: &[Term],
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) {
        let mut next = Vec::new();
        for standing in self.unseen(terms, solver) {
            for (child, said) in self.children(standing.node) {
                if self.part(child) != Part::Stimulus || !is_like(said, own) {
                    continue;
                }
                let mut known = self.known(&standing, child, terms);
                known.extend(facts);
                known.extend(same(said, own, terms));
                next.extend(self.standing(child, known, terms, solver));
            }
        }
        self.standings = next;
    }

    /// The service says what leads to a node; what it may say instead.
    ///
    /// The error says why that cannot be known, or cannot be awaited.
    pub(super) fn seen(
        &mut self,
        own: TreeNodeId,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Vec<Standing>, String> {
        let mut others = Vec::new();
        let mut next = Vec::new();
        let own_label = self.tree.node(own).label.clone();
        for standing in self.unseen(terms, solver) {
            let node = self.tree.node(standing.node);
            if !matches!(node.cut, TreeCut::Not) {
                return Err("the tree ends where the service may say something else; a larger `--depth` shows it".to_owned());
            }
            let speaks = |&child: &TreeNodeId| {
                matches!(
                    self.part(child),
                    Part::Observation | Part::Hidden | Part::Time
                ) && !matches!(self.tree.node(child).label, Some(TreeLabel::End))
            };
            if !node.children.iter().any(speaks) {
                return Err(
                    "the service may also say nothing there, which only `choros drive` can judge"
                        .to_owned(),
                );
            }
            for (child, said) in self.children(standing.node) {
                if self.part(child) != Part::Observation {
                    continue;
                }
                let known = self.known(&standing, child, terms);
                let reached = self.standing(child, known, terms, solver);
                let Some(reached) = reached else { continue };
                if let Some(own) = own_label.as_ref().and_then(TreeLabel::message)
                    && is_like(said, own)
                {
                    // The same message: what it carries is the same, too.
                    let mut known = reached.known.clone();
                    known.extend(same(said, own, terms));
                    next.extend(self.standing(child, known, terms, solver));
                }
                if child != own {
                    others.push(reached);
                }
            }
        }
        self.standings = next;
        Ok(others)
    }

    /// A unit of time passes.
    pub(super) fn waited(&mut self, terms: &mut Terms, solver: &mut dyn Solver) {
        let mut next = Vec::new();
        for standing in self.unseen(terms, solver) {
            for &child in &self.tree.node(standing.node).children {
                if self.tree.node(child).label == Some(TreeLabel::Tick) {
                    let known = self.known(&standing, child, terms);
                    next.extend(self.standing(child, known, terms, solver));
                }
            }
        }
        self.standings = next;
    }

    /// The nodes that it may be at by now, without anything that the tester would see.
    fn unseen(&self, terms: &mut Terms, solver: &mut dyn Solver) -> Vec<Standing> {
        let mut found = Vec::new();
        let mut work = self.standings.clone();
        work.reverse();
        // Several ways may lead to one node.
        let mut seen: HashSet<Standing> = HashSet::new();
        while let Some(standing) = work.pop() {
            if !seen.insert(standing.clone()) {
                continue;
            }
            for &child in &self.tree.node(standing.node).children {
                if self.part(child) == Part::Hidden {
                    let known = self.known(&standing, child, terms);
                    work.extend(self.standing(child, known, terms, solver));
                }
            }
            found.push(standing);
        }
        found
    }

    /// What is known at a child, over its own symbols too if it stands for another node.
    fn known(&self, from: &Standing, child: TreeNodeId, terms: &mut Terms) -> Vec<Term> {
        let mut known = from.known.clone();
        for (own, others) in self.tree.same_symbols(from.node, child) {
            let (own, others) = (terms.var(own), terms.var(others));
            let equal = terms.equal(own, others);
            if !known.contains(&equal) {
                known.push(equal);
            }
        }
        known
    }

    /// A standing at a node, if it can be reached with what is known.
    fn standing(
        &self,
        node: TreeNodeId,
        known: Vec<Term>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Option<Standing> {
        let conditions = [&self.tree.solved_condition(node)[..], &known].concat();
        let answer = solver.satisfiable(terms, &conditions);
        (!matches!(answer, Ok(Satisfiability::Unsat))).then_some(Standing { node, known })
    }

    fn children(
        &self,
        node: TreeNodeId,
    ) -> impl Iterator<Item = (TreeNodeId, &'b SymbolicMessage)> {
        let tree = self.tree;
        let children = tree.node(node).children.iter();
        children.filter_map(|&child| Some((child, tree.node(child).label.as_ref()?.message()?)))
    }

    fn part(&self, node: TreeNodeId) -> Part {
        let label = self.tree.node(node).label.as_ref();
        label.map_or(Part::Hidden, |label| Part::of(label, self.played))
    }
}

/// That two messages carry the same.
fn same(one: &SymbolicMessage, other: &SymbolicMessage, terms: &mut Terms) -> Vec<Term> {
    let pairs = one.fields.iter().zip(&other.fields);
    let pairs = pairs.filter(|(one, other)| one.value != other.value);
    pairs
        .filter(|(one, other)| terms.sort_of(one.value) == terms.sort_of(other.value))
        .map(|(one, other)| (one.value, other.value))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(one, other)| terms.equal(one, other))
        .collect()
}

fn is_like(one: &SymbolicMessage, other: &SymbolicMessage) -> bool {
    one.head == other.head
        && (one.from, one.to) == (other.from, other.to)
        && one.fields.len() == other.fields.len()
}
