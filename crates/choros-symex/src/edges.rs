//! The edges of guards: values at which one atom decides.
//!
//! `qty <= 0 or amount <= 0` is wrong as `qty < 0 or amount <= 0` at one value of `qty` alone, and only where `amount`
//! does not decide already.
//! So for every comparison `l ~ r` of numbers in a guard there are values with `l = r` and with `l` beside `r` on both
//! sides, such that the rest of the guard lets the comparison decide; for every other atom, such that it is true and
//! such that it is false. Which of them a path allows a solver says.
//!
//! What one guard is asked for and what another one is can often be had at once: a path is followed with as few
//! sets of values as a first fit finds, and no wish is fulfilled twice in a suite.

use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use choros_smt::{Satisfiability, Solver, SolverError};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::driver::{
    Chosen, ConcreteMessage, Edge, PathMessage, SymbolicPath, SymbolicStep, ValueStrategy, choose,
};
use crate::{SymbolicSuite, TestCase, Tree};

/// This many sets of values of one path are tested.
const MAX_EDGES: usize = 16;

impl SymbolicSuite {
    /// Adds the values at the boundaries of guards to the paths of these tests.
    pub fn add_edges(
        &mut self,
        tree: &Tree,
        tests: &[TestCase],
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        let mut fulfilled = FxHashSet::default();
        for (path, test) in self.paths.iter_mut().zip(tests) {
            let guards = tree.decisions(test.end);
            let mut sets: Vec<Vec<Term>> = Vec::new();
            for wish in wishes(path, &guards, terms) {
                if fulfilled.contains(&wish) {
                    continue;
                }
                let mut can = |set: &[Term], wish: Term, terms: &mut Terms| {
                    let conditions = [&path.conditions, set, &[wish]].concat();
                    Ok::<_, SolverError>(
                        solver.satisfiable(terms, &conditions)? == Satisfiability::Sat,
                    )
                };
                // What every run of the path has is not a wish.
                let otherwise = terms.complement(wish);
                if !can(&[], wish, terms)? || !can(&[], otherwise, terms)? {
                    continue;
                }
                let mut place = None;
                for (at, set) in sets.iter().enumerate() {
                    if can(set, wish, terms)? {
                        place = Some(at);
                        break;
                    }
                }
                match place {
                    Some(at) => sets[at].push(wish),
                    None if sets.len() < MAX_EDGES => sets.push(vec![wish]),
                    None => continue,
                }
                fulfilled.insert(wish);
            }
            for set in sets {
                let condition = terms.and(set.iter().copied());
                let condition = terms.simplify(condition);
                let sent = sent(path, &set, terms, solver)?;
                path.edges.extend(sent.map(|sent| Edge { condition, sent }));
            }
        }
        Ok(())
    }
}

/// The smallest values that fulfil wishes, in the messages that the tester sends.
fn sent(
    path: &SymbolicPath,
    wishes: &[Term],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<ConcreteMessage>>, SolverError> {
    let conditions = [&path.conditions, wishes].concat();
    let messages = sendings(path);
    let targets: Vec<Term> = messages
        .iter()
        .flat_map(|it| it.values.iter().copied())
        .collect();
    let strategy = ValueStrategy::Smallest;
    let Chosen::Values(values) = choose(&targets, &[], &conditions, strategy, terms, solver)?
    else {
        return Ok(None);
    };
    let mut values = values.into_iter();
    let sent = messages.into_iter().map(|message| ConcreteMessage {
        operation: message.operation,
        from: message.from,
        to: message.to,
        fault: message.fault,
        values: values.by_ref().take(message.values.len()).collect(),
    });
    Ok(Some(sent.collect()))
}

fn sendings(path: &SymbolicPath) -> Vec<&PathMessage> {
    let steps = path.steps.iter();
    steps
        .filter_map(|step| match step {
            SymbolicStep::Send(message) => Some(message),
            SymbolicStep::Expect(_) | SymbolicStep::Tick => None,
        })
        .collect()
}

/// What to ask of the values on a path, beside its condition; each speaks of what the tester sends alone.
fn wishes(path: &SymbolicPath, guards: &[Term], terms: &mut Terms) -> Vec<Term> {
    let mut sent: FxHashSet<Var> = FxHashSet::default();
    for message in sendings(path) {
        for &value in &message.values {
            sent.extend(terms.free_variables(value));
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for &guard in guards {
        for atom in atoms(guard, terms) {
            let yes = with(guard, atom, Term::TRUE, terms);
            let no = with(guard, atom, Term::FALSE, terms);
            let decides = terms.not_equal(yes, no);
            for side in sides(atom, terms) {
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

/// The values of an atom that matter: those of its sides where it compares numbers, else true and false.
fn sides(atom: Term, terms: &mut Terms) -> Vec<Term> {
    let TermKind::Apply(
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
        &[left, right],
    ) = terms.kind(atom)
    else {
        return vec![atom, terms.not(atom)];
    };
    let sort = terms.sort_of(left);
    if !sort.is_number() {
        return vec![atom, terms.not(atom)];
    }
    // Between two real numbers there is always another; a hundredth is what prices differ by.
    let step = |sign: i64| {
        if sort == Sort::INT {
            Value::int(sign)
        } else {
            Value::Real(BigRational::new(BigInt::from(sign), BigInt::from(100)))
        }
    };
    let mut sides = vec![terms.equal(left, right)];
    for sign in [1, -1] {
        let step = terms.constant(step(sign));
        let beside = terms.arithmetic(Op::Add, right, step);
        sides.push(terms.equal(left, beside));
    }
    sides
}

/// What a formula is made of by connectives, in the order of the text.
fn atoms(formula: Term, terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        match connective(term, terms) {
            Some((_, parts)) => work.extend(parts.into_iter().rev()),
            None if terms.has_variables(term) && !found.contains(&term) => found.push(term),
            None => {}
        }
    }
    found
}

/// A formula with a truth value in place of one of its atoms.
fn with(formula: Term, atom: Term, value: Term, terms: &mut Terms) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    done.insert(atom, value);
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
    use choros_data::{Op, Sort, Terms, Value};
    use num_rational::BigRational;

    use super::wishes;
    use crate::driver::{PathMessage, SymbolicPath, SymbolicStep};
    use choros_model::stg::{Operation, Role};

    /// `qty <= 0 or amount <= 0 or gift`: at `qty = 0` it is `qty` that decides if `amount` is positive and it is no
    /// gift. Three sides of each of the two comparisons, and both values of the third atom.
    #[test]
    fn each_atom_decides_at_its_edge() {
        let mut terms = Terms::new();
        let qty = terms.named("qty", Sort::INT);
        let amount = terms.named("amount", Sort::REAL);
        let gift = terms.named("gift", Sort::BOOL);
        let (zero, nothing) = (
            terms.int(0),
            terms.constant(Value::Real(BigRational::from_integer(0.into()))),
        );
        let few = terms.compare(Op::LessEqual, qty, zero);
        let free = terms.compare(Op::LessEqual, amount, nothing);
        let either = terms.or([few, free, gift]);
        let name = terms.names.intern("x");
        let path = SymbolicPath {
            name: "test_1".to_owned(),
            steps: vec![SymbolicStep::Send(PathMessage {
                operation: Operation(name),
                from: Role(name),
                to: Role(name),
                fault: None,
                values: vec![qty, amount, gift],
            })],
            conditions: vec![either],
            is_complete: true,
            edges: Vec::new(),
        };
        let found = wishes(&path, &[either], &mut terms);
        let found: Vec<String> = found.iter().map(|&it| terms.print(it)).collect();
        assert_eq!(found.len(), 8, "{found:?}");
        for (edge, others) in [
            ("qty == 0", ["amount > 0.0", "not gift"]),
            ("qty == 1", ["amount > 0.0", "not gift"]),
            ("amount == -0.01", ["qty > 0", "not gift"]),
        ] {
            let is_so = |it: &&String| it.contains(edge) && others.iter().all(|of| it.contains(of));
            assert!(found.iter().any(|it| is_so(&it)), "{edge}: {found:?}");
        }
    }
}
