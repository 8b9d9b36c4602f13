//! Texts and lists of which only the length matters.

use rustc_hash::FxHashMap;

use crate::{Op, Quantifier, Sort, SortKind, Term, TermKind, Terms, Value, Var};

impl Terms {
    /// A formula about lengths instead of the texts and lists that it asks nothing else of: what to quantify instead of
    /// these variables, and the formula about it.
    ///
    /// There is a text, and a list of any sort, of each length from 0 on, and of no other.
    pub fn by_lengths(
        &mut self,
        quantifier: Quantifier,
        bound: &[Var],
        body: Term,
    ) -> (Vec<Var>, Term) {
        // A name that is bound again means something else within.
        if self.is_quantified(body) || !bound.iter().any(|&it| self.is_sequence(it)) {
            return (bound.to_vec(), body);
        }
        let mut found = Vec::with_capacity(bound.len());
        let mut lengths: FxHashMap<Term, Term> = FxHashMap::default();
        let mut ranges = Vec::new();
        for &variable in bound {
            let length = if self.is_sequence(variable) {
                self.only_length(variable, body)
            } else {
                None
            };
            let Some(length) = length else {
                found.push(variable);
                continue;
            };
            // No identifier has an apostrophe.
            let name = format!("{}'length", self.variable_text(variable));
            let name = self.names.intern(&name);
            let number = self.variable(name, Sort::INT);
            found.push(number);
            let (number, zero) = (self.var(number), self.constant(Value::int(0)));
            ranges.push(self.compare(Op::GreaterEqual, number, zero));
            lengths.insert(length, number);
        }
        if lengths.is_empty() {
            return (found, body);
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([body]) {
            let new = match lengths.get(&subterm) {
                Some(&number) => number,
                None => self.rebuild(subterm, |argument| done[&argument]),
            };
            done.insert(subterm, new);
        }
        let (ranges, body) = (self.and(ranges), done[&body]);
        let body = match quantifier {
            Quantifier::Exists => self.and([ranges, body]),
            Quantifier::Forall => self.implies(ranges, body),
        };
        (found, body)
    }

    fn is_sequence(&self, variable: Var) -> bool {
        matches!(
            self.sort_kind(self.variable_sort(variable)),
            SortKind::String | SortKind::List(_)
        )
    }

    /// The length of a variable, if nothing else is asked of it.
    fn only_length(&mut self, variable: Var, body: Term) -> Option<Term> {
        let itself = self.var(variable);
        if body == itself {
            return None;
        }
        let mut length = None;
        for subterm in self.postorder([body]) {
            match self.kind(subterm) {
                TermKind::Apply(Op::Length, &[of]) if of == itself => length = Some(subterm),
                _ if self.arguments(subterm).contains(&itself) => return None,
                _ => {}
            }
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_of_which_nothing_else_is_asked() {
        let mut terms = Terms::new();
        let list = terms.list_sort(Sort::INT);
        let [one, other] = ["l", "m"].map(|it| {
            let name = terms.names.intern(it);
            terms.variable(name, list)
        });
        let (left, right) = (terms.var(one), terms.var(other));
        let length = terms.length(left);
        let three = terms.constant(Value::int(3));
        let short = terms.compare(Op::Less, length, three);
        let (bound, body) = terms.by_lengths(Quantifier::Exists, &[one], short);
        assert_eq!(bound.len(), 1);
        assert_eq!(terms.print(body), "l'length >= 0 and l'length < 3");
        let (_, body) = terms.by_lengths(Quantifier::Forall, &[one], short);
        assert_eq!(terms.print(body), "l'length >= 0 => l'length < 3");
        // What is equal to another list is more than its length.
        let same = terms.equal(left, right);
        let both = terms.and([short, same]);
        let kept = terms.by_lengths(Quantifier::Exists, &[one], both);
        assert_eq!(kept, (vec![one], both));
    }
}
