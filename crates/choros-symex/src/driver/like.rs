//! Values like those of a run before.
//!
//! Who sends a conversation again wants the very same values; but some of them repeat what the service said, such as
//! the number of a file, and the service may say something else this time.

use choros_data::{SortKind, Term, Terms, Value};
use choros_smt::{Satisfiability, Solver, SolverError};

use super::value_strategy::{Chosen, ValueStrategy, choose};

/// Values of terms such that the conditions hold: the given ones, or, part by part, as many of them as can be had, and
/// the smallest in place of the others.
///
/// An empty text says nothing where better ones are known.
pub(crate) fn choose_like(
    targets: &[Term],
    known: &[Vec<String>],
    like: &[Value],
    conditions: &[Term],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Chosen, SolverError> {
    let mut conditions = conditions.to_vec();
    let nothing = Value::text("");
    let pairs = targets.iter().zip(like).enumerate();
    let pairs = pairs.filter(|(position, (_, value))| {
        let has_better = known.get(*position).is_some_and(|it| !it.is_empty());
        !(has_better && **value == nothing)
    });
    let (kept, like): (Vec<Term>, Vec<Value>) = pairs
        .map(|(_, (target, value))| (*target, value.clone()))
        .unzip();
    let all = equations(&kept, &like, terms);
    let count = conditions.len();
    conditions.extend(&all);
    if solver.satisfiable(terms, &conditions)? != Satisfiability::Sat {
        conditions.truncate(count);
        for equation in all {
            conditions.push(equation);
            if solver.satisfiable(terms, &conditions)? != Satisfiability::Sat {
                conditions.pop();
            }
        }
    }
    let strategy = ValueStrategy::Smallest;
    choose(targets, known, &conditions, strategy, terms, solver)
}

/// That terms have values, one equation for each part that is not a record.
fn equations(targets: &[Term], like: &[Value], terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let pairs = targets.iter().copied().zip(like.iter().cloned());
    let mut work: Vec<(Term, Value)> = pairs.collect();
    work.reverse();
    while let Some((term, value)) = work.pop() {
        if terms.sort_of(term) != value.sort() {
            continue;
        }
        match (terms.sort_kind(value.sort()).clone(), value) {
            (SortKind::Record(labels), Value::Record { fields, .. }) => {
                for (&(label, _), field) in labels.iter().zip(fields).rev() {
                    work.extend(terms.field(term, label).map(|part| (part, field)));
                }
            }
            (_, value) => {
                let constant = terms.constant(value);
                let equation = terms.equal(term, constant);
                found.push(terms.simplify(equation));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Sort};

    use super::*;

    #[test]
    fn what_cannot_be_the_same_differs_and_the_rest_is_the_same() {
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let mut terms = Terms::new();
        let (number, amount) = (
            terms.named("number", Sort::INT),
            terms.named("amount", Sort::INT),
        );
        let limit = terms.int(100);
        let new = terms.int(4711);
        let like = [Value::int(7), Value::int(50)];
        let below = terms.compare(Op::Less, amount, limit);
        let renewed = terms.equal(number, new);
        let mut values = |conditions: &[Term]| {
            let chosen = choose_like(
                &[number, amount],
                &[],
                &like,
                conditions,
                &mut terms,
                &mut solver,
            );
            match chosen.expect("a solver that works") {
                Chosen::Values(values) => values,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(values(&[below]), like);
        assert_eq!(
            values(&[below, renewed]),
            [Value::int(4711), Value::int(50)]
        );
    }
}
