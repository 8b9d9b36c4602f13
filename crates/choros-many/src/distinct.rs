//! The condition that no two sessions have the same identity.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{SessionCount, Sessions, session_variable};
use choros_model::{Evidence, Verdict};

/// More sessions than this are not compared pair by pair in a condition: it says of any two what holds for all.
const WRITTEN_OUT: u32 = 4;

/// The condition; for many sessions it is about two that stand for any two.
pub fn distinct_identities(
    one: &str,
    identity: Var,
    sessions: &Sessions,
    terms: &mut Terms,
) -> Term {
    let count = match sessions.count {
        SessionCount::Exactly(count) if count <= WRITTEN_OUT => count,
        SessionCount::Exactly(_) | SessionCount::Any => 2,
    };
    let sort = terms.variable_sort(identity);
    let name = terms.variable_text(identity).to_owned();
    let own: Vec<Term> = (1..=count)
        .map(|number| {
            let name = session_variable(&name, &format!("{one}_{number}"));
            let name = terms.names.intern(&name);
            let variable = terms.variable(name, sort);
            terms.var(variable)
        })
        .collect();
    let mut all = Vec::new();
    for (position, &first) in own.iter().enumerate() {
        for &second in &own[position + 1..] {
            let same = terms.equal(first, second);
            all.push(terms.not(same));
        }
    }
    terms.and(all)
}

/// What a verdict for distinct identities says where no one promises that they are.
pub fn if_distinct(verdict: Verdict, condition: Term, terms: &mut Terms) -> Verdict {
    let both = |other: Term, evidence: Evidence, terms: &mut Terms| {
        Verdict::HoldsIf(terms.and([condition, other]), evidence)
    };
    match verdict {
        Verdict::Holds(evidence) => both(Term::TRUE, evidence, terms),
        Verdict::HoldsIf(other, evidence) => both(other, evidence, terms),
        other @ (Verdict::Fails(_) | Verdict::Unknown(_)) => other,
    }
}
