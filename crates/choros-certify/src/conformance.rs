//! Checks what an answer of conformance rests on: a relation or an attack.

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::stg::{NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::attack::{Attack, check_attack};
use crate::flaw::Flaw;
use crate::relation::{Certificate, RelatedPair, RelationClaim, check_certificate};
use crate::sides::Sides;

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConformanceProof {
    /// The implementation conforms if a condition on the parameters holds.
    Relation {
        /// The condition.
        start: Term,
        /// The relation.
        pairs: Vec<RelatedPair>,
    },
    /// It does not, for the values with which the attack starts.
    Attack(Attack),
}

/// Whether a proof shows that one side conforms to the other, or that it does not.
pub fn check_conformance(
    proof: &ConformanceProof,
    sides: &Sides<'_>,
    allow_fixed: bool,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<(), Flaw>, SolverError> {
    let (condition, relation) = match proof {
        ConformanceProof::Attack(attack) => {
            let checked = check_attack(attack, sides, allow_fixed, terms);
            return Ok(of_certificate(checked, "position", sides));
        }
        ConformanceProof::Relation { start, pairs } => (*start, pairs),
    };
    let mut start = vec![condition];
    for &(left, right) in &sides.shared {
        let (left, right) = (terms.var(left), terms.var(right));
        start.push(terms.equal(left, right));
    }
    let start = terms.and(start);
    // "If nothing at all" is a claim about nothing.
    if start == Term::FALSE
        || start != Term::TRUE && solver.satisfiable(terms, &[start])? == Satisfiability::Unsat
    {
        return Ok(Err(Flaw::wrong("the condition of the claim is never true")));
    }
    let claim = RelationClaim {
        implementation: &sides.left,
        specification: &sides.right,
        relation,
        start,
        allow_fixed,
    };
    let checked = check_certificate(&claim, terms, solver, budget)?;
    Ok(of_certificate(checked, "pair", sides))
}

fn of_certificate(checked: Certificate, what: &str, sides: &Sides<'_>) -> Result<(), Flaw> {
    match checked {
        Certificate::Confirmed => Ok(()),
        Certificate::Refuted(left, right) => {
            let label = |stg: &Stg, node: NodeId| match stg.nodes().get(node.index()) {
                Some(node) => node.label.clone(),
                None => node.0.to_string(),
            };
            let (left, right) = (label(&sides.left, left), label(&sides.right, right));
            Err(Flaw::wrong(format!(
                "the {what} ({left}, {right}) is not as it should be"
            )))
        }
        Certificate::Undecided(why) => Err(Flaw::Open(why)),
    }
}
