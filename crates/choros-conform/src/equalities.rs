//! What is always equal at a pair: a forward analysis that makes the equations small.
//!
//! Whenever the two sides arrive at a pair by matched steps, some of their variables hold the same value: both got
//! it by the same message, or one was assigned the other.
//! Such equalities are an *invariant* of the pair: relating the pair is only ever asked for values that satisfy it.
//! So one variable of each class, or a constant, stands for the whole class in the equation of the pair, and most
//! guards of the two sides become the same formula.
//! The invariants are the greatest solution of the data flow equations, found by starting with everything that holds
//! at the first arrival and forgetting what does not hold at another.

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::FxHashMap;

use crate::formula::Substitution;

/// For each variable that is not the representative of its class, the representative or the constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Equalities {
    /// Sorted as the live variables of the pair are.
    pub(crate) known: Vec<(Var, Term)>,
}

impl Equalities {
    pub(crate) fn substitution(&self) -> Substitution {
        self.known.iter().copied().collect()
    }

    /// Whether all of it holds for given values, so that meeting them would change nothing.
    pub(crate) fn holds(
        &self,
        mut value: impl FnMut(Var, &mut Terms) -> Term,
        terms: &mut Terms,
    ) -> bool {
        self.known.iter().all(|&(variable, same)| {
            let expected = match terms.as_variable(same) {
                Some(representative) => value(representative, terms),
                None => same,
            };
            value(variable, terms) == expected
        })
    }

    /// What holds at an arrival and, where there were earlier ones, held then.
    pub(crate) fn meet(
        earlier: Option<&Equalities>,
        live: &[Var],
        mut value: impl FnMut(Var, &mut Terms) -> Term,
        terms: &mut Terms,
    ) -> Equalities {
        let before: Option<Substitution> = earlier.map(Equalities::substitution);
        let mut classes: Vec<Vec<Var>> = Vec::new();
        let mut class_of: FxHashMap<(Option<Term>, Term), usize> = FxHashMap::default();
        let mut constants: Vec<(Var, Term)> = Vec::new();
        for &variable in live {
            let now = value(variable, terms);
            let held = before.as_ref().map(|before| match before.get(&variable) {
                Some(&term) => term,
                None => terms.var(variable),
            });
            if terms.value(now).is_some() && held.is_none_or(|held| held == now) {
                constants.push((variable, now));
                continue;
            }
            let class = *class_of.entry((held, now)).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(variable);
        }
        let mut representative: FxHashMap<Var, Term> = constants.into_iter().collect();
        for class in classes {
            let first = class.iter().copied().min_by_key(|it| it.index());
            let Some(first) = first else { continue };
            let term = terms.var(first);
            for variable in class {
                if variable != first {
                    representative.insert(variable, term);
                }
            }
        }
        Equalities {
            known: live
                .iter()
                .filter_map(|variable| Some((*variable, *representative.get(variable)?)))
                .collect(),
        }
    }
}

/// The equalities with a variable among conjuncts, as a substitution.
pub(crate) fn from_conjuncts(terms: &mut Terms, conjuncts: &[Term]) -> Substitution {
    let mut found = Substitution::default();
    for &conjunct in conjuncts {
        let conjunct = terms.substitute(conjunct, &found);
        let TermKind::Apply(Op::Equal, &[left, right]) = terms.kind(conjunct) else {
            continue;
        };
        let (variable, value) = match (terms.as_variable(left), terms.as_variable(right)) {
            (Some(left_variable), None) if terms.value(right).is_some() => (left_variable, right),
            (None, Some(right_variable)) if terms.value(left).is_some() => (right_variable, left),
            (Some(a), Some(b)) if a != b => {
                if a.index() <= b.index() {
                    (b, left)
                } else {
                    (a, right)
                }
            }
            _ => continue,
        };
        let one = Substitution::from_iter([(variable, value)]);
        let keys: Vec<Var> = found.keys().copied().collect();
        for key in keys {
            if let Some(&old) = found.get(&key) {
                let new = terms.substitute(old, &one);
                found.insert(key, new);
            }
        }
        found.insert(variable, value);
    }
    found
}
