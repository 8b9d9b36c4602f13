//! Quantified variables under names that people can read.

use choros_data::{Term, TermKind, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The same formula, with `z` for a bound `z'14` where no other variable of the formula is called so.
pub(crate) fn readable_bound(formula: Term, terms: &mut Terms) -> Term {
    if !terms.is_quantified(formula) {
        return formula;
    }
    let subterms = terms.postorder([formula]);
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut bound: Vec<Var> = Vec::new();
    for &subterm in &subterms {
        if let Some(variable) = terms.as_variable(subterm) {
            taken.insert(terms.variable_text(variable).to_owned());
        }
        if let TermKind::Quantified(_, variables, _) = terms.kind(subterm) {
            bound.extend(variables.iter().filter_map(|&it| terms.as_variable(it)));
        }
    }
    // Only names with a prime were made, and those stand for one variable each; the outermost come first.
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for old in bound.into_iter().rev() {
        let text = terms.variable_text(old).to_owned();
        let Some((stem, _)) = text.split_once('\'') else {
            continue;
        };
        let mut name = stem.to_owned();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            name = format!("{stem}{count}");
        }
        let name = terms.names.intern(&name);
        let new = terms.variable(name, terms.variable_sort(old));
        let (old, new) = (terms.var(old), terms.var(new));
        done.insert(old, new);
    }
    for subterm in subterms {
        if done.contains_key(&subterm) {
            continue;
        }
        let of =
            |done: &FxHashMap<Term, Term>, term: Term| done.get(&term).copied().unwrap_or(term);
        let new = match terms.kind(subterm) {
            TermKind::Quantified(quantifier, variables, body) => {
                let renamed: Vec<Term> = variables.iter().map(|&it| of(&done, it)).collect();
                let body = of(&done, body);
                let renamed: Vec<Var> = renamed
                    .into_iter()
                    .filter_map(|it| terms.as_variable(it))
                    .collect();
                terms.quantify(quantifier, &renamed, body)
            }
            _ => terms.rebuild(subterm, |argument| of(&done, argument)),
        };
        done.insert(subterm, new);
    }
    done[&formula]
}

#[cfg(test)]
mod tests {
    use choros_data::{Op, Quantifier, Sort, Terms};

    use super::readable_bound;

    #[test]
    fn primes_go_where_nobody_else_has_the_name() {
        let mut terms = Terms::new();
        let z = terms.names.intern("z");
        let z = terms.variable(z, Sort::INT);
        let (one, two) = (terms.fresh_variable(z), terms.fresh_variable(z));
        let (w, zero) = (terms.named("w", Sort::INT), terms.int(0));
        let inner = {
            let (one, two) = (terms.var(one), terms.var(two));
            let sum = terms.arithmetic_of_many(Op::Add, &[one, two, w]);
            terms.compare(Op::Greater, sum, zero)
        };
        let inner = terms.quantify(Quantifier::Exists, &[two], inner);
        let formula = terms.quantify(Quantifier::Forall, &[one], inner);
        let shown = readable_bound(formula, &mut terms);
        assert_eq!(
            terms.print(shown),
            "forall z: Int. exists z2: Int. z + z2 + w > 0"
        );
        // A free variable keeps its name.
        let free = terms.var(z);
        let positive = terms.compare(Op::Greater, free, zero);
        let both = terms.and([formula, positive]);
        let shown = readable_bound(both, &mut terms);
        assert!(
            terms
                .print(shown)
                .contains("forall z2: Int. exists z3: Int.")
        );
    }
}
