//! Values that logs do not show.
//!
//! A redacted value is a variable of its own, one for each pseudonym: equal pseudonyms are equal values, and different
//! ones of one capture are different texts.
//! Nothing else is known of it.
//! So what a walk finds about a log is a condition over redacted values; the log conforms if that is true of all values,
//! it does not if it is true of none, and otherwise the answer is not known.

use choros_base::Name;
use choros_data::{Sort, SortKind, Term, Terms, Var};
use choros_model::observation::pseudonym;
use rustc_hash::FxHashMap;

/// The redacted values of all logs.
#[derive(Debug, Default)]
pub(crate) struct Redacted {
    variables: FxHashMap<(String, Sort), Var>,
    /// What stands in the logs for each.
    texts: FxHashMap<Var, String>,
}

impl Redacted {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The value that a text of a log stands for; it is called as the field is.
    pub(crate) fn value(
        &mut self,
        text: &str,
        sort: Sort,
        called: Name,
        terms: &mut Terms,
    ) -> Term {
        let key = (text.to_owned(), sort);
        let variable = match self.variables.get(&key) {
            Some(&known) => known,
            None => {
                let like = terms.variable(called, sort);
                let new = terms.fresh_variable(like);
                self.variables.insert(key, new);
                self.texts.insert(new, text.to_owned());
                new
            }
        };
        terms.var(variable)
    }

    /// What stands in the logs for the redacted values in a term.
    pub(crate) fn texts(&self, term: Term, terms: &Terms) -> Vec<&str> {
        if self.is_empty() {
            return Vec::new();
        }
        let variables = terms.free_variables(term).into_iter();
        variables
            .filter_map(|it| self.texts.get(&it).map(String::as_str))
            .collect()
    }

    /// What pseudonyms say about the redacted values in a term: which of them differ.
    pub(crate) fn differ(&self, term: Term, terms: &mut Terms) -> Term {
        if self.is_empty() {
            return Term::TRUE;
        }
        let mut variables = terms.free_variables(term);
        variables.retain(|it| self.texts.contains_key(it) && is_text(*it, terms));
        let mut parts = Vec::new();
        for (position, &one) in variables.iter().enumerate() {
            for &other in &variables[..position] {
                let is_one_sort = terms.variable_sort(one) == terms.variable_sort(other);
                let (left, right) = (&self.texts[&one], &self.texts[&other]);
                if is_one_sort && pseudonym::are_equal(left, right) == Some(false) {
                    let (left, right) = (terms.var(one), terms.var(other));
                    let equal = terms.equal(left, right);
                    parts.push(terms.not(equal));
                }
            }
        }
        terms.and(parts)
    }
}

/// Whether two values of its sort are different if their texts are: `3` and `3.0` are one number.
fn is_text(variable: Var, terms: &Terms) -> bool {
    matches!(
        terms.sort_kind(terms.variable_sort(variable)),
        SortKind::String | SortKind::Uninterpreted(_) | SortKind::Enumeration { .. }
    )
}
