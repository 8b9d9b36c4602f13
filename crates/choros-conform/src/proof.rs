//! What an answer rests on, for others to check.

use choros_base::Budget;
use choros_certify::ConformanceProof;
use choros_data::{Term, Terms};
use choros_model::Verdict;
use choros_model::stg::Stg;
use choros_smt::Solver;

use crate::{Conformance, Setup, attack};

/// What shows an answer about two graphs, or why there is nothing.
pub fn conformance_proof(
    found: &Conformance<'_>,
    (implementation, specification): (&Stg, &Stg),
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<ConformanceProof, String> {
    let start = match found.verdict {
        Verdict::Unknown(_) => return Err("the question was not settled".to_owned()),
        Verdict::Fails(_) => {
            let found = attack(implementation, specification, setup, terms, solver, budget);
            let found = found.map_err(|error| error.to_string())?;
            let found = found.ok_or("a way to win against every answer was not found")?;
            return Ok(ConformanceProof::Attack(found));
        }
        Verdict::Holds(_) => Term::TRUE,
        Verdict::HoldsIf(start, _) => start,
    };
    let pairs = found.relation.clone();
    Ok(ConformanceProof::Relation { start, pairs })
}
