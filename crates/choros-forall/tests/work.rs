//! A question ends by itself after as much work as it may take, at the same point each time.

mod support;

use choros_model::{Bound, Help, Verdict};
use support::Question;

/// The larger one less the smaller one, until they are equal: the sum falls, which no comparison says.
const EUCLID: &str = "stg euclid explicit\ninitial 0\n0 -> 0: [x > y] A[a,b] / x := x - y\n0 -> 0: [y > x] B[a,b] / y := y - x\n\
    0 -> 1: [x == y] Same[a,b]\n1 -> 1: Idle[a,b]\n";
const QUESTION: &str = "AF {Same} true";

fn unknown_within(resources: u64) -> (String, Help) {
    let mut question = Question::new(EUCLID, QUESTION);
    question.limit(resources);
    match question.answer().verdict {
        Verdict::Unknown(found) => (found.reason, found.help),
        other => panic!("{}", other.word()),
    }
}

#[test]
fn the_bound_and_both_sides_are_named() {
    let (reason, help) = unknown_within(200_000);
    let bound = "the bound of 1600000 resource units for all queries to the solver was reached";
    assert!(reason.contains(bound), "{reason}");
    // With equal numbers it is the same at once.
    assert!(reason.contains("; holds "), "{reason}");
    assert_eq!(help, Help::Raise(Bound::SolverBudget(Some(2_000_000))));
}

#[test]
fn the_same_question_ends_at_the_same_point() {
    assert_eq!(unknown_within(100_000), unknown_within(100_000));
}

/// Before anything is known there is only the bound.
#[test]
fn hardly_any_work_is_said_too() {
    let (reason, help) = unknown_within(1);
    assert!(reason.contains("the bound of 8 resource units"), "{reason}");
    assert_eq!(help, Help::Raise(Bound::SolverBudget(Some(10))));
}
