//! Checks what an answer about projections that were put together rests on.
//!
//! That they *do* what the choreography says is a relation, pair by pair ([`check_conformance`]), and beside it:
//! no channel is ever full, nothing continues in silence forever, and what waits need not wait forever.
//! Every situation that is reached stands in the relation, so its conditions say which data a node can have.
//!
//! **Waiting.**
//! A node is *near* a wanted step if, whatever the data, some edge of it is wanted or leads to a node that was found to
//! be near before.
//! So from a near node some run takes a wanted step, and nodes in which something waits must be near.
//! That is sufficient and not necessary: a way that depends on the data of the way before it is not found.
//!
//! That they do *not* is an attack, or a run with values to where something waits that no edge ends any more.

use choros_base::Budget;
use choros_data::{Assignment, Quantifier, Term, Terms};
use choros_model::stg::run::{RunStep, replay};
use choros_model::stg::{EdgeId, NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::conformance::{ConformanceProof, check_conformance};
use crate::flaw::Flaw;
use crate::relation::{RelatedPair, budget_of};
use crate::sides::Sides;

/// Something that must not wait forever: a role, or what stands first in a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// What it is, for people.
    pub what: String,
    /// For each node, for which data it waits there.
    pub waits: Vec<Term>,
    /// For each edge, whether it ends the waiting.
    pub ends: Vec<bool>,
}

/// What has to be examined beside the graph of projections that were put together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssembledProjections {
    /// What must not wait forever.
    pub expectations: Vec<Obligation>,
    /// Nodes that must not be reached, with the data for which they must not.
    pub forbidden: Vec<(NodeId, Term)>,
    /// Nodes in which something was not sent because a channel was full.
    pub refused: Vec<NodeId>,
}

/// What an answer about projections rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RealizationProof {
    /// They conform to the choreography, and nothing waits forever; or they do not conform.
    Compared(ConformanceProof),
    /// Something waits forever.
    Stranded {
        run: ValuedRun,
        /// Its position among the expectations.
        waits: usize,
    },
    /// A node is reached that must not be.
    Forbidden(ValuedRun),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValuedRun {
    /// The values of the parameters.
    pub parameters: Assignment,
    /// Its steps.
    pub choices: Vec<RunStep>,
}

/// Checks a proof; `allow_fixed` as for a relation.
pub fn check_realization(
    proof: &RealizationProof,
    sides: &Sides<'_>,
    assembled: &AssembledProjections,
    allow_fixed: bool,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<(), Flaw>, SolverError> {
    Ok(match proof {
        RealizationProof::Stranded { run, waits } => {
            is_stranded(run, *waits, sides, assembled, terms)
        }
        RealizationProof::Forbidden(run) => {
            arrives(run, &sides.left, terms).and_then(|(at, values)| {
                let mut here = assembled.forbidden.iter().filter(|it| it.0 == at);
                if here.any(|it| matches!(terms.evaluate_guard(it.1, &values), Ok(true))) {
                    Ok(())
                } else {
                    Err(Flaw::wrong("the run leads to where it may lead"))
                }
            })
        }
        RealizationProof::Compared(compared) => {
            let checked = check_conformance(compared, sides, allow_fixed, terms, solver, budget)?;
            let ConformanceProof::Relation { pairs, .. } = compared else {
                return Ok(checked);
            };
            if checked.is_err() {
                return Ok(checked);
            }
            let mut surveyor = Surveyor {
                stg: &sides.left,
                relation: pairs,
                terms,
                solver,
                budget,
            };
            surveyor.is_fine(assembled)?
        }
    })
}

/// Where a run leads.
fn arrives(run: &ValuedRun, stg: &Stg, terms: &Terms) -> Result<(NodeId, Assignment), Flaw> {
    let complete = stg.parameters(terms).iter().all(|it| {
        let value = run.parameters.get(it);
        value.is_some_and(|value| value.sort() == terms.variable_sort(*it))
    });
    if !complete {
        return Err(Flaw::wrong("a parameter of the run has no value"));
    }
    match replay(stg, run.parameters.clone(), &run.choices, terms) {
        Ok((situation, _)) => Ok((situation.node, situation.values)),
        Err((step, _)) => Err(Flaw::wrong(format!(
            "step {step} of the run cannot be taken"
        ))),
    }
}

fn is_stranded(
    run: &ValuedRun,
    waits: usize,
    sides: &Sides<'_>,
    assembled: &AssembledProjections,
    terms: &Terms,
) -> Result<(), Flaw> {
    let stg = &*sides.left;
    let Some(expectation) = assembled.expectations.get(waits) else {
        return Err(Flaw::wrong("the part that should wait does not exist"));
    };
    let (at, values) = arrives(run, stg, terms)?;
    if !matches!(
        terms.evaluate_guard(expectation.waits[at.index()], &values),
        Ok(true)
    ) {
        return Err(Flaw::wrong(
            "the part that should wait does not wait at the end of the run",
        ));
    }
    let mut seen = vec![false; stg.nodes().len()];
    let mut work = vec![at];
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        if assembled.refused.contains(&node) {
            return Err(Flaw::wrong("a full channel may hide what ends the waiting"));
        }
        for (EdgeId(id), edge) in stg.outgoing(node) {
            if edge.guard == Term::FALSE {
                continue;
            }
            if expectation.ends[id as usize] {
                return Err(Flaw::wrong(
                    "the part that should wait forever can stop waiting",
                ));
            }
            work.push(edge.target);
        }
    }
    Ok(())
}

/// Looks at a graph whose reachable data a relation describes.
struct Surveyor<'a> {
    stg: &'a Stg,
    relation: &'a [RelatedPair],
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
}

impl Surveyor<'_> {
    fn is_fine(
        &mut self,
        assembled: &AssembledProjections,
    ) -> Result<Result<(), Flaw>, SolverError> {
        if !assembled.refused.is_empty() {
            return Ok(Err(Flaw::wrong("a channel was full")));
        }
        if has_silent_cycle(self.stg) {
            return Ok(Err(Flaw::wrong("silent steps can continue forever")));
        }
        for &(node, data) in &assembled.forbidden {
            if let Err(flaw) = self.never(node, data)? {
                return Ok(Err(named(flaw, "a state that must not be reached")));
            }
        }
        for expectation in &assembled.expectations {
            if let Err(flaw) = self.is_met(expectation)? {
                return Ok(Err(named(flaw, &expectation.what)));
            }
        }
        Ok(Ok(()))
    }

    fn is_met(&mut self, expectation: &Obligation) -> Result<Result<(), Flaw>, SolverError> {
        let count = self.stg.nodes().len();
        let mut arriving: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        let mut near = vec![false; count];
        let mut work = Vec::new();
        for (index, edge) in self.stg.edges().iter().enumerate() {
            arriving[edge.target.index()].push(edge.source);
            if expectation.ends[index] {
                work.push(edge.source);
            }
        }
        while let Some(node) = work.pop() {
            if let Err(spent) = self.budget.spend() {
                return Ok(Err(Flaw::spent(spent)));
            }
            if !near[node.index()] && self.leads_nearer(node, &expectation.ends, &near)? {
                near[node.index()] = true;
                work.extend(&arriving[node.index()]);
            }
        }
        for (node, &waits) in self.stg.node_ids().zip(&expectation.waits) {
            if waits != Term::FALSE
                && !near[node.index()]
                && let Err(flaw) = self.never(node, waits)?
            {
                return Ok(Err(flaw));
            }
        }
        Ok(Ok(()))
    }

    /// Whether, for all data with which a node is reached, some edge is wanted or leads to a node that is near.
    fn leads_nearer(
        &mut self,
        node: NodeId,
        ends: &[bool],
        near: &[bool],
    ) -> Result<bool, SolverError> {
        let mut ways = Vec::new();
        for (EdgeId(id), edge) in self.stg.outgoing(node) {
            if !ends[id as usize] && !near[edge.target.index()] {
                continue;
            }
            let bound: Vec<_> = edge.event.bound_variables().collect();
            let accepts = edge.accepts(self.terms);
            let accepts = self.terms.quantify(Quantifier::Exists, &bound, accepts);
            ways.push(self.terms.and([edge.guard, accepts]));
        }
        let some = self.terms.or(ways);
        let none = self.terms.not(some);
        Ok(self.never(node, none)?.is_ok())
    }

    /// Whether a node is never reached with such data.
    fn never(&mut self, node: NodeId, data: Term) -> Result<Result<(), Flaw>, SolverError> {
        if data == Term::FALSE {
            return Ok(Ok(()));
        }
        for pair in self.relation.iter().filter(|it| it.left == node) {
            let both = self.terms.and([pair.condition, data]);
            let both = self.terms.simplify(both);
            if both == Term::FALSE {
                continue;
            }
            match self.solver.satisfiable(self.terms, &[both])? {
                Satisfiability::Unsat => {}
                Satisfiability::Sat => {
                    let label = &self.stg.node(node).label;
                    return Ok(Err(Flaw::wrong(format!("in state {label}"))));
                }
                Satisfiability::Unknown(reason) => {
                    return Ok(Err(Flaw::open(reason.to_string(), budget_of(&reason))));
                }
            }
        }
        Ok(Ok(()))
    }
}

fn named(flaw: Flaw, what: &str) -> Flaw {
    match flaw {
        Flaw::Wrong(place) => Flaw::Wrong(format!(
            "it is not shown that {what} need not wait forever {place}"
        )),
        open => open,
    }
}

/// Whether silent edges form a cycle, for some data or for none.
fn has_silent_cycle(stg: &Stg) -> bool {
    // Nodes that no silent edge of the rest enters are taken away until none is left.
    let silent: Vec<(NodeId, NodeId)> = stg
        .edges()
        .iter()
        .filter(|edge| edge.event.is_silent() && edge.guard != Term::FALSE)
        .map(|edge| (edge.source, edge.target))
        .collect();
    let mut entering = vec![0_usize; stg.nodes().len()];
    let mut leaving: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    for &(from, to) in &silent {
        entering[to.index()] += 1;
        leaving[from.index()].push(to);
    }
    let mut work: Vec<NodeId> = stg
        .node_ids()
        .filter(|it| entering[it.index()] == 0)
        .collect();
    let mut gone = 0;
    while let Some(node) = work.pop() {
        gone += 1;
        for &to in &leaving[node.index()] {
            entering[to.index()] -= 1;
            if entering[to.index()] == 0 {
                work.push(to);
            }
        }
    }
    gone < stg.nodes().len()
}
