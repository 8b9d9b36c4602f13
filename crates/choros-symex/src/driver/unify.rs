//! A term over symbols and a value that it must have.

use choros_data::{Op, Term, TermKind, Terms, Value, Var};
use rustc_hash::FxHashMap;

/// What makes a term equal to a value.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Values of symbols; they do not occur in the conditions.
    pub(crate) symbols: Vec<(Var, Value)>,
    /// What else must hold, simplified; never the constant *true*.
    pub(crate) conditions: Vec<Term>,
}

/// Takes records and lists apart as far as both sides allow; `None` if the two differ.
///
/// Whatever is not a plain symbol becomes an equation for the solver.
pub(crate) fn unify(term: Term, value: &Value, terms: &mut Terms) -> Option<Facts> {
    if terms.sort_of(term) != value.sort() {
        return None;
    }
    let mut facts = Facts::default();
    let mut known: FxHashMap<Var, Term> = FxHashMap::default();
    let mut equations = Vec::new();
    let mut work = vec![(term, value.clone())];
    while let Some((term, value)) = work.pop() {
        let term = terms.substitute(term, &known);
        match terms.kind(term) {
            TermKind::Constant(constant) => {
                if *constant != value {
                    return None;
                }
            }
            TermKind::Variable(symbol) => {
                facts.symbols.push((symbol, value.clone()));
                let constant = terms.constant(value);
                known.insert(symbol, constant);
            }
            TermKind::Apply(Op::MakeRecord, parts) => match value {
                Value::Record { fields, .. } if fields.len() == parts.len() => {
                    work.extend(parts.iter().copied().zip(fields));
                }
                _ => return None,
            },
            TermKind::Apply(Op::MakeList, parts) => match value {
                Value::List { items, .. } if items.len() == parts.len() => {
                    work.extend(parts.iter().copied().zip(items));
                }
                _ => return None,
            },
            _ => {
                let constant = terms.constant(value);
                equations.push(terms.equal(term, constant));
            }
        }
    }
    for equation in equations {
        let equation = terms.substitute(equation, &known);
        match terms.simplify(equation) {
            Term::FALSE => return None,
            Term::TRUE => {}
            condition => facts.conditions.push(condition),
        }
    }
    Some(facts)
}

#[cfg(test)]
mod tests {
    use choros_data::{Sort, SortKind};

    use super::*;

    #[test]
    fn records_are_taken_apart_and_symbols_replaced() {
        let mut terms = Terms::new();
        let (a, b) = (terms.names.intern("a"), terms.names.intern("b"));
        let sort = terms.sort(SortKind::Record(vec![(a, Sort::INT), (b, Sort::INT)]));
        let x = terms.named("x", Sort::INT);
        let one = terms.int(1);
        let next = terms.arithmetic(Op::Add, x, one);
        let pair = terms.record(sort, &[x, next]);
        let value = |left: i64, right: i64| Value::Record {
            sort,
            fields: vec![Value::int(left), Value::int(right)],
        };
        let facts = unify(pair, &value(2, 3), &mut terms).expect("equal");
        let symbol = terms.as_variable(x).expect("a variable");
        assert_eq!(facts.symbols, [(symbol, Value::int(2))]);
        assert!(facts.conditions.is_empty());
        assert!(unify(pair, &value(2, 4), &mut terms).is_none());
        assert!(unify(pair, &Value::int(2), &mut terms).is_none());
    }
}
