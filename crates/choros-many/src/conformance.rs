//! Whether many sessions of an implementation conform to many of a specification.
//!
//! One pair is compared where sessions are independent on both sides.
//! *Holds* carries over, and so does *fails* because of messages; the README has the argument.
//! Where they are not, one pair is compared that others disturb (`interference.rs`); of that, only *holds* carries over.
//! What one session says of endings and of parameters carries over if endings decide nothing: if the answer is the same
//! without them.

use std::borrow::Cow;

use choros_base::Budget;
use choros_conform::{Conformance, NotCompared, Setup, conformance};
use choros_data::{Term, Terms};
use choros_model::Verdict;
use choros_model::stg::{Sessions, Stg, prune};
use choros_smt::{Satisfiability, Solver};

use crate::distinct::{distinct_identities, if_distinct};
use crate::independence;
use crate::interference::disturbed;

/// What one session says of all.
pub enum SessionsConformance<'a> {
    /// This, for any number of sessions with distinct identities.
    Any(Box<Conformance<'a>>),
    /// This, for any number of sessions, whatever they do to what they share.
    Disturbed(Box<Conformance<'a>>),
    /// Nothing, because of this.
    Together(String),
}

/// Where the answer is a condition on data that each session has for itself.
pub(crate) const OWN_DATA: &str = "the answer depends on data that each session has for itself";

/// Compares one session with one, for as many as there may be.
pub fn conformance_of_sessions<'a>(
    (implementation, specification): (&'a Stg, &'a Stg),
    sessions: &Sessions,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<SessionsConformance<'a>, NotCompared> {
    let mut identity = None;
    for side in [implementation, specification] {
        let found = independence(side, sessions, terms);
        if !found.holds() {
            let reason = found.words();
            return disturbed_sessions(
                (implementation, specification),
                sessions,
                reason,
                setup,
                (terms, solver, budget),
            );
        }
        identity = identity.or(found.identity);
    }
    let mut found = conformance(implementation, specification, setup, terms, solver, budget)?;
    let stands = match found.verdict {
        Verdict::Holds(_) | Verdict::Unknown(_) => Ok(()),
        Verdict::Fails(_) | Verdict::HoldsIf(..) => {
            let both = (implementation, specification);
            without_endings(
                &found.verdict,
                both,
                sessions,
                setup,
                (terms, solver, budget),
            )?
        }
    };
    if let Err(reason) = stands {
        return Ok(SessionsConformance::Together(reason.to_owned()));
    }
    if let (false, Some(identity)) = (sessions.distinct, identity) {
        let condition = distinct_identities(specification.name(), identity, sessions, terms);
        found.verdict = if_distinct(found.verdict, condition, terms);
    }
    Ok(SessionsConformance::Any(Box::new(found)))
}

/// Compares one session with one among others that change what they share; *holds* is enough.
fn disturbed_sessions<'a>(
    both: (&'a Stg, &'a Stg),
    sessions: &Sessions,
    reason: String,
    setup: &Setup,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
) -> Result<SessionsConformance<'a>, NotCompared> {
    let (left, right) = match disturbed(both, sessions, terms) {
        Ok(both) => both,
        Err(further) => {
            return Ok(SessionsConformance::Together(format!(
                "{reason}; {further}"
            )));
        }
    };
    let found = conformance(&left, &right, setup, terms, solver, budget)?;
    if !matches!(found.verdict, Verdict::Holds(_)) {
        return Ok(SessionsConformance::Together(reason));
    }
    let (implementation, specification) = (
        found.implementation.into_owned(),
        found.specification.into_owned(),
    );
    Ok(SessionsConformance::Disturbed(Box::new(Conformance {
        implementation: Cow::Owned(implementation),
        specification: Cow::Owned(specification),
        verdict: found.verdict,
        relation: found.relation,
        pairs: found.pairs,
        divergent: found.divergent,
    })))
}

/// Whether the answer for one session is the same without endings, and about no data of its own.
fn without_endings(
    verdict: &Verdict,
    (implementation, specification): (&Stg, &Stg),
    sessions: &Sessions,
    setup: &Setup,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
) -> Result<Result<(), &'static str>, NotCompared> {
    if let Verdict::HoldsIf(condition, _) = *verdict {
        let own = [implementation, specification]
            .into_iter()
            .flat_map(|it| sessions.own_variables(it, terms))
            .collect::<Vec<_>>();
        if terms
            .free_variables(condition)
            .iter()
            .any(|it| own.contains(it))
        {
            return Ok(Err(OWN_DATA));
        }
    }
    let (left, right) = (
        endless(implementation, terms),
        endless(specification, terms),
    );
    let without = conformance(&left, &right, setup, terms, solver, budget)?.verdict;
    let same = match (verdict, &without) {
        (Verdict::Fails(_), Verdict::Fails(_)) => true,
        (Verdict::HoldsIf(one, _), Verdict::HoldsIf(other, _)) => {
            agree(*one, *other, terms, solver)
        }
        _ => false,
    };
    Ok(if same {
        Ok(())
    } else {
        Err("one session differs in when it may end, which the others may hide")
    })
}

/// Whether two conditions are shown to say the same.
fn agree(one: Term, other: Term, terms: &mut Terms, solver: &mut dyn Solver) -> bool {
    if one == other {
        return true;
    }
    let same = terms.equal(one, other);
    let differ = terms.not(same);
    matches!(
        solver.check_assuming(terms, &[differ]),
        Ok(Satisfiability::Unsat)
    )
}

/// The same without endings.
fn endless(stg: &Stg, terms: &mut Terms) -> Stg {
    prune(stg, terms, |_| true, |_, _| false)
}
