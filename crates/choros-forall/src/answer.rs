//! Does the formula hold for all data, and if not, for which?

use choros_base::{Budget, Names, StopReason};
use choros_certify::{AskedFormula, Flaw, ForAllChecked, ForAllPart, ForAllProof, check_for_all};
use choros_data::{Quantifier, Term, Terms};
use choros_model::evidence::Tree;
use choros_model::stg::Stg;
use choros_model::{Bound, Evidence, Help, Unknown, Verdict};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::questions::Alphabet;
use choros_query::socl::{Actions, Arity, Formula, NodeId, NodeKind, unmatched};
use choros_smt::{Solver, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::asked_of::AskedOf;
use crate::bounds::{Bounds, Side};
use crate::certificate::certified_part;
use crate::evaluate::Evaluator;
use crate::fair::Fair;
use crate::invariants::invariants;
use crate::knowledge::{Knowledge, split};
use crate::prover::{Prover, spent_work};
use crate::readable::{readable, readable_part};
use crate::run::refutation;
use crate::stop::Stop;
use crate::symbolic::Symbolic;
use crate::witness::values_against;

/// A question.
pub struct Asked<'a> {
    pub formula: &'a Formula,
    /// How steps become actions.
    pub abstraction: &'a Abstraction,
    pub arity: Arity,
    /// Names of the formula and the rules.
    pub names: &'a mut Names,
    /// Steps that are assumed fair: only runs that are fair to all of them count.
    pub fair: &'a [Actions],
}

/// An answer.
#[derive(Debug)]
pub struct ForAll {
    pub verdict: Verdict,
    /// What shows it; every answer but *unknown* has one, which was checked.
    pub proof: Option<ForAllProof>,
    /// How much was checked.
    pub checked: ForAllChecked,
    /// Sub-formulas because of which the formula holds though no step matches them.
    pub vacuous: Vec<NodeId>,
    /// Nodes of the graph, with the state that has ended if runs can end.
    pub nodes: u64,
    /// Edges of the graph, with those to the end.
    pub edges: u64,
    /// What steps and states of the graph can be called; nothing if that was not found out.
    pub alphabet: Option<Alphabet>,
}

/// Answers a question about a graph for all values of its parameters and of the data that messages bring.
pub fn answer(
    stg: &Stg,
    asked: &mut Asked<'_>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<ForAll, SolverError> {
    let confirming = budget.part(budget.used().saturating_add(budget.left()));
    let mut prover = Prover::new(terms, solver, budget);
    let mut seen = Seen::default();
    let found = match verdict(stg, asked, &mut seen, &confirming, &mut prover) {
        Err(Stop::Spent(StopReason::Steps(bound))) => {
            let reason = format!("the bound of {bound} questions to the solver was reached");
            let more = Bound::States(Some(bound.saturating_mul(10)));
            let known = (reason, more, seen.known);
            Ok((cut_short(stg, known, budget, &mut prover), None))
        }
        found => found,
    };
    let found = match found {
        Ok((verdict, Some(proof))) => {
            let solver = (terms, solver, &confirming);
            confirmed(stg, asked, verdict, proof, solver)
        }
        Ok((verdict, None)) => Ok((verdict, None, ForAllChecked::default())),
        Err(stop) => Err(stop),
    };
    let (verdict, proof, checked) = match found {
        Ok(found) => found,
        Err(stop) => (given_up(stop)?, None, ForAllChecked::default()),
    };
    let answer = ForAll::new(stg, verdict, proof, checked);
    Ok(ForAll {
        vacuous: seen.vacuous,
        alphabet: seen.alphabet,
        ..answer
    })
}

impl ForAll {
    /// The answer that a proof shows of a formula which holds for all data; it was checked.
    pub fn proved(
        stg: &Stg,
        formula: &Formula,
        names: &Names,
        proof: ForAllProof,
        checked: ForAllChecked,
    ) -> ForAll {
        ForAll::new(stg, for_all_data(formula, names), Some(proof), checked)
    }

    fn new(
        stg: &Stg,
        verdict: Verdict,
        proof: Option<ForAllProof>,
        checked: ForAllChecked,
    ) -> ForAll {
        let endings: usize = stg.nodes().iter().map(|it| it.terminations.len()).sum();
        ForAll {
            verdict,
            proof,
            checked,
            vacuous: Vec::new(),
            nodes: stg.nodes().len() as u64 + u64::from(endings > 0),
            edges: (stg.edges().len() + endings) as u64,
            alphabet: None,
        }
    }
}

/// The verdict about a formula that holds without a condition.
fn for_all_data(formula: &Formula, names: &Names) -> Verdict {
    let claim = formula.print(names);
    Verdict::Holds(Evidence::Tree(Tree {
        claim: format!("{claim} holds for all data"),
        origin: None,
        evidence: None,
        because: Vec::new(),
    }))
}

/// What is said where the work ended early.
fn given_up(stop: Stop) -> Result<Verdict, SolverError> {
    Ok(match stop {
        Stop::Solver(error) => return Err(error),
        Stop::Unsupported(reason) => Verdict::Unknown(Unknown::whatever_the_bound(reason)),
        Stop::Spent(StopReason::Cancelled) => {
            unknown("the run was stopped".to_owned(), Help::Other)
        }
        Stop::Spent(StopReason::Steps(bound)) => unknown(
            format!("the bound of {bound} questions to the solver was reached"),
            Help::Raise(Bound::States(Some(bound.saturating_mul(10)))),
        ),
        Stop::Work { allowed, bound } => unknown(spent_work(allowed), Help::Raise(bound)),
    })
}

/// The verdict, if the checker confirms what it rests on; *unknown* otherwise.
fn confirmed(
    stg: &Stg,
    asked: &mut Asked<'_>,
    verdict: Verdict,
    proof: ForAllProof,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
) -> Result<(Verdict, Option<ForAllProof>, ForAllChecked), Stop> {
    let question = AskedFormula {
        formula: asked.formula,
        abstraction: asked.abstraction,
        state_labels: StateLabels::Steps,
        arity: asked.arity,
        fair: asked.fair,
    };
    let names = &mut *asked.names;
    let checked = check_for_all(stg, &question, &proof, names, terms, solver, budget)?;
    let (reason, help) = match checked {
        Ok(checked) => return Ok((verdict, Some(proof), checked)),
        Err(Flaw::Wrong(reason)) => (reason, Help::Other),
        Err(Flaw::Open(why)) => (why.text, why.bound.into()),
    };
    let reason = format!("an answer was found, but could not be confirmed: {reason}");
    Ok((unknown(reason, help), None, ForAllChecked::default()))
}

/// What is found before the answer.
#[derive(Default)]
struct Seen {
    vacuous: Vec<NodeId>,
    alphabet: Option<Alphabet>,
    /// The two sides at the start.
    known: Option<Bounds>,
}

/// Questions to the solver for presenting what is known when all others are spent.
const RESERVE: u64 = 2_000;

/// The answer where a bound ended the work, with what is known of both sides by then.
fn cut_short(
    stg: &Stg,
    (mut reason, more, known): (String, Bound, Option<Bounds>),
    budget: &Budget,
    prover: &mut Prover<'_>,
) -> Verdict {
    prover.budget = budget.part(RESERVE);
    prover.allow(1);
    if let Some(found) = known
        && let Ok(sides) = sides(stg, found, prover)
    {
        reason.push_str(&sides);
    }
    unknown(reason, Help::Raise(more))
}

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
    seen: &mut Seen,
    confirming: &Budget,
    prover: &mut Prover<'_>,
) -> Result<(Verdict, Option<ForAllProof>), Stop> {
    let rules = AskedOf {
        stg,
        abstraction: asked.abstraction,
        fair: asked.fair,
    };
    let split = split(stg, asked.formula, asked.names, prover.terms)?;
    let nothing = Knowledge::default();
    let (stg, knowledge) = match &split {
        Some((split, knowledge)) => (split, knowledge),
        None => (stg, &nothing),
    };
    let graph = Symbolic::new(stg, asked.abstraction, asked.names, prover)?;
    seen.alphabet = Some(graph.alphabet());
    let nothing = vec![Term::TRUE; graph.steps.len()];
    let fair = Fair::new(&graph, asked.fair, asked.names, asked.arity, prover)?;
    let fair = fair.as_ref();
    let mut evaluator = Evaluator {
        graph: &graph,
        formula: asked.formula,
        names: asked.names,
        arity: asked.arity,
        known: &nothing,
        prover,
        solved: FxHashMap::default(),
        matched: FxHashSet::default(),
        knowledge,
        fair,
    };
    let mut found = at_start(&mut evaluator)?;
    seen.known = Some(found);
    seen.vacuous = never_matched(&evaluator);
    if let Some(verdict) = settled(found, &mut evaluator)? {
        if matches!(verdict, Verdict::Fails(_)) {
            seen.vacuous.clear();
        }
        evaluator.prover.budget = confirming.part(confirming.left());
        evaluator.prover.write();
        let (condition, truths) = claimed(&verdict, evaluator.prover.terms);
        let parts = vec![certified_part(&mut evaluator, truths, rules)?];
        let proof = proof(condition, parts, &mut evaluator, rules)?;
        return Ok((verdict, Some(proof)));
    }
    if evaluator.prover.is_spent() {
        return Ok((not_settled(stg, found, prover)?, None));
    }
    evaluator.prover.search_again();
    let known = invariants(&graph, &[], evaluator.prover)?;
    if known.iter().any(|&it| it != Term::TRUE) {
        let first = std::mem::take(&mut evaluator.solved);
        let mut evaluator = Evaluator {
            known: &known,
            solved: FxHashMap::default(),
            matched: FxHashSet::default(),
            graph: &graph,
            formula: asked.formula,
            names: asked.names,
            arity: asked.arity,
            prover: &mut *evaluator.prover,
            knowledge,
            fair,
        };
        let again = at_start(&mut evaluator)?;
        let terms = &mut *evaluator.prover.terms;
        let low = terms.or([found.low, again.low]);
        let high = terms.and([found.high, again.high]);
        found = Bounds { low, high };
        if let Some(verdict) = settled(found, &mut evaluator)? {
            evaluator.prover.budget = confirming.part(confirming.left());
            evaluator.prover.write();
            let (condition, truths) = claimed(&verdict, evaluator.prover.terms);
            let mut parts = vec![certified_part(&mut evaluator, truths, rules)?];
            if found != again {
                // What was found without assumptions may be needed too.
                evaluator.known = &nothing;
                evaluator.solved = first;
                parts.push(certified_part(&mut evaluator, truths, rules)?);
            }
            let proof = proof(condition, parts, &mut evaluator, rules)?;
            return Ok((verdict, Some(proof)));
        }
    }
    Ok((not_settled(stg, found, prover)?, None))
}

fn proof(
    condition: Term,
    parts: Vec<ForAllPart>,
    evaluator: &mut Evaluator<'_, '_>,
    asked: AskedOf<'_>,
) -> Result<ForAllProof, Stop> {
    let against = match condition {
        Term::TRUE => Vec::new(),
        _ => values_against(&parts, condition, evaluator, asked)?,
    };
    Ok(ForAllProof {
        condition,
        parts,
        against,
    })
}

/// The condition of a settled verdict, and whether it needs claims that the formula is true, false, or both.
fn claimed(verdict: &Verdict, terms: &mut Terms) -> (Term, &'static [bool]) {
    match verdict {
        Verdict::Holds(_) => (Term::TRUE, &[true]),
        // What is undefined somewhere was written so that it can be read back.
        Verdict::HoldsIf(condition, _) if terms.is_partial(*condition) => {
            (*condition, &[true, false])
        }
        Verdict::HoldsIf(condition, _) => (terms.simplify(*condition), &[true, false]),
        _ => (Term::FALSE, &[false]),
    }
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
    let (outer, variables) = evaluator.for_all()?;
    let root = evaluator.sets(evaluator.formula.root(), &outer)?;
    let found = root.sets[evaluator.graph.initial()];
    let prover = &mut *evaluator.prover;
    Ok(Bounds {
        low: prover.eliminate(Quantifier::Forall, &variables, found.low, Side::Low)?,
        high: prover.eliminate(Quantifier::Forall, &variables, found.high, Side::High)?,
    })
}

/// The verdict, if the two sides settle it.
fn settled(found: Bounds, evaluator: &mut Evaluator<'_, '_>) -> Result<Option<Verdict>, Stop> {
    if evaluator.prover.implies(Term::TRUE, found.low)? {
        return Ok(Some(for_all_data(evaluator.formula, evaluator.names)));
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
    prover.allow(1);
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
