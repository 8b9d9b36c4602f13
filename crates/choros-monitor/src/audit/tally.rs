//! The verdicts of many sessions as one.

use std::collections::BTreeMap;

use choros_base::StopReason;
use choros_data::Term;
use choros_model::evidence::{Table, Trace};
use choros_model::{Bound, Evidence, Help, Judged, Observed, Unknown};
use choros_smt::Satisfiability;
use rustc_hash::FxHashMap;

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

/// Where a session begins in the logs: sessions are told of in this order, whatever the order in which they are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u64);

impl Place {
    /// So many logs can be distinguished.
    const LOG_BITS: u32 = 16;

    /// An observation of a log; more logs or observations than there are numbers for share the last.
    pub(crate) fn new(log: usize, position: u64) -> Place {
        let log = (log as u64).min((1 << Self::LOG_BITS) - 1);
        let position = position.min(u64::MAX >> Self::LOG_BITS);
        Place(log << (u64::BITS - Self::LOG_BITS) | position)
    }
}

/// Something of which only the first is kept.
#[derive(Debug)]
struct Earliest<T>(Option<(Place, T)>);

impl<T> Earliest<T> {
    fn offer(&mut self, place: Place, thing: Option<T>) {
        let is_earlier = self.0.as_ref().is_none_or(|(known, _)| place < *known);
        if let Some(thing) = thing.filter(|_| is_earlier) {
            self.0 = Some((place, thing));
        }
    }

    fn absorb(&mut self, other: Earliest<T>) {
        if let Some((place, thing)) = other.0 {
            self.offer(place, Some(thing));
        }
    }

    fn get(self) -> Option<T> {
        self.0.map(|(_, thing)| thing)
    }
}

/// What was found about a role, or about all together, in some sessions.
#[derive(Debug)]
pub(crate) struct PartTally {
    /// The role, or `global`.
    pub(crate) name: String,
    pub(crate) tally: Tally,
    /// How many observations it is about.
    pub(crate) observations: usize,
    /// How many of them may belong to any session.
    pub(crate) adrift: u64,
}

/// The outcomes so far.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The conditions other than *true*, each with the first session that has it.
    conditions: Vec<(Place, Term)>,
    /// Where each of them is.
    numbers: FxHashMap<Term, usize>,
    pub(crate) finished: bool,
    pub(crate) pass: usize,
    pub(crate) fail: usize,
    pub(crate) inconclusive: usize,
    wrong: Earliest<Evidence>,
    either: Earliest<(String, Evidence)>,
    spent: Earliest<StopReason>,
    example: Earliest<Trace>,
    conditional: Earliest<Trace>,
    rows: BTreeMap<Place, Vec<String>>,
    /// Of each session whether it conforms, and whether it does not.
    outcomes: Vec<(Place, [bool; 2])>,
    /// There were more sessions than outcomes are kept of.
    has_more_outcomes: bool,
}

/// A table of sessions shows so many.
const MAX_ROWS: usize = 20;

/// Where sessions are judged as they end, the outcome of each is kept up to so many sessions.
const MAX_OUTCOMES: usize = 1 << 17;

impl Tally {
    pub(crate) fn new() -> Tally {
        Tally {
            conditions: Vec::new(),
            numbers: FxHashMap::default(),
            finished: true,
            pass: 0,
            fail: 0,
            inconclusive: 0,
            wrong: Earliest(None),
            either: Earliest(None),
            spent: Earliest(None),
            example: Earliest(None),
            conditional: Earliest(None),
            rows: BTreeMap::new(),
            outcomes: Vec::new(),
            has_more_outcomes: false,
        }
    }

    /// Adds what a session gave.
    pub(crate) fn add(&mut self, session: &str, place: Place, outcome: SessionResult) {
        let before = [self.pass, self.fail];
        let word = match outcome {
            SessionResult::Conforms {
                condition,
                finished,
                evidence,
            } => {
                self.pass += 1;
                self.finished &= finished;
                if condition != Term::TRUE {
                    self.condition(place, condition);
                    self.conditional.offer(place, evidence.clone());
                }
                self.example.offer(place, evidence);
                match (condition == Term::TRUE, finished) {
                    (false, _) => "conforms under a condition",
                    (true, true) => "conforms",
                    (true, false) => "conforms, unfinished",
                }
            }
            SessionResult::Wrong(evidence) => {
                self.fail += 1;
                self.wrong.offer(place, Some(evidence));
                "does not conform"
            }
            SessionResult::Either(reason, evidence) => {
                self.inconclusive += 1;
                self.either.offer(place, Some((reason, unclear(evidence))));
                "inconclusive"
            }
            SessionResult::Spent(spent) => {
                self.inconclusive += 1;
                self.spent.offer(place, Some(spent));
                "not settled"
            }
        };
        self.outcomes
            .push((place, [self.pass > before[0], self.fail > before[1]]));
        if !session.is_empty() {
            self.row(place, vec![session.to_owned(), word.to_owned()]);
        }
    }

    fn condition(&mut self, place: Place, condition: Term) {
        let next = self.conditions.len();
        let number = *self.numbers.entry(condition).or_insert(next);
        if number == next {
            self.conditions.push((place, condition));
        }
        let known = &mut self.conditions[number].0;
        *known = place.min(*known);
    }

    fn row(&mut self, place: Place, row: Vec<String>) {
        self.rows.insert(place, row);
        if self.rows.len() > MAX_ROWS {
            self.rows.pop_last();
        }
    }

    /// Adds what other sessions gave.
    pub(crate) fn absorb(&mut self, other: Tally) {
        for (place, condition) in other.conditions {
            self.condition(place, condition);
        }
        self.finished &= other.finished;
        self.pass += other.pass;
        self.fail += other.fail;
        self.inconclusive += other.inconclusive;
        self.wrong.absorb(other.wrong);
        self.either.absorb(other.either);
        self.spent.absorb(other.spent);
        self.example.absorb(other.example);
        self.conditional.absorb(other.conditional);
        for (place, row) in other.rows {
            self.row(place, row);
        }
        self.has_more_outcomes |=
            other.has_more_outcomes || self.outcomes.len() + other.outcomes.len() > MAX_OUTCOMES;
        if self.has_more_outcomes {
            self.outcomes = Vec::new();
        } else {
            self.outcomes.extend(other.outcomes);
        }
    }

    /// The conditions other than *true*.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.conditions.iter().map(|(_, condition)| *condition)
    }

    /// How many sessions conform and do not, after each; none if there are too many to say it of each.
    pub(crate) fn growth(&mut self) -> Vec<[usize; 2]> {
        self.outcomes.sort_by_key(|(place, _)| *place);
        let mut counts = [0, 0];
        let after = |(_, is): &(Place, [bool; 2])| {
            counts = [0, 1].map(|it: usize| counts[it] + usize::from(is[it]));
            counts
        };
        self.outcomes.iter().map(after).collect()
    }

    /// The verdict of all sessions together.
    pub(crate) fn verdict(
        self,
        grounds: Grounds,
        ground: &mut Ground<'_>,
    ) -> Result<Observed, Stopped> {
        if let Some(evidence) = self.wrong.get() {
            let evidence = Some(evidence);
            return Ok(Observed::Fails { evidence });
        }
        if let Some((reason, evidence)) = self.either.get() {
            return Ok(Observed::unknown(reason, Some(evidence)));
        }
        if let Some(spent) = self.spent.get() {
            return Ok(Observed::Unknown(Unknown {
                reason: spent.to_string(),
                help: match spent {
                    StopReason::Steps(_) => Help::Raise(Bound::States(None)),
                    StopReason::Cancelled => Help::Other,
                },
                evidence: None,
            }));
        }
        let evidence = match (self.rows.is_empty(), self.example.get()) {
            (true, Some(example)) => Evidence::Trace(example),
            _ => Evidence::Table(Table {
                columns: vec!["session".to_owned(), "verdict".to_owned()],
                rows: self.rows.into_values().collect(),
            }),
        };
        let mut conditions = self.conditions;
        conditions.sort_by_key(|(place, _)| *place);
        let mut condition = Term::TRUE;
        for (_, one) in conditions {
            condition = both(condition, one, ground)?;
        }
        if condition == Term::TRUE {
            return Ok(grounds.holds(Term::TRUE, evidence));
        }
        let conditional = self.conditional.get().map_or(evidence, Evidence::Trace);
        settle(condition, conditional, grounds, ground)
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
