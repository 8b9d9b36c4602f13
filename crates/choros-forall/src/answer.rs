//! Does the formula hold for all data, and if not, for which?

use choros_base::{Budget, Names, StopReason};
use choros_data::{Term, Terms};
use choros_model::evidence::Tree;
use choros_model::stg::Stg;
use choros_model::{Bound, Evidence, Help, Unknown, Verdict};
use choros_query::abstraction::Abstraction;
use choros_query::socl::{Arity, Formula, NodeId, NodeKind, unmatched};
use choros_smt::{Solver, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::Bounds;
use crate::evaluate::Evaluator;
use crate::invariants::invariants;
use crate::prover::Prover;
use crate::readable::{readable, readable_part};
use crate::run::refutation;
use crate::stop::Stop;
use crate::symbolic::Symbolic;

/// A question.
pub struct Asked<'a> {
    pub formula: &'a Formula,
    /// How steps become actions.
    pub abstraction: &'a Abstraction,
    pub arity: Arity,
    /// Names of the formula and the rules.
    pub names: &'a mut Names,
}

/// An answer.
#[derive(Debug)]
pub struct ForAll {
    pub verdict: Verdict,
    /// Sub-formulas because of which the formula holds though no step matches them.
    pub vacuous: Vec<NodeId>,
    /// Nodes of the graph, with the state that has ended if runs can end.
    pub nodes: u64,
    /// Edges of the graph, with those to the end.
    pub edges: u64,
}

/// Answers a question about a graph for all values of its parameters and of the data that messages bring.
pub fn answer(
    stg: &Stg,
    asked: &mut Asked<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<ForAll, SolverError> {
    let mut prover = Prover::new(terms, solver, budget);
    let mut vacuous = Vec::new();
    let mut known = None;
    let verdict = match verdict(stg, asked, &mut vacuous, &mut known, &mut prover) {
        Ok(verdict) => verdict,
        Err(Stop::Solver(error)) => return Err(error),
        Err(Stop::Unsupported(reason)) => Verdict::Unknown(Unknown::whatever_the_bound(reason)),
        Err(Stop::Spent(StopReason::Cancelled)) => {
            unknown("the run was stopped".to_owned(), Help::Other)
        }
        Err(Stop::Spent(StopReason::Steps(bound))) => {
            let mut reason = format!("the bound of {bound} questions to the solver was reached");
            prover.budget = budget.part(RESERVE);
            if let Some(found) = known
                && let Ok(sides) = sides(stg, found, &mut prover)
            {
                reason.push_str(&sides);
            }
            let more = bound.saturating_mul(10);
            unknown(reason, Help::Raise(Bound::States(Some(more))))
        }
    };
    let endings: usize = stg.nodes().iter().map(|it| it.terminations.len()).sum();
    Ok(ForAll {
        verdict,
        vacuous,
        nodes: stg.nodes().len() as u64 + u64::from(endings > 0),
        edges: (stg.edges().len() + endings) as u64,
    })
}

/// Questions to the solver for presenting what is known when all others are spent.
const RESERVE: u64 = 2_000;

fn unknown(reason: String, help: Help) -> Verdict {
    Verdict::Unknown(Unknown {
        reason,
        help,
        evidence: None,
    })
}

fn verdict(
    stg: &Stg,
    asked: &mut Asked<'_>,
    vacuous: &mut Vec<NodeId>,
    known_so_far: &mut Option<Bounds>,
    prover: &mut Prover<'_>,
) -> Result<Verdict, Stop> {
    let graph = Symbolic::new(stg, asked.abstraction, asked.names, prover)?;
    let nothing = vec![Term::TRUE; graph.steps.len()];
    let mut evaluator = Evaluator {
        graph: &graph,
        formula: asked.formula,
        names: asked.names,
        arity: asked.arity,
        known: &nothing,
        prover,
        solved: FxHashMap::default(),
        matched: FxHashSet::default(),
    };
    let mut found = at_start(&mut evaluator)?;
    *known_so_far = Some(found);
    *vacuous = never_matched(&evaluator);
    if let Some(verdict) = settled(found, &mut evaluator)? {
        if matches!(verdict, Verdict::Fails(_)) {
            vacuous.clear();
        }
        return Ok(verdict);
    }
    let known = invariants(&graph, &[], evaluator.prover)?;
    if known.iter().any(|&it| it != Term::TRUE) {
        let mut evaluator = Evaluator {
            known: &known,
            solved: FxHashMap::default(),
            matched: FxHashSet::default(),
            graph: &graph,
            formula: asked.formula,
            names: asked.names,
            arity: asked.arity,
            prover: &mut *evaluator.prover,
        };
        let again = at_start(&mut evaluator)?;
        let terms = &mut *evaluator.prover.terms;
        let low = terms.or([found.low, again.low]);
        let high = terms.and([found.high, again.high]);
        found = Bounds { low, high };
        if let Some(verdict) = settled(found, &mut evaluator)? {
            return Ok(verdict);
        }
    }
    not_settled(stg, found, prover)
}

/// Sub-formulas that are about steps which no edge can take, whatever the data.
fn never_matched(evaluator: &Evaluator<'_, '_>) -> Vec<NodeId> {
    let formula = evaluator.formula;
    let has_matched = |node: NodeId| match &formula.node(node).kind {
        NodeKind::Until(until) => evaluator.matched.contains(&until.right),
        kind => {
            let parts = kind.parts();
            parts
                .last()
                .is_some_and(|it| evaluator.matched.contains(it))
        }
    };
    unmatched(formula, has_matched)
}

fn at_start(evaluator: &mut Evaluator<'_, '_>) -> Result<Bounds, Stop> {
    let root = evaluator.sets(evaluator.formula.root(), &Vec::new())?;
    Ok(root.sets[evaluator.graph.initial()])
}

/// The verdict, if the two sides settle it.
fn settled(found: Bounds, evaluator: &mut Evaluator<'_, '_>) -> Result<Option<Verdict>, Stop> {
    let claim = evaluator.formula.print(evaluator.names);
    if evaluator.prover.implies(Term::TRUE, found.low)? {
        let tree = Tree {
            claim: format!("{claim} holds for all data"),
            origin: None,
            evidence: None,
            because: Vec::new(),
        };
        return Ok(Some(Verdict::Holds(Evidence::Tree(tree))));
    }
    if evaluator.prover.is_empty(found.high)? {
        let evidence = refutation(evaluator, Term::TRUE)?;
        return Ok(Some(Verdict::Fails(evidence)));
    }
    if !evaluator.prover.implies(found.high, found.low)? {
        return Ok(None);
    }
    let prover = &mut *evaluator.prover;
    let stg = evaluator.graph.stg;
    let condition = readable(found.low, stg, prover)?;
    let otherwise = prover.terms.not(condition);
    let evidence = refutation(evaluator, otherwise)?;
    Ok(Some(Verdict::HoldsIf(condition, evidence)))
}

/// The answer where the two sides differ.
fn not_settled(stg: &Stg, found: Bounds, prover: &mut Prover<'_>) -> Result<Verdict, Stop> {
    let mut reason = "the sets of states did not settle".to_owned();
    if let Some(doubt) = &prover.doubt {
        reason = format!("{reason}: {doubt}");
    }
    reason.push_str(&sides(stg, found, prover)?);
    Ok(match prover.met {
        Some(bound) => unknown(reason, Help::Raise(bound)),
        None => Verdict::Unknown(Unknown::whatever_the_bound(reason)),
    })
}

/// What is known on both sides.
fn sides(stg: &Stg, found: Bounds, prover: &mut Prover<'_>) -> Result<String, Stop> {
    let mut text = String::new();
    let fails = prover.terms.not(found.high);
    for (word, condition) in [("holds", found.low), ("fails", fails)] {
        if condition == Term::FALSE || prover.is_empty(condition)? {
            continue;
        }
        text.push_str(&match readable_part(condition, stg, prover)? {
            Some(part) => format!("; {word} at least where {}", prover.terms.print(part)),
            None => format!("; {word} for some data, under a condition that is too long to show"),
        });
    }
    Ok(text)
}
