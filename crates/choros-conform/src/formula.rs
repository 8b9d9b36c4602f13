//! Small tools on formulas.

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::FxHashMap;

/// Values of variables in terms of other variables.
pub(crate) type Substitution = FxHashMap<Var, Term>;

/// The conjuncts of a formula; none of *true*.
pub(crate) fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.kind(formula) {
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ if formula == Term::TRUE => Vec::new(),
        _ => vec![formula],
    }
}

/// The disjuncts of a formula; none of *false*.
pub(crate) fn disjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.kind(formula) {
        TermKind::Apply(Op::Or, parts) => parts.to_vec(),
        _ if formula == Term::FALSE => Vec::new(),
        _ => vec![formula],
    }
}

/// The simplified formula where some literals are known to hold.
///
/// Only literals that occur as they are, or as their negations, are recognised; everything else is for the solver.
pub(crate) fn assuming(terms: &mut Terms, known: &[Term], formula: Term) -> Term {
    if known.is_empty() || matches!(formula, Term::TRUE | Term::FALSE) {
        return formula;
    }
    let mut replaced: FxHashMap<Term, Term> = FxHashMap::default();
    for &literal in known {
        let negation = terms.not(literal);
        let negation = terms.simplify(negation);
        replaced.insert(literal, Term::TRUE);
        replaced.insert(negation, Term::FALSE);
    }
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for subterm in terms.postorder([formula]) {
        let new = match replaced.get(&subterm) {
            Some(&truth) => truth,
            None => terms.rebuild(subterm, |argument| {
                done.get(&argument).copied().unwrap_or(argument)
            }),
        };
        done.insert(subterm, new);
    }
    let result = done.get(&formula).copied().unwrap_or(formula);
    terms.simplify(result)
}

/// Whether a formula is plainly contradictory, without asking a solver.
pub(crate) fn plainly_false(terms: &mut Terms, parts: &[Term]) -> bool {
    let formula = terms.and(parts.iter().copied());
    let formula = terms.simplify(formula);
    formula == Term::FALSE || terms.decide_box(&conjuncts(terms, formula)) == Some(false)
}

/// An equality, with the two sides in the order in which they were first met where both are variables.
pub(crate) fn equality(terms: &mut Terms, left: Term, right: Term) -> Term {
    let swap = match (terms.as_variable(left), terms.as_variable(right)) {
        (Some(a), Some(b)) => a.index() > b.index(),
        (None, Some(_)) => true,
        _ => false,
    };
    match (left == right, swap) {
        (true, _) if !terms.is_partial(left) => Term::TRUE,
        (_, true) => terms.equal(right, left),
        (_, false) => terms.equal(left, right),
    }
}
