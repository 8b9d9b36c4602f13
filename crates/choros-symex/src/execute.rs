//! Building the tree: breadth first, with a solver that decides which steps can be taken.
//!
//! Nodes are numbered breadth first, as in the thesis; a step that cannot be taken uses up neither a number nor a
//! symbol.
//! Whether a step can be taken is asked at most once per node, and only if nothing simpler knows: a condition that
//! folds to *true* or *false* needs no solver, nor does one that the values found for the parent satisfy already.
//! The solver's stack follows the path of the node whose steps are asked about; what two neighbours have in common
//! stays asserted.

use std::sync::Arc;

use choros_base::{Budget, StopReason};
use choros_data::{Assignment, NoValue, Sort, SortKind, Term, Terms, Value};
use choros_smt::{Reason, Satisfiability, Solver, SolverError};

use crate::graph::Graph;
use crate::inclusion::Inclusion;
use crate::merge::Merging;
use crate::tree::{Join, Tree, TreeCut, TreeNodeId, UndecidedStep};
use crate::unfolding::{ExecutionRules, Successor, TreeBuilder};

/// How far a tree goes.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'a> {
    /// How many edges other than `τ` and `#` a path may have.
    pub depth: u32,
    /// How many edges `τ` may follow each other: nothing else ends a loop of assignments.
    pub silent: u32,
    /// Whether nodes that are included in earlier ones are not expanded.
    pub inclusion: bool,
    /// Whether nodes that are alike from outside are one, see the README.
    pub merge: bool,
    /// What is known beside the graph.
    pub rules: ExecutionRules<'a>,
    /// How many nodes there may be.
    pub budget: &'a Budget,
}

/// The tree of a graph.
pub fn execute(
    graph: &Graph,
    execution: &Execution<'_>,
    solver: &mut dyn Solver,
    terms: &mut Terms,
) -> Result<Tree, SolverError> {
    let unfolding = TreeBuilder::new(graph, execution.rules, terms);
    let mut growing = Growing {
        graph,
        unfolding,
        silent: vec![0],
        merging: execution.merge.then(|| Merging::new(graph, terms)),
        asserted: Vec::new(),
        solver,
    };
    growing.unfolding.tree.depth = execution.depth;
    let mut inclusion = execution
        .inclusion
        .then(|| Inclusion::new(graph, execution.rules, terms));
    let mut next = 0;
    while next < growing.unfolding.tree.nodes.len() {
        let node = TreeNodeId(next as u32);
        next += 1;
        if growing.unfolding.tree.stopped.is_some() {
            growing.unfolding.tree.nodes[node.index()].cut = TreeCut::Stopped;
            continue;
        }
        if let Some(inclusion) = &mut inclusion {
            growing.release();
            let by = inclusion.included(&growing.unfolding.tree, node, growing.solver, terms)?;
            if let Some((by, same_branch)) = by {
                growing.unfolding.tree.nodes[node.index()].cut =
                    TreeCut::Included { by, same_branch };
                continue;
            }
        }
        growing.expand(node, execution, terms)?;
    }
    growing.release();
    Ok(growing.unfolding.tree)
}

struct Growing<'s, 'a> {
    graph: &'a Graph,
    unfolding: TreeBuilder<'a>,
    /// For each node, how many edges `τ` lead to it without another in between.
    silent: Vec<u32>,
    merging: Option<Merging>,
    /// The nodes whose conditions are asserted, each on a level of its own.
    asserted: Vec<TreeNodeId>,
    solver: &'s mut dyn Solver,
}

/// What is known of a step.
enum Feasible {
    Yes(Option<Arc<Assignment>>),
    No,
    Unknown(Reason),
}

impl Growing<'_, '_> {
    fn expand(
        &mut self,
        node: TreeNodeId,
        execution: &Execution<'_>,
        terms: &mut Terms,
    ) -> Result<(), SolverError> {
        let graph = self.graph;
        let at = self.unfolding.tree.node(node);
        let (state, depth, silent) = (at.state, at.depth, self.silent[node.index()]);
        for (index, edge) in graph.outgoing(state) {
            let counts = edge.label.counts();
            let beyond = if counts {
                depth >= execution.depth
            } else {
                silent >= execution.silent
            };
            let mut successor = self.unfolding.successor(node, index, terms);
            if beyond {
                // A step that cannot be taken is not one that was left out.
                if successor.node.condition != Term::FALSE {
                    self.mark(node, TreeCut::Bound);
                    self.unfolding.tree.silent_cut |= !counts;
                }
                continue;
            }
            let run = if counts { 0 } else { silent + 1 };
            let mut likeness = None;
            if let Some(merging) = &mut self.merging {
                if successor.node.condition == Term::FALSE {
                    continue;
                }
                let (compared, past) = merging.likeness(node, &successor, terms);
                let known = compared.as_ref().and_then(|it| merging.known(it, &past));
                if let Some(target) = known {
                    let tree = &mut self.unfolding.tree;
                    tree.join(Join {
                        source: node,
                        edge: index,
                        target,
                    });
                    let before = &mut self.silent[target.index()];
                    *before = run.min(*before);
                    continue;
                }
                likeness = Some((compared, past));
            }
            match self.feasible(node, &successor, terms)? {
                Feasible::No => continue,
                Feasible::Unknown(reason) => {
                    let stopped = reason == Reason::Cancelled;
                    let doubt = UndecidedStep {
                        node,
                        edge: index,
                        reason,
                    };
                    self.unfolding.tree.doubts.push(doubt);
                    self.mark(node, TreeCut::UndecidedStep);
                    if stopped {
                        self.stop(node, StopReason::Cancelled);
                        return Ok(());
                    }
                    continue;
                }
                Feasible::Yes(witness) => successor.node.witness = witness,
            }
            if let Err(spent) = execution.budget.spend() {
                self.stop(node, spent);
                return Ok(());
            }
            let added = self.unfolding.add(successor);
            self.silent.push(run);
            if let (Some(merging), Some((likeness, past))) = (&mut self.merging, likeness) {
                merging.add(added, likeness, past);
            }
        }
        Ok(())
    }

    fn mark(&mut self, node: TreeNodeId, cut: TreeCut) {
        let at = &mut self.unfolding.tree.nodes[node.index()];
        // A doubt weighs more than the bound: it is not fixed by raising that.
        if at.cut == TreeCut::Not || cut != TreeCut::Bound {
            at.cut = cut;
        }
    }

    fn stop(&mut self, node: TreeNodeId, spent: StopReason) {
        self.unfolding.tree.stopped = Some(spent);
        self.mark(node, TreeCut::Stopped);
    }

    fn feasible(
        &mut self,
        parent: TreeNodeId,
        successor: &Successor,
        terms: &mut Terms,
    ) -> Result<Feasible, SolverError> {
        let condition = successor.node.condition;
        let witness = self.unfolding.tree.node(parent).witness.clone();
        match condition {
            Term::TRUE => return Ok(Feasible::Yes(witness)),
            Term::FALSE => return Ok(Feasible::No),
            _ => {}
        }
        if let Some(known) = &witness
            && let Some(extended) = satisfied(condition, known, terms)
        {
            return Ok(Feasible::Yes(Some(extended)));
        }
        self.follow(parent);
        self.unfolding.tree.checks += 1;
        self.solver.push();
        self.solver.assert(condition);
        let answer = self.solver.check(terms);
        let solution = self.solver.solution().cloned();
        self.solver.pop();
        Ok(match answer? {
            Satisfiability::Sat => Feasible::Yes(solution.map(Arc::new)),
            Satisfiability::Unsat => Feasible::No,
            Satisfiability::Unknown(reason) => Feasible::Unknown(reason),
        })
    }

    /// Asserts the path condition of a node, and nothing else.
    fn follow(&mut self, node: TreeNodeId) {
        let tree = &self.unfolding.tree;
        let path: Vec<TreeNodeId> = tree
            .path(node)
            .into_iter()
            .filter(|&id| tree.node(id).condition != Term::TRUE)
            .collect();
        let common = self
            .asserted
            .iter()
            .zip(&path)
            .take_while(|(left, right)| left == right)
            .count();
        while self.asserted.len() > common {
            self.solver.pop();
            self.asserted.pop();
        }
        for &id in &path[common..] {
            self.solver.push();
            self.solver.assert(tree.node(id).condition);
            self.asserted.push(id);
        }
    }

    /// Takes everything back that was asserted.
    fn release(&mut self) {
        while self.asserted.pop().is_some() {
            self.solver.pop();
        }
    }
}

/// Values that satisfy a condition, if those that are known do; symbols without a value get any.
fn satisfied(condition: Term, known: &Arc<Assignment>, terms: &Terms) -> Option<Arc<Assignment>> {
    let mut values = known.clone();
    loop {
        match terms.evaluate_guard(condition, &values) {
            Ok(true) => return Some(values),
            Err(NoValue::Unassigned(symbol)) => {
                let value = any_value(terms.variable_sort(symbol), terms)?;
                Arc::make_mut(&mut values).insert(symbol, value);
            }
            Ok(false) | Err(NoValue::Undefined | NoValue::Quantified) => return None,
        }
    }
}

/// Some value of a sort; none of an uninterpreted one, whose values only the solver names.
pub(crate) fn any_value(sort: Sort, terms: &Terms) -> Option<Value> {
    Some(match terms.sort_kind(sort) {
        SortKind::Bool => Value::Bool(false),
        SortKind::Int => Value::int(0),
        SortKind::Real => Value::Real(num_rational::BigRational::from_integer(0.into())),
        SortKind::String => Value::text(""),
        SortKind::Uninterpreted(_) => return None,
        SortKind::Enumeration { constructors, .. } => {
            constructors.first()?;
            Value::Constructor { sort, index: 0 }
        }
        // Sorts are as deep as a declaration or a document, which their readers limit.
        SortKind::Record(fields) => Value::Record {
            sort,
            fields: fields
                .iter()
                .map(|&(_, field)| any_value(field, terms))
                .collect::<Option<_>>()?,
        },
        SortKind::List(_) => Value::List {
            sort,
            items: Vec::new(),
        },
    })
}
