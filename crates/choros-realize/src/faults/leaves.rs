//! Cases: what is computed for all data at once, split wherever the data decide.

use choros_data::{Term, Terms, Var};
use choros_smt::SolverError;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::AnalysisStop;
use crate::reachability::contradiction::{Oracle, Together};

/// Why a computation did not come to its end.
pub(super) enum Open {
    /// It depends on this condition, which the facts leave open.
    Split(Term),
    /// It cannot be answered.
    Unsettled(String),
    Stopped(AnalysisStop),
}

impl From<SolverError> for Open {
    fn from(error: SolverError) -> Self {
        Open::Stopped(error.into())
    }
}

/// Answers whether conditions hold, given facts that can hold together.
pub(super) struct Decider<'d, 's> {
    facts: &'d [Term],
    known: FxHashMap<Term, bool>,
    oracle: &'d mut Oracle<'s>,
    pub(super) terms: &'d mut Terms,
}

impl Decider<'_, '_> {
    pub(super) fn holds(&mut self, condition: Term) -> Result<bool, Open> {
        let condition = self.terms.simplify(condition);
        if condition == Term::TRUE || condition == Term::FALSE {
            return Ok(condition == Term::TRUE);
        }
        if let Some(&known) = self.known.get(&condition) {
            return Ok(known);
        }
        let otherwise = self.terms.not(condition);
        let known = if self.facts.contains(&condition) || self.is_excluded(otherwise)? {
            true
        } else if self.facts.contains(&otherwise) || self.is_excluded(condition)? {
            false
        } else {
            return Err(Open::Split(condition));
        };
        self.known.insert(condition, known);
        Ok(known)
    }

    /// Whether it contradicts the facts.
    fn is_excluded(&mut self, condition: Term) -> Result<bool, Open> {
        let seeds = self.terms.free_variables(condition);
        let connected = self.oracle.connected(self.terms, self.facts, seeds);
        let mut together: Vec<Term> = connected.into_iter().map(|it| self.facts[it]).collect();
        together.push(condition);
        match self.oracle.together(self.terms, &together)? {
            Together::Possible => Ok(false),
            Together::Impossible => Ok(true),
            Together::Undecided(reason) => Err(Open::Unsettled(reason)),
        }
    }
}

/// A case: what was added to the facts, and what comes of it.
pub(super) struct Leaf<T> {
    pub(super) added: Vec<Term>,
    pub(super) found: T,
}

/// All cases of a computation under facts that can hold together; those of each case can, too.
pub(super) fn leaves<T>(
    facts: &[Term],
    oracle: &mut Oracle<'_>,
    terms: &mut Terms,
    compute: &mut dyn FnMut(&mut Decider<'_, '_>) -> Result<T, Open>,
) -> Result<Vec<Leaf<T>>, Open> {
    let mut work: Vec<Vec<Term>> = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(added) = work.pop() {
        let all: Vec<Term> = facts.iter().chain(&added).copied().collect();
        let mut decider = Decider {
            facts: &all,
            known: FxHashMap::default(),
            oracle,
            terms,
        };
        match compute(&mut decider) {
            Ok(it) => found.push(Leaf { added, found: it }),
            Err(Open::Split(condition)) => {
                if found.len() + work.len() >= MOST_CASES {
                    return Err(Open::Unsettled("the data decide too many cases".to_owned()));
                }
                let otherwise = terms.not(condition);
                for case in [otherwise, condition] {
                    let mut added = added.clone();
                    added.push(case);
                    work.push(added);
                }
            }
            Err(open) => return Err(open),
        }
    }
    Ok(found)
}

/// More cases of one step than this are not followed.
const MOST_CASES: usize = 256;

/// The facts that still say something about the values that are in use.
pub(super) fn relevant(
    facts: Vec<Term>,
    used: impl IntoIterator<Item = Term>,
    parameters: &FxHashSet<Var>,
    oracle: &mut Oracle<'_>,
    terms: &Terms,
) -> Vec<Term> {
    if facts.is_empty() {
        return facts;
    }
    let used = used.into_iter().flat_map(|it| terms.free_variables(it));
    let seeds: Vec<Var> = used.chain(parameters.iter().copied()).collect();
    let kept = oracle.connected(terms, &facts, seeds);
    kept.into_iter().map(|it| facts[it]).collect()
}
