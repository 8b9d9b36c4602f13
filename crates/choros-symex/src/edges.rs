//! The edges of guards: values at which one comparison decides.
//!
//! `qty <= 0 or amount <= 0` is wrong as `qty < 0 or amount <= 0` at one value of `qty` alone, and only where `amount`
//! does not decide already.
//! So for every comparison `l ~ r` of numbers in a path's condition there are tests in which `l` is `r`, or for whole
//! numbers its neighbour, and the rest of the conjunct is such that the comparison decides it.

use choros_data::{Op, Sort, Term, TermKind, Terms, Var};
use choros_smt::{Answer, Solver, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Suite;
use crate::driver::{Path, PathStep};

/// So many edges of one path are tested.
const MOST_EDGES: usize = 16;

impl Suite {
    /// Adds the tests at the edges of guards, named after the tests whose paths they take: `test_2.1`.
    pub fn add_edges(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        for number in 0..self.paths.len() {
            let mut count = 0;
            for wish in wishes(&self.paths[number], terms) {
                let mut conditions = self.paths[number].conditions.clone();
                conditions.push(wish);
                if count == MOST_EDGES || solver.satisfiable(terms, &conditions)? != Answer::Sat {
                    continue;
                }
                count += 1;
                let mut path = self.paths[number].clone();
                path.name = format!("{}.{count}", path.name);
                path.conditions = conditions;
                self.paths.push(path);
                self.ends.push(self.ends[number]);
            }
        }
        Ok(())
    }
}

/// What to ask of the values on a path, beside its condition; each speaks of what the tester sends alone.
fn wishes(path: &Path, terms: &mut Terms) -> Vec<Term> {
    let mut sent: FxHashSet<Var> = FxHashSet::default();
    for step in &path.steps {
        if let PathStep::Send(message) = step {
            for &value in &message.values {
                sent.extend(terms.free_variables(value));
            }
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for &condition in &path.conditions {
        for (atom, left, right) in comparisons(condition, terms) {
            let yes = with(condition, atom, Term::TRUE, terms);
            let no = with(condition, atom, Term::FALSE, terms);
            let decides = terms.not_equal(yes, no);
            let mut sides = vec![terms.equal(left, right)];
            if terms.sort_of(left) == Sort::INT {
                for neighbour in [1, -1] {
                    let neighbour = terms.int(neighbour);
                    let beside = terms.arithmetic(Op::Add, right, neighbour);
                    sides.push(terms.equal(left, beside));
                }
            }
            for side in sides {
                let wish = terms.and([decides, side]);
                let wish = terms.simplify(wish);
                let is_ours = terms
                    .free_variables(wish)
                    .iter()
                    .all(|it| sent.contains(it));
                if is_ours && wish != Term::FALSE && !found.contains(&wish) {
                    found.push(wish);
                }
            }
        }
    }
    found
}

/// The comparisons of numbers that a formula is made of, with their sides, in the order of the text.
fn comparisons(formula: Term, terms: &Terms) -> Vec<(Term, Term, Term)> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        if let Some((_, parts)) = connective(term, terms) {
            work.extend(parts.into_iter().rev());
            continue;
        }
        if let TermKind::Apply(
            Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
            &[left, right],
        ) = terms.kind(term)
            && terms.sort_of(left).is_number()
        {
            found.push((term, left, right));
        }
    }
    found
}

/// A formula with a truth value in place of one of its comparisons.
fn with(formula: Term, comparison: Term, value: Term, terms: &mut Terms) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    done.insert(comparison, value);
    let mut work = vec![formula];
    while let Some(&term) = work.last() {
        if done.contains_key(&term) {
            work.pop();
            continue;
        }
        let Some((op, parts)) = connective(term, terms) else {
            done.insert(term, term);
            continue;
        };
        let missing = parts.iter().copied().filter(|it| !done.contains_key(it));
        let missing: Vec<Term> = missing.collect();
        if !missing.is_empty() {
            work.extend(missing);
            continue;
        }
        let parts: Vec<Term> = parts.iter().map(|it| done[it]).collect();
        let made = match (op, &parts[..]) {
            (Op::Not, &[one]) => terms.not(one),
            (Op::Implies, &[premise, conclusion]) => terms.implies(premise, conclusion),
            (Op::And, _) => terms.and(parts),
            _ => terms.or(parts),
        };
        done.insert(term, made);
    }
    done[&formula]
}

fn connective(term: Term, terms: &Terms) -> Option<(Op, Vec<Term>)> {
    match terms.kind(term) {
        TermKind::Apply(op @ (Op::Not | Op::And | Op::Or | Op::Implies), parts) => {
            Some((op, parts.to_vec()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Sort, Terms};

    use super::wishes;
    use crate::driver::{Path, PathMessage, PathStep};
    use choros_model::stg::{Operation, Role};

    /// `qty <= 0 or amount <= 0`: at `qty = 0` it is `qty` that decides if `amount` is positive.
    #[test]
    fn each_comparison_decides_at_its_edge() {
        let mut terms = Terms::new();
        let qty = terms.named("qty", Sort::INT);
        let amount = terms.named("amount", Sort::INT);
        let zero = terms.int(0);
        let few = terms.compare(Op::LessEqual, qty, zero);
        let free = terms.compare(Op::LessEqual, amount, zero);
        let either = terms.or([few, free]);
        let name = terms.names.intern("x");
        let path = Path {
            name: "test_1".to_owned(),
            steps: vec![PathStep::Send(PathMessage {
                operation: Operation(name),
                from: Role(name),
                to: Role(name),
                fault: None,
                values: vec![qty, amount],
            })],
            conditions: vec![either],
            is_complete: true,
        };
        let found = wishes(&path, &mut terms);
        let found: Vec<String> = found.iter().map(|&it| terms.print(it)).collect();
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(
            found
                .iter()
                .any(|it| it.contains("qty == 0") && it.contains("amount"))
        );
        assert!(
            found
                .iter()
                .any(|it| it.contains("qty == 1") && it.contains("amount"))
        );
    }
}
