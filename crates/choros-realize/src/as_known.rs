//! What a role can say of a condition by what it knows.
//!
//! The condition is weakened until it speaks of known variables only: *for all the role knows, it may hold*.
//! A part that speaks of anything else counts as true where it stands plainly and as false under *not*; the rest of
//! the condition stays.
//! So of `x > 0 and y > 0` someone who knows `x` keeps `x > 0`, as for two things beside each other, of which the role
//! takes part in one.

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::FxHashMap;

/// A condition that is true wherever `condition` is, over known variables only.
pub(crate) fn as_known(condition: Term, is_known: &dyn Fn(Var) -> bool, terms: &mut Terms) -> Term {
    let all_known = |term: Term, terms: &Terms| {
        let variables = terms.free_variables(term);
        variables.into_iter().all(is_known)
    };
    // For each part, what is true wherever it is, and what is true nowhere else.
    let mut parts: FxHashMap<Term, (Term, Term)> = FxHashMap::default();
    for part in terms.postorder([condition]) {
        let known = if all_known(part, terms) {
            (part, part)
        } else {
            let inner = connective(part, terms).map(|(op, inner)| {
                let inner: Vec<(Term, Term)> = inner.iter().map(|it| parts[it]).collect();
                (op, inner)
            });
            inner.map_or((Term::TRUE, Term::FALSE), |(op, inner)| {
                connected(op, &inner, terms)
            })
        };
        parts.insert(part, known);
    }
    parts[&condition].0
}

/// The same of what is connected, from what is known of the parts.
fn connected(op: Op, parts: &[(Term, Term)], terms: &mut Terms) -> (Term, Term) {
    let weaker = parts.iter().map(|it| it.0);
    let stronger = parts.iter().map(|it| it.1);
    match (op, parts) {
        (Op::And, _) => (terms.and(weaker), terms.and(stronger)),
        (Op::Or, _) => (terms.or(weaker), terms.or(stronger)),
        (_, &[(weak, strong)]) => (terms.not(strong), terms.not(weak)),
        (_, &[(weak, strong), (then_weak, then_strong)]) => {
            let (unless, never) = (terms.not(strong), terms.not(weak));
            (
                terms.or([unless, then_weak]),
                terms.or([never, then_strong]),
            )
        }
        _ => (Term::TRUE, Term::FALSE),
    }
}

/// The connective of a condition and what it connects; `None` for anything else.
fn connective(term: Term, terms: &Terms) -> Option<(Op, Vec<Term>)> {
    match terms.kind(term) {
        TermKind::Apply(op @ (Op::And | Op::Or | Op::Not | Op::Implies), parts) => {
            Some((op, parts.to_vec()))
        }
        _ => None,
    }
}
