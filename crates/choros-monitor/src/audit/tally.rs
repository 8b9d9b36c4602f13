//! The verdicts of many sessions as one.

use choros_base::StopReason;
use choros_data::Term;
use choros_model::evidence::{Table, Trace};
use choros_model::{Bound, Evidence, Help, Judged, Observed, Unknown};
use choros_smt::Satisfiability;
use rustc_hash::FxHashSet;

use super::tale::unclear;
use super::walk::{Ground, Stopped};

/// What one session gave.
#[derive(Debug)]
pub(crate) enum SessionResult {
    /// The observations conform under this condition; whether they are a whole run.
    Conforms {
        condition: Term,
        finished: bool,
        evidence: Option<Trace>,
    },
    /// They do not.
    Wrong(Evidence),
    /// Some interleavings conform, some do not.
    Either(String, Evidence),
    /// A bound was met.
    Spent(StopReason),
}

/// What a *yes* stands on: a verdict that holds is made from this and from nothing else.
#[derive(Debug)]
pub(crate) enum Grounds {
    /// This many observations were judged in the whole run.
    Seen(Judged),
    /// Nothing was, and someone said that this conforms.
    EmptyConforms,
    /// Nothing was judged, or nothing of what matters: the reason.
    Nothing(String),
}

impl Grounds {
    /// A verdict that holds, if it stands on anything.
    fn holds(self, condition: Term, evidence: Evidence) -> Observed {
        let evidence = Some(evidence);
        match (self, condition) {
            (Grounds::Nothing(reason), _) => Observed::unknown(reason, None),
            (Grounds::Seen(judged), Term::TRUE) => Observed::Holds { judged, evidence },
            (Grounds::Seen(judged), condition) => Observed::HoldsIf {
                judged,
                condition,
                evidence,
            },
            // Nothing was seen, so nothing was asked of the parameters.
            (Grounds::EmptyConforms, _) => Observed::Empty { evidence },
        }
    }
}

/// The outcomes so far.
#[derive(Debug)]
pub(crate) struct Tally {
    condition: Term,
    seen: FxHashSet<Term>,
    pub(crate) finished: bool,
    pub(crate) pass: usize,
    pub(crate) fail: usize,
    pub(crate) inconclusive: usize,
    wrong: Option<Evidence>,
    either: Option<(String, Evidence)>,
    spent: Option<StopReason>,
    example: Option<Trace>,
    conditional: Option<Trace>,
    rows: Vec<Vec<String>>,
    /// How many sessions conform and do not, after each.
    pub(crate) growth: Vec<[usize; 2]>,
}

/// A table of sessions shows so many.
const MAX_ROWS: usize = 20;

impl Tally {
    pub(crate) fn new() -> Tally {
        Tally {
            condition: Term::TRUE,
            seen: FxHashSet::default(),
            finished: true,
            pass: 0,
            fail: 0,
            inconclusive: 0,
            wrong: None,
            either: None,
            spent: None,
            example: None,
            conditional: None,
            rows: Vec::new(),
            growth: Vec::new(),
        }
    }

    /// Adds what a session gave.
    pub(crate) fn add(
        &mut self,
        session: &str,
        outcome: SessionResult,
        ground: &mut Ground<'_>,
    ) -> Result<(), Stopped> {
        let word = match outcome {
            SessionResult::Conforms {
                condition,
                finished,
                evidence,
            } => {
                self.pass += 1;
                self.finished &= finished;
                if condition != Term::TRUE && self.seen.insert(condition) {
                    self.condition = both(self.condition, condition, ground)?;
                    self.conditional = self.conditional.take().or(evidence.clone());
                }
                self.example = self.example.take().or(evidence);
                match (condition == Term::TRUE, finished) {
                    (false, _) => "conforms under a condition",
                    (true, true) => "conforms",
                    (true, false) => "conforms, unfinished",
                }
            }
            SessionResult::Wrong(evidence) => {
                self.fail += 1;
                self.wrong = self.wrong.take().or(Some(evidence));
                "does not conform"
            }
            SessionResult::Either(reason, evidence) => {
                self.inconclusive += 1;
                let either = Some((reason, unclear(evidence)));
                self.either = self.either.take().or(either);
                "inconclusive"
            }
            SessionResult::Spent(spent) => {
                self.inconclusive += 1;
                self.spent = self.spent.or(Some(spent));
                "not settled"
            }
        };
        self.growth.push([self.pass, self.fail]);
        if self.rows.len() < MAX_ROWS && !session.is_empty() {
            self.rows.push(vec![session.to_owned(), word.to_owned()]);
        }
        Ok(())
    }

    /// The verdict of all sessions together.
    pub(crate) fn verdict(
        self,
        grounds: Grounds,
        ground: &mut Ground<'_>,
    ) -> Result<Observed, Stopped> {
        if let Some(evidence) = self.wrong {
            let evidence = Some(evidence);
            return Ok(Observed::Fails { evidence });
        }
        if let Some((reason, evidence)) = self.either {
            return Ok(Observed::unknown(reason, Some(evidence)));
        }
        if let Some(spent) = self.spent {
            return Ok(Observed::Unknown(Unknown {
                reason: spent.to_string(),
                help: match spent {
                    StopReason::Steps(_) => Help::Raise(Bound::States(None)),
                    StopReason::Cancelled => Help::Other,
                },
                evidence: None,
            }));
        }
        let evidence = match (self.rows.is_empty(), self.example) {
            (true, Some(example)) => Evidence::Trace(example),
            _ => Evidence::Table(Table {
                columns: vec!["session".to_owned(), "verdict".to_owned()],
                rows: self.rows,
            }),
        };
        if self.condition == Term::TRUE {
            return Ok(grounds.holds(Term::TRUE, evidence));
        }
        let conditional = self.conditional.map_or(evidence, Evidence::Trace);
        settle(self.condition, conditional, grounds, ground)
    }
}

/// What a condition over the parameters comes to.
fn settle(
    condition: Term,
    evidence: Evidence,
    grounds: Grounds,
    ground: &mut Ground<'_>,
) -> Result<Observed, Stopped> {
    let (terms, solver) = (&mut *ground.terms, &mut *ground.solver);
    let unknown = |reason: String| {
        Observed::Unknown(Unknown {
            reason,
            help: Help::Raise(Bound::SolverBudget(None)),
            evidence: None,
        })
    };
    match solver.satisfiable(terms, &[condition])? {
        Satisfiability::Unsat => {
            let evidence = Some(no_parameters(evidence));
            return Ok(Observed::Fails { evidence });
        }
        Satisfiability::Unknown(reason) => return Ok(unknown(reason.to_string())),
        Satisfiability::Sat => {}
    }
    let negation = terms.not(condition);
    Ok(match solver.satisfiable(terms, &[negation])? {
        Satisfiability::Unsat => grounds.holds(Term::TRUE, evidence),
        Satisfiability::Sat => grounds.holds(condition, evidence),
        Satisfiability::Unknown(reason) => unknown(reason.to_string()),
    })
}

/// Each session conforms for some values of the parameters, but none conforms for all.
fn no_parameters(evidence: Evidence) -> Evidence {
    match evidence {
        Evidence::Trace(trace) => Evidence::Trace(Trace {
            conclusion: format!(
                "no values of the parameters let all sessions conform; this one {}",
                trace.conclusion
            ),
            ..trace
        }),
        other => other,
    }
}

/// The conjunction, without what is implied.
fn both(known: Term, new: Term, ground: &mut Ground<'_>) -> Result<Term, Stopped> {
    use choros_smt::Truth;
    if known == Term::TRUE {
        return Ok(new);
    }
    if ground.solver.implies(ground.terms, known, new)? == Truth::True {
        return Ok(known);
    }
    if ground.solver.implies(ground.terms, new, known)? == Truth::True {
        return Ok(new);
    }
    let both = ground.terms.and([known, new]);
    Ok(ground.terms.simplify(both))
}
