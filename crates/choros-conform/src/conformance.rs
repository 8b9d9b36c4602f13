//! The question: does an implementation conform, and for which data?

use std::borrow::Cow;

use choros_base::Budget;
use choros_certify::{
    Certificate, RelatedPair, RelationClaim, Sides, bound_of, budget_of, check_certificate, sides,
};
use choros_data::{Term, Terms};
use choros_model::evidence::{RelatedStates, Tree};
use choros_model::stg::{NodeId, Stg};
use choros_model::{Bound, Evidence, Help, Unknown, Verdict};
use choros_smt::{Satisfiability, Solver, SolverError, Truth};

use crate::above::{Above, Stop, from_above};
use crate::below::from_below;
use crate::clauses::System;
use crate::condition::readable;
use crate::cycles::silent_cycles;
use crate::distinguish::distinguish;
use crate::fitness::{NotCompared, require_fitness};
use crate::fold::Fold;
use crate::formula::equality;
use crate::pairs::Pairs;
use crate::unfold::{TooFar, Unfolded, unfold};

/// How the two sides are compared.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Names of parameters that both sides have in common.
    pub shared: Vec<String>,
    /// Whether the implementation may send a value it knows where the specification leaves it open.
    pub allow_fixed: bool,
    /// How often a pair may change before the iteration from above is given up.
    pub most_changes: usize,
}

/// The answer and what belongs to it.
#[derive(Debug, Clone)]
pub struct Conformance<'a> {
    /// Whether the implementation conforms.
    pub verdict: Verdict,
    /// The implementation as it was compared: restricted, with variables of its own.
    pub implementation: Cow<'a, Stg>,
    /// The specification as it was compared.
    pub specification: Cow<'a, Stg>,
    /// With *holds* and *holds if*: the relation that shows it.
    pub relation: Vec<RelatedPair>,
    /// How many pairs of nodes were examined.
    pub pairs: usize,
    /// Nodes of the implementation from which silence leads back to them.
    pub divergent: Vec<NodeId>,
}

impl Conformance<'_> {
    /// The same with graphs of its own, so that it may outlive those that were compared.
    pub fn into_owned(self) -> Conformance<'static> {
        Conformance {
            verdict: self.verdict,
            implementation: Cow::Owned(self.implementation.into_owned()),
            specification: Cow::Owned(self.specification.into_owned()),
            relation: self.relation,
            pairs: self.pairs,
            divergent: self.divergent,
        }
    }
}

/// Compares an implementation with a specification, for all data.
pub fn conformance<'a>(
    implementation: &'a Stg,
    specification: &'a Stg,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Conformance<'a>, NotCompared> {
    require_fitness(implementation, specification)?;
    let sides = sides(implementation, specification, &setup.shared, terms);
    let judged = judge_in_turn(&sides, setup, terms, solver, budget)?;
    Ok(Conformance {
        verdict: judged.verdict,
        relation: judged.relation,
        pairs: judged.pairs,
        divergent: silent_cycles(&sides.left),
        implementation: sides.left,
        specification: sides.right,
    })
}

/// The answer, before it is put together with the graphs.
struct Judged {
    verdict: Verdict,
    relation: Vec<RelatedPair>,
    pairs: usize,
    /// The equations were not solved, and no bound was the reason.
    open: bool,
}

/// Of this many steps, one state may be unfolded.
const STEPS_PER_UNFOLDED: u64 = 512;
const LEAST_UNFOLDED: u64 = 100;
const MAX_UNFOLDED: u64 = 50_000;

/// So often a pair may change before counters are followed.
const FEW_CHANGES: usize = 8;

/// The equations as they are, if they settle soon; with the counters of both sides followed; as they are, for longer.
fn judge_in_turn(
    sides: &Sides<'_>,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Judged, SolverError> {
    let soon = Setup {
        most_changes: setup.most_changes.min(FEW_CHANGES),
        ..setup.clone()
    };
    let judged = judge(sides, None, &soon, terms, solver, budget)?;
    if !judged.open {
        return Ok(judged);
    }
    let (hint, help) = match following_counters(sides, setup, terms, solver, budget)? {
        Followed::Settled(judged) => return Ok(*judged),
        Followed::Useless => (
            "; it depends on data; raising a bound does not help".to_owned(),
            Help::NoBound,
        ),
        Followed::TooFar(most) if most < MAX_UNFOLDED => (
            format!(", and to follow its counters takes more than {most} states"),
            Help::Raise(Bound::States(None)),
        ),
        Followed::TooFar(most) => (
            format!(
                ", and to follow its counters takes more than {most} states; raising a bound does not help"
            ),
            Help::NoBound,
        ),
    };
    let mut judged = judge(sides, None, setup, terms, solver, budget)?;
    if let (true, Verdict::Unknown(unknown)) = (judged.open, &mut judged.verdict) {
        unknown.reason.push_str(&hint);
        unknown.help = help;
    }
    Ok(judged)
}

/// What became of following counters.
enum Followed {
    Settled(Box<Judged>),
    /// There are none with concrete values, or that does not settle it.
    Useless,
    /// That takes more than this many states.
    TooFar(u64),
}

fn following_counters(
    sides: &Sides<'_>,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Followed, SolverError> {
    let most = (budget.left() / STEPS_PER_UNFOLDED).clamp(LEAST_UNFOLDED, MAX_UNFOLDED);
    budget.begin("following counters", 0);
    let left = unfold(&sides.left, most as usize, terms, budget);
    let right = unfold(&sides.right, most as usize, terms, budget);
    let (left, right) = match (left, right) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(TooFar::Endless), _) | (_, Err(TooFar::Endless)) => return Ok(Followed::Useless),
        _ => return Ok(Followed::TooFar(most)),
    };
    let grown = |unfolded: &Unfolded, stg: &Stg| unfolded.stg.nodes().len() > stg.nodes().len();
    if !grown(&left, &sides.left) && !grown(&right, &sides.right) {
        return Ok(Followed::Useless);
    }
    let unfolded = Sides {
        left: Cow::Borrowed(&left.stg),
        right: Cow::Borrowed(&right.stg),
        shared: sides.shared.clone(),
    };
    let fold = Fold {
        sides,
        left: &left,
        right: &right,
    };
    let again = judge(&unfolded, Some(&fold), setup, terms, solver, budget)?;
    Ok(if again.open {
        Followed::Useless
    } else {
        Followed::Settled(Box::new(again))
    })
}

fn judge(
    sides: &Sides<'_>,
    fold: Option<&Fold<'_>>,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Judged, SolverError> {
    let mut system = System::new(sides, setup.allow_fixed, terms);
    let mut result = Judged {
        verdict: Verdict::Unknown(Unknown {
            reason: "nothing was explored".to_owned(),
            help: Help::Other,
            evidence: None,
        }),
        relation: Vec::new(),
        pairs: 0,
        open: false,
    };
    let pairs = match Pairs::explore(&mut system, &sides.shared, terms, budget) {
        Ok(pairs) => pairs,
        Err(spent) => {
            result.verdict = Verdict::Unknown(Unknown {
                reason: format!("the pairs of states were not all found: {spent}"),
                help: bound_of(spent).into(),
                evidence: None,
            });
            return Ok(result);
        }
    };
    result.pairs = pairs.all.len();
    let above = from_above(
        &mut system,
        &pairs,
        setup.most_changes,
        terms,
        solver,
        budget,
    )?;
    let initial = above.now(0);
    if initial != Term::TRUE && solver.satisfiable(terms, &[initial])? == Satisfiability::Unsat {
        let always = Term::TRUE;
        let found = distinguish(&mut system, &pairs, &above, always, fold, terms, solver)?;
        result.verdict = match found {
            Some(trace) => Verdict::Fails(Evidence::Trace(trace)),
            None => Verdict::Unknown(Unknown::whatever_the_bound(
                "it does not conform, but no run that shows it could be replayed",
            )),
        };
        return Ok(result);
    }
    if above.stopped.is_some() || above.cut {
        let below = match above.stopped {
            Some(Stop::Spent(_) | Stop::Undecided(_)) => None,
            _ => from_below(&mut system, &pairs, sides, initial, terms, solver, budget)?,
        };
        result.verdict = match below {
            Some(below) if solver.implies(terms, initial, below.condition)? == Truth::True => {
                let shown = relation_evidence(&below.relation, system.left, system.right, terms);
                result.relation = match fold {
                    Some(fold) => fold.relation(&below.relation),
                    None => below.relation,
                };
                let doubt = match fold {
                    Some(fold) => {
                        let relation = &result.relation;
                        certified(relation, initial, fold.sides, setup, terms, solver, budget)?
                    }
                    None => None,
                };
                match (doubt, solver.valid(terms, initial)?) {
                    (Some(doubt), _) => doubt,
                    (None, Truth::True) => Verdict::Holds(shown),
                    (None, _) => {
                        let graphs = [system.left, system.right];
                        Verdict::HoldsIf(readable(initial, graphs, terms, solver)?, shown)
                    }
                }
            }
            below => {
                result.open = !matches!(above.stopped, Some(Stop::Spent(_) | Stop::Undecided(_)));
                unfinished(&system, &pairs, &above, below.map(|it| it.condition), terms)
            }
        };
        return Ok(result);
    }
    let always = match initial {
        Term::TRUE => Truth::True,
        initial => solver.valid(terms, initial)?,
    };
    let ever = match always {
        Truth::True => Satisfiability::Sat,
        _ => solver.satisfiable(terms, &[initial])?,
    };
    // The condition is exact, but whether any values, or all, satisfy it is not known.
    if let (Truth::Unknown(reason), _) | (_, Satisfiability::Unknown(reason)) = (&always, &ever) {
        result.verdict = Verdict::Unknown(Unknown {
            reason: reason.to_string(),
            help: budget_of(reason).into(),
            evidence: Some(Evidence::Tree(Tree {
                claim: format!("it conforms exactly if {}", terms.print(initial)),
                origin: None,
                evidence: None,
                because: Vec::new(),
            })),
        });
        return Ok(result);
    }
    let always = always == Truth::True;
    let condition = if always {
        Term::TRUE
    } else {
        readable(initial, [system.left, system.right], terms, solver)?
    };
    result.relation = relation(&pairs, &above, condition, terms);
    let shown = relation_evidence(&result.relation, system.left, system.right, terms);
    let originals = match fold {
        Some(fold) => {
            result.relation = fold.relation(&result.relation);
            fold.sides
        }
        None => sides,
    };
    if let Some(doubt) = certified(
        &result.relation,
        condition,
        originals,
        setup,
        terms,
        solver,
        budget,
    )? {
        result.verdict = doubt;
        return Ok(result);
    }
    if always {
        result.verdict = Verdict::Holds(shown);
        return Ok(result);
    }
    let otherwise = terms.not(condition);
    let trace = distinguish(&mut system, &pairs, &above, otherwise, fold, terms, solver)?;
    let otherwise = trace.map(|trace| Tree {
        claim: "otherwise it fails, for example".to_owned(),
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(trace))),
        because: Vec::new(),
    });
    let tree = Tree {
        claim: "then these states are related".to_owned(),
        origin: None,
        evidence: Some(Box::new(shown)),
        because: otherwise.into_iter().collect(),
    };
    result.verdict = Verdict::HoldsIf(condition, Evidence::Tree(tree));
    Ok(result)
}

/// Nothing when the independent checker confirms the relation, otherwise the verdict that says so.
fn certified(
    relation: &[RelatedPair],
    condition: Term,
    sides: &Sides<'_>,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Verdict>, SolverError> {
    let mut start = vec![condition];
    for &(left, right) in &sides.shared {
        let (left, right) = (terms.var(left), terms.var(right));
        start.push(terms.equal(left, right));
    }
    let claim = RelationClaim {
        implementation: &sides.left,
        specification: &sides.right,
        relation,
        start: terms.and(start),
        allow_fixed: setup.allow_fixed,
    };
    let unknown = match check_certificate(&claim, terms, solver, budget)? {
        Certificate::Confirmed => return Ok(None),
        Certificate::Refuted(left, right) => Unknown::whatever_the_bound(format!(
            "the relation that was found is refuted by its check at the pair ({}, {})",
            sides.left.node(left).label,
            sides.right.node(right).label
        )),
        Certificate::Undecided(reason) => Unknown {
            reason: format!(
                "the relation that was found could not be checked: {}",
                reason.text
            ),
            help: reason.bound.into(),
            evidence: None,
        },
    };
    Ok(Some(Verdict::Unknown(unknown)))
}

/// The relation that the solution is: for each pair its formula and what is always equal there.
///
/// `initial` is the readable form of the initial pair's formula.
fn relation(pairs: &Pairs, above: &Above, initial: Term, terms: &mut Terms) -> Vec<RelatedPair> {
    let mut relation = Vec::with_capacity(pairs.all.len());
    for (id, &(left, right)) in pairs.all.iter().enumerate() {
        let mut parts = Vec::new();
        for &(variable, value) in &pairs.equal[id].known {
            let variable = terms.var(variable);
            parts.push(equality(terms, variable, value));
        }
        parts.push(match id {
            0 => initial,
            _ => above.now(id as u32),
        });
        let condition = terms.and(parts);
        if condition != Term::FALSE {
            relation.push(RelatedPair {
                left,
                right,
                condition,
            });
        }
    }
    relation
}

/// More pairs than this are counted, not listed.
const MAX_LISTED: usize = 1_000;

/// A relation as people are shown it.
pub fn relation_evidence(
    relation: &[RelatedPair],
    left: &Stg,
    right: &Stg,
    terms: &Terms,
) -> Evidence {
    if relation.len() > MAX_LISTED {
        return Evidence::Tree(Tree {
            claim: format!("a relation of {} pairs of states", relation.len()),
            origin: None,
            evidence: None,
            because: Vec::new(),
        });
    }
    let related = relation.iter().map(|pair| RelatedStates {
        left: left.node(pair.left).label.clone(),
        right: right.node(pair.right).label.clone(),
        condition: terms.print(pair.condition),
    });
    Evidence::Relation(related.collect())
}

/// What is known when the iteration did not end.
fn unfinished(
    system: &System<'_>,
    pairs: &Pairs,
    above: &Above,
    enough: Option<Term>,
    terms: &Terms,
) -> Verdict {
    let label = |id: u32| {
        let (left, right) = pairs.all[id as usize];
        format!(
            "({}, {})",
            system.left.node(left).label,
            system.right.node(right).label
        )
    };
    let (reason, bound) = match &above.stopped {
        Some(Stop::Spent(spent)) => (spent.to_string(), bound_of(*spent)),
        Some(Stop::Undecided(reason)) => (reason.to_string(), budget_of(reason)),
        Some(Stop::Restless(id)) => (
            format!("the condition of the pair {} keeps changing", label(*id)),
            None,
        ),
        Some(Stop::Large(id)) => (
            format!("the condition of the pair {} grows too large", label(*id)),
            None,
        ),
        None => (
            "a silent loop that computes could not be followed to its end".to_owned(),
            None,
        ),
    };
    let mut bounds = Vec::new();
    // Every formula that the initial pair ever had is a bound; the last one that people can read says most.
    let readable = above.versions[0]
        .iter()
        .rev()
        .map(|it| it.1)
        .find(|&formula| terms.postorder([formula]).len() <= READABLE);
    if let Some(necessary) = readable.filter(|&formula| formula != Term::TRUE) {
        bounds.push(format!("it is necessary that {}", terms.print(necessary)));
    }
    if let Some(enough) = enough.filter(|&formula| terms.postorder([formula]).len() <= READABLE) {
        bounds.push(format!("it is enough that {}", terms.print(enough)));
    }
    let evidence = if bounds.is_empty() {
        None
    } else {
        Some(Evidence::Tree(Tree {
            claim: bounds.join("; "),
            origin: None,
            evidence: None,
            because: Vec::new(),
        }))
    };
    Verdict::Unknown(Unknown {
        reason,
        help: bound.into(),
        evidence,
    })
}

/// A formula with more parts than this is not shown.
const READABLE: usize = 20;
