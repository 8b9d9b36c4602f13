//! Whether roles can realise many sessions of a choreography.
//!
//! One is judged where sessions are independent and do not meet in queues, or would be but for a store that one role
//! keeps; the README has the argument.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{Sessions, Stg};
use choros_realize::{
    AnalysisStop, Coupling, Criterion, Mode, Question, Realizability, one_of_many, realizability,
};
use choros_smt::Solver;

use crate::conformance::OWN_DATA;
use crate::distinct::{distinct_identities, if_distinct};
use crate::independence;
use crate::store::{Keeper, without_store};

/// What one session says of all.
pub enum SessionsRealizability {
    /// This, for any number of sessions with distinct identities.
    Any(Box<Realizability>),
    /// This, for any number of sessions with distinct identities, of which one role keeps what they share.
    Kept(Box<Realizability>),
    /// Nothing, because of this.
    Together(String),
}

/// Judges one session, for as many as there may be.
pub fn realizability_of_sessions(
    stg: &Stg,
    sessions: &Sessions,
    asked: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<SessionsRealizability, AnalysisStop> {
    if asked.criterion == Criterion::Conditions {
        let reason = "the conditions are about all sessions together";
        return Ok(SessionsRealizability::Together(reason.to_owned()));
    }
    let found = independence(stg, sessions, terms);
    if !found.holds() {
        let reason = found.words();
        return kept_sessions((stg, reason), sessions, asked, terms, solver, budget);
    }
    match one_of_many(stg, asked, sessions.own_queues, terms, solver, budget)? {
        Ok(()) => {
            let mut one = realizability(stg, asked, terms, solver, budget)?;
            if let Verdict::HoldsIf(condition, _) = one.semantic.verdict {
                let own = sessions.own_variables(stg, terms);
                if terms
                    .free_variables(condition)
                    .iter()
                    .any(|it| own.contains(it))
                {
                    return Ok(SessionsRealizability::Together(OWN_DATA.to_owned()));
                }
            }
            if let (false, Some(identity)) = (sessions.distinct, found.identity) {
                let condition = distinct_identities(stg.name(), identity, sessions, terms);
                one.semantic.verdict = if_distinct(one.semantic.verdict, condition, terms);
            }
            Ok(SessionsRealizability::Any(Box::new(one)))
        }
        Err(coupling) => Ok(SessionsRealizability::Together(words(coupling).to_owned())),
    }
}

fn words(coupling: Coupling) -> &'static str {
    match coupling {
        Coupling::Time => "roles measure time",
        Coupling::Endless => "a session may continue forever, and beside it no other one ends",
        Coupling::Queue => {
            "sessions share queues, in which an unread message of one may block another"
        }
        Coupling::Order => "a role does one thing after the other, whichever session it belongs to",
        Coupling::OneMessage => "only one message of all sessions may be in transit",
    }
}

/// Judges one session without what all share, where one role can keep that; *holds* is enough.
fn kept_sessions(
    (stg, reason): (&Stg, String),
    sessions: &Sessions,
    asked: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<SessionsRealizability, AnalysisStop> {
    let together = |further: Option<String>| {
        let reasons: Vec<String> = [reason.clone()].into_iter().chain(further).collect();
        Ok(SessionsRealizability::Together(reasons.join("; ")))
    };
    if independence(stg, sessions, terms).data().is_none() {
        return together(None);
    }
    let keeper = match asked.mode {
        Mode::Synchronous => Keeper::EitherEnd,
        Mode::Sender => Keeper::Sender,
        Mode::Disjoint | Mode::Receiver | Mode::Peers => return together(None),
    };
    let alone = match without_store(stg, sessions, keeper, terms, solver)? {
        Ok(alone) => alone,
        Err(further) => return together(Some(further)),
    };
    let found = independence(&alone, sessions, terms);
    if !found.holds() {
        return together(None);
    }
    // A condition on data would be enough, and perhaps more than is needed.
    let promised = Sessions {
        distinct: true,
        ..sessions.clone()
    };
    match realizability_of_sessions(&alone, &promised, asked, terms, solver, budget)? {
        SessionsRealizability::Any(mut one)
            if matches!(one.semantic.verdict, Verdict::Holds(_)) =>
        {
            if let (false, Some(identity)) = (sessions.distinct, found.identity) {
                let condition = distinct_identities(stg.name(), identity, sessions, terms);
                one.semantic.verdict = if_distinct(one.semantic.verdict, condition, terms);
            }
            Ok(SessionsRealizability::Kept(one))
        }
        SessionsRealizability::Any(_) | SessionsRealizability::Kept(_) => together(None),
        SessionsRealizability::Together(further) => together(Some(further)),
    }
}
