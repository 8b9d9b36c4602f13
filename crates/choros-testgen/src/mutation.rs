//! How good are the tests? What becomes of mutants.

use choros_base::{Budget, Name};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline};
use choros_model::{Help, Unknown};

use crate::{
    Compliance, Difference, Failure, Fairness, Mutant, TestCase, WatchedChannels, comply,
    difference,
};

/// A mutant and its fate.
#[derive(Debug, Clone)]
pub struct JudgedMutant {
    /// The component whose machine it is.
    pub role: Name,
    pub mutant: Mutant,
    pub fate: MutantResult,
}

/// What becomes of a mutant.
#[derive(Debug, Clone)]
pub enum MutantResult {
    /// This test fails: the mistake was found.
    Killed {
        /// The first test that fails.
        test: String,
        /// How.
        failure: Box<Failure>,
    },
    /// All tests pass, and the mutant does what the machine does: there is nothing to be found.
    Equivalent,
    /// All tests pass, although the mutant does something else.
    Survived(Box<Difference>),
    /// A bound was met before a test failed, or before the difference was known.
    Undecided(Unknown),
}

/// Lets a mutant run against the tests of its component, in their order; each may spend what the budget has left.
pub fn judge(
    original: &Cfsm,
    mutant: Mutant,
    tests: &[&TestCase],
    (discipline, watched): (Discipline, &WatchedChannels),
    fairness: Fairness,
    terms: &Terms,
    budget: &Budget,
) -> JudgedMutant {
    let role = original.participant();
    let mut undecided = None;
    for test in tests {
        let answer = comply(
            &mutant.machine,
            test,
            discipline,
            watched,
            fairness,
            terms,
            &budget.clone(),
        );
        match answer {
            Compliance::Passes(_) => {}
            Compliance::Inconclusive(reason) => {
                undecided.get_or_insert(reason);
            }
            Compliance::Fails(failure) => {
                return JudgedMutant {
                    role,
                    mutant,
                    fate: MutantResult::Killed {
                        test: test.name.clone(),
                        failure,
                    },
                };
            }
        }
    }
    let fate = match (
        undecided,
        difference(original, &mutant.machine, &budget.clone()),
    ) {
        (Some(reason), _) => MutantResult::Undecided(reason),
        (None, Err(spent)) => MutantResult::Undecided(Unknown {
            reason: spent.to_string(),
            help: Help::Other,
            evidence: None,
        }),
        (None, Ok(None)) => MutantResult::Equivalent,
        (None, Ok(Some(difference))) => MutantResult::Survived(Box::new(difference)),
    };
    JudgedMutant { role, mutant, fate }
}
