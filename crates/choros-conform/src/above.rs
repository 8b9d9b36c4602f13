//! The greatest solution of the equations, approached from above.
//!
//! Every pair starts with *true*; the equation of a pair is evaluated with what is known of the others until nothing
//! changes (chaotic iteration).
//! What a pair has is at any time implied by the greatest solution, so a contradiction at the initial pair settles
//! *fails*; when nothing changes any more it *is* the greatest solution.
//! Every value that a pair ever had is kept with the time at which it got it: that is the rank by which a
//! distinguishing trace descends.

use std::collections::BinaryHeap;

use choros_base::{Budget, StopReason};
use choros_data::{Quantifier, Term, Terms};
use choros_smt::{Reason, Satisfiability, Solver, SolverError, Truth};

use crate::clauses::{Clause, Reply, System, Then};
use crate::formula::{Substitution, assuming, conjuncts, disjuncts};
use crate::pairs::Pairs;

/// What is known of each pair.
pub(crate) struct Above {
    /// For each pair, the formulas it had, each with the time at which it got it.
    pub(crate) versions: Vec<Vec<(u64, Term)>>,
    /// Why the iteration ended before nothing changed any more.
    pub(crate) stopped: Option<Stop>,
    /// Some silence was not followed to its end, so that answers are missing; they were taken to be there.
    pub(crate) cut: bool,
}

/// Why an iteration ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget.
    Spent(StopReason),
    /// A pair changed too often.
    Restless(u32),
    /// A formula grew too large.
    Large(u32),
    /// The solver could not tell too often; the reason is its own.
    Undecided(Reason),
}

impl Above {
    /// What a pair has now.
    pub(crate) fn now(&self, pair: u32) -> Term {
        self.versions[pair as usize]
            .last()
            .map_or(Term::TRUE, |it| it.1)
    }

    /// What a pair had just before a time.
    pub(crate) fn before(&self, pair: u32, time: u64) -> Term {
        self.versions[pair as usize]
            .iter()
            .rev()
            .find(|(at, _)| *at < time)
            .map_or(Term::TRUE, |it| it.1)
    }
}

/// A formula with more distinct parts than this is not worked on any further.
const LARGEST: usize = 4_000;

/// After more questions than this that the solver could not answer, the iteration is given up.
const MAX_UNDECIDED: usize = 1;

/// The pairs nearest to the initial one that are examined first; each round looks at `WIDER` times as many.
const NEAREST: usize = 16;
const WIDER: usize = 4;

/// Iterates until nothing changes; a pair that changes more than `most_changes` times keeps what it has then.
///
/// Most differences show near the initial pair, so the pairs are taken in rounds: first those found first, with *true*
/// for all others, which is implied by whatever they will turn out to be; then more of them.
/// What a round found is where the next one starts, and a contradiction at the initial pair ends it all.
pub(crate) fn from_above(
    system: &mut System<'_>,
    pairs: &Pairs,
    most_changes: usize,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Above, SolverError> {
    let count = pairs.all.len();
    budget.begin("solving the equations", count);
    let mut iteration = Iteration {
        above: Above {
            versions: vec![vec![(0, Term::TRUE)]; count],
            stopped: None,
            cut: false,
        },
        waiting: vec![true; count],
        changes: vec![0; count],
        most_changes,
        undecided: 0,
        time: 0,
    };
    let mut near = 0;
    while near < count {
        let wider = (near * WIDER).max(NEAREST).min(count);
        let mut work: BinaryHeap<u32> = (near as u32..wider as u32).collect();
        near = wider;
        // What kept changing may settle now.
        for id in 0..near {
            if std::mem::take(&mut iteration.changes[id]) > most_changes {
                iteration.waiting[id] = true;
                work.push(id as u32);
            }
        }
        iteration.above.stopped = None;
        iteration.round(work, system, pairs, terms, solver, budget)?;
        let given_up = matches!(
            iteration.above.stopped,
            Some(Stop::Spent(_) | Stop::Undecided(_))
        );
        if given_up || iteration.above.now(0) == Term::FALSE {
            break;
        }
    }
    Ok(iteration.above)
}

/// Where the iteration stands.
struct Iteration {
    above: Above,
    /// The pairs that wait to be evaluated, in this round or a later one.
    waiting: Vec<bool>,
    /// How often each pair changed in this round.
    changes: Vec<usize>,
    most_changes: usize,
    undecided: usize,
    time: u64,
}

impl Iteration {
    /// Evaluates pairs until none of this round waits.
    fn round(
        &mut self,
        mut work: BinaryHeap<u32>,
        system: &mut System<'_>,
        pairs: &Pairs,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(), SolverError> {
        // Last found first: what a pair needs is mostly found after it.
        while let Some(id) = work.pop() {
            if let Err(spent) = budget.spend() {
                self.above.stopped = Some(Stop::Spent(spent));
                return Ok(());
            }
            self.waiting[id as usize] = false;
            let old = self.above.now(id);
            if old == Term::FALSE {
                continue;
            }
            self.time += 1;
            let new = evaluate(system, pairs, id, &mut self.above, terms, solver)?;
            let new = match settled(terms, solver, new)? {
                Ok(new) => new,
                Err(reason) => {
                    self.undecided += 1;
                    if self.undecided > MAX_UNDECIDED {
                        self.above.stopped = Some(Stop::Undecided(reason));
                        return Ok(());
                    }
                    new
                }
            };
            if new == old || solver.implies(terms, old, new)? == Truth::True {
                continue;
            }
            self.changed(id, new, terms);
            if self.above.now(0) == Term::FALSE {
                return Ok(());
            }
            for &user in &pairs.users[id as usize] {
                if !self.waiting[user as usize] && self.changes[user as usize] <= self.most_changes
                {
                    self.waiting[user as usize] = true;
                    work.push(user);
                }
            }
        }
        Ok(())
    }

    /// Takes note of a new formula; a pair that continues changing is left alone for the rest of the round: what it has
    /// is a bound, and the others may still settle.
    fn changed(&mut self, id: u32, new: Term, terms: &Terms) {
        self.above.versions[id as usize].push((self.time, new));
        let changes = &mut self.changes[id as usize];
        *changes += 1;
        if terms.postorder([new]).len() > LARGEST {
            self.above.stopped.get_or_insert(Stop::Large(id));
            *changes = usize::MAX;
        } else if *changes > self.most_changes {
            self.above.stopped.get_or_insert(Stop::Restless(id));
        }
    }
}

/// The right-hand side of a pair's equation under what is known of the others.
fn evaluate(
    system: &mut System<'_>,
    pairs: &Pairs,
    id: u32,
    above: &mut Above,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Term, SolverError> {
    let here = pairs.equal[id as usize].substitution();
    let mut parts = Vec::new();
    for clause in system.clauses(pairs.all[id as usize], terms) {
        if clause.cut {
            above.cut = true;
            continue;
        }
        let versions = &above.versions;
        let now = |pair: u32| versions[pair as usize].last().map_or(Term::TRUE, |it| it.1);
        let formula = clause_formula(&clause, &here, pairs, &now, terms, solver)?;
        if formula == Term::FALSE {
            return Ok(Term::FALSE);
        }
        parts.push(formula);
    }
    let formula = terms.and(parts);
    Ok(terms.simplify(formula))
}

/// A clause as a formula, where `related` says when pairs are related.
pub(crate) fn clause_formula(
    clause: &Clause,
    here: &Substitution,
    pairs: &Pairs,
    related: &dyn Fn(u32) -> Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Term, SolverError> {
    let premise = terms.substitute(clause.premise, here);
    let premise = terms.simplify(premise);
    if premise == Term::FALSE {
        return Ok(Term::TRUE);
    }
    let mut alternatives = Vec::new();
    let not_premise = terms.not(premise);
    alternatives.push(not_premise);
    let known = conjuncts(terms, premise);
    for Reply {
        chosen,
        condition,
        then,
    } in &clause.answers
    {
        let condition = terms.substitute(*condition, here);
        let condition = terms.simplify(condition);
        let condition = assuming(terms, &known, condition);
        if condition == Term::FALSE {
            continue;
        }
        let rest = match then {
            None => Term::TRUE,
            Some(then) => {
                let mut known = known.clone();
                known.extend(conjuncts(terms, condition));
                let rest = then_formula(then, here, pairs, related, terms);
                let rest = assuming(terms, &known, rest);
                for_all(terms, solver, &then.bound, rest)?
            }
        };
        let alternative = terms.and([condition, rest]);
        let alternative = there_are(terms, solver, chosen, alternative)?;
        if terms.simplify(alternative) == Term::TRUE {
            return Ok(Term::TRUE);
        }
        alternatives.push(alternative);
    }
    let formula = terms.or(alternatives);
    Ok(terms.simplify(formula))
}

/// What must hold after an answer, for given new values.
pub(crate) fn then_formula(
    then: &Then,
    here: &Substitution,
    pairs: &Pairs,
    related: &dyn Fn(u32) -> Term,
    terms: &mut Terms,
) -> Term {
    let related = pairs.id(then.pair).map_or(Term::FALSE, related);
    let mut values = Substitution::default();
    for variable in terms.free_variables(related) {
        let value = match then.values.get(&variable) {
            Some(&value) => value,
            None => terms.var(variable),
        };
        values.insert(variable, terms.substitute(value, here));
    }
    let related = terms.substitute(related, &values);
    let accepted = terms.substitute(then.accepted, here);
    let offered = terms.substitute(then.offered, here);
    let both = terms.and([accepted, related]);
    let rest = terms.implies(offered, both);
    terms.simplify(rest)
}

/// `∀ bound. formula`, without the quantifier where that is possible.
fn for_all(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    bound: &[choros_data::Var],
    formula: Term,
) -> Result<Term, SolverError> {
    let mut parts = Vec::new();
    for part in conjuncts(terms, formula) {
        let quantified = terms.quantify(Quantifier::Forall, bound, part);
        if quantified == part {
            parts.push(part);
            continue;
        }
        let eliminated = solver.eliminate(terms, quantified)?.term();
        let eliminated = terms.simplify(eliminated);
        parts.push(eliminated);
    }
    let formula = terms.and(parts);
    Ok(terms.simplify(formula))
}

/// `∃ chosen. formula`, without the quantifier where that is possible.
fn there_are(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    chosen: &[choros_data::Var],
    formula: Term,
) -> Result<Term, SolverError> {
    if chosen.is_empty() {
        return Ok(formula);
    }
    let formula = terms.simplify(formula);
    let mut parts = Vec::new();
    for part in disjuncts(terms, formula) {
        let quantified = terms.quantify(Quantifier::Exists, chosen, part);
        parts.push(if quantified == part {
            part
        } else {
            solver.eliminate(terms, quantified)?.term()
        });
    }
    let formula = terms.or(parts);
    Ok(terms.simplify(formula))
}

/// The truth value that a formula always has, or the formula; why that could not be told.
fn settled(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    formula: Term,
) -> Result<Result<Term, Reason>, SolverError> {
    if matches!(formula, Term::TRUE | Term::FALSE) {
        return Ok(Ok(formula));
    }
    match solver.valid(terms, formula)? {
        Truth::True => return Ok(Ok(Term::TRUE)),
        Truth::False => {}
        Truth::Unknown(reason) => return Ok(Err(reason)),
    }
    Ok(match solver.satisfiable(terms, &[formula])? {
        Satisfiability::Unsat => Ok(Term::FALSE),
        Satisfiability::Sat => Ok(formula),
        Satisfiability::Unknown(reason) => Err(reason),
    })
}
