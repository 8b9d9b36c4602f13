//! Traversals: reachable subterms, free variables, substitution.

use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Op, Quantifier, Sort, SortKind, Term, TermKind, Terms, Value, Var};

/// Terms that were met: a list while they are few, which they are in most guards and fields.
#[derive(Default)]
struct Seen {
    few: Vec<Term>,
    many: FxHashSet<Term>,
}

impl Seen {
    /// Whether it was not met before.
    fn insert(&mut self, term: Term) -> bool {
        const FEW_TERMS: usize = 16;
        if self.few.len() < FEW_TERMS {
            let is_new = !self.few.contains(&term);
            if is_new {
                self.few.push(term);
            }
            return is_new;
        }
        if self.many.is_empty() {
            self.many.extend(&self.few);
        }
        self.many.insert(term)
    }
}

impl Terms {
    /// All subterms of `roots`, arguments before the terms that use them.
    pub fn postorder(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut stack: Vec<Term> = roots.into_iter().collect();
        let mut seen: FxHashSet<Term> = stack.iter().copied().collect();
        let mut found: Vec<Term> = seen.iter().copied().collect();
        while let Some(term) = stack.pop() {
            for &argument in self.arguments(term) {
                if seen.insert(argument) {
                    found.push(argument);
                    stack.push(argument);
                }
            }
        }
        // Ids ascend from arguments to users.
        found.sort_unstable_by_key(|term| term.0);
        found
    }

    /// The free variables of a term, in order of first occurrence from the left.
    pub fn free_variables(&self, term: Term) -> Vec<Var> {
        if !self.has_variables(term) {
            return Vec::new();
        }
        if let Some(variable) = self.as_variable(term) {
            return vec![variable];
        }
        if self.is_quantified(term) {
            return self.free_variables_under_quantifiers(term);
        }
        let mut found = Vec::new();
        // Most guards compare a variable with something small.
        let is_leaf = |&it: &Term| !self.has_variables(it) || self.as_variable(it).is_some();
        if self.arguments(term).iter().all(is_leaf) {
            for &argument in self.arguments(term) {
                if let Some(variable) = self.as_variable(argument)
                    && !found.contains(&variable)
                {
                    found.push(variable);
                }
            }
            return found;
        }
        let mut seen = Seen::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.has_variables(term) || !seen.insert(term) {
                continue;
            }
            match self.as_variable(term) {
                Some(variable) => found.push(variable),
                None => stack.extend(self.arguments(term).iter().rev()),
            }
        }
        found
    }

    /// Simultaneous, capture-avoiding substitution.
    ///
    /// Every replacement must have the sort of the variable it replaces.
    pub fn substitute(&mut self, term: Term, replacement: &FxHashMap<Var, Term>) -> Term {
        if replacement.is_empty() || !self.has_variables(term) {
            return term;
        }
        if let Some(variable) = self.as_variable(term) {
            return replacement.get(&variable).copied().unwrap_or(term);
        }
        if self.is_quantified(term) {
            return self.substitute_under_quantifiers(term, replacement);
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([term]) {
            let new = match self.as_variable(subterm) {
                Some(variable) => replacement.get(&variable).copied().unwrap_or(subterm),
                None => self.rebuild(subterm, |argument| done[&argument]),
            };
            done.insert(subterm, new);
        }
        done[&term]
    }

    /// A formula about the fields of records instead of the records, which are given by their fields: what to quantify
    /// instead of these variables, and the formula about it.
    pub fn by_leaves(&mut self, bound: &[Var], body: Term) -> (Vec<Var>, Term) {
        let mut found = Vec::new();
        let mut records: FxHashMap<Var, Term> = FxHashMap::default();
        for &variable in bound {
            let value = self.record_of_leaves(variable, &mut found);
            if value != self.var(variable) {
                records.insert(variable, value);
            }
        }
        let body = self.substitute(body, &records);
        (found, body)
    }

    /// A record of new variables, each for a field that is not a record itself; any other variable as it is.
    ///
    /// Sorts are no deeper than their reader allows.
    fn record_of_leaves(&mut self, variable: Var, found: &mut Vec<Var>) -> Term {
        let sort = self.variable_sort(variable);
        let SortKind::Record(fields) = self.sort_kind(sort).clone() else {
            found.push(variable);
            return self.var(variable);
        };
        let mut values = Vec::with_capacity(fields.len());
        for (label, sort) in fields {
            let label = self.names.text(label);
            // No identifier has an apostrophe.
            let name = format!("{}'{label}", self.variable_text(variable));
            let name = self.names.intern(&name);
            let leaf = self.variable(name, sort);
            values.push(self.record_of_leaves(leaf, found));
        }
        self.record(sort, &values)
    }

    /// The same term with each argument replaced; quantified terms keep their bound variables.
    pub fn rebuild(&mut self, term: Term, mut replace: impl FnMut(Term) -> Term) -> Term {
        let sort = self.sort_of(term);
        let old = self.arguments(term).to_vec();
        let new: Vec<Term> = old.iter().map(|&argument| replace(argument)).collect();
        if new == old {
            return term;
        }
        match self.kind(term) {
            TermKind::Constant(_) | TermKind::Variable(_) => term,
            TermKind::Apply(op, _) => self.apply_checked(op, sort, &new),
            TermKind::Quantified(quantifier, ..) => self.quantified(quantifier, &new),
        }
    }

    /// The constructor that belongs to an operator, so that what is rebuilt is as tidy as what is built.
    pub(crate) fn apply_checked(&mut self, op: Op, sort: Sort, arguments: &[Term]) -> Term {
        match (op, arguments) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(arguments.iter().copied()),
            (Op::Or, _) => self.or(arguments.iter().copied()),
            (Op::Implies, &[a, b]) => self.implies(a, b),
            (Op::If, &[a, b, c]) => self.if_then_else(a, b, c),
            (Op::Negate, &[a]) => self.negate(a),
            (Op::Add | Op::Multiply, _) => self.arithmetic_of_many(op, arguments),
            (Op::Subtract | Op::Divide | Op::IntegerDivide | Op::Modulo, &[a, b]) => {
                self.arithmetic(op, a, b)
            }
            (Op::Concat, _) => self.concat(arguments),
            (Op::MakeRecord, _) => self.record(sort, arguments),
            (Op::MakeList, _) => self.list(sort, arguments),
            (Op::Field(position), &[record]) => self.project(position, record),
            (Op::Index, &[list, position]) => match self.item(list, position) {
                Some(item) => item,
                None => self.apply(op, sort, arguments),
            },
            _ => self.apply(op, sort, arguments),
        }
    }

    /// The item at a known position of a list whose items are known, unless that would lose another item that may be
    /// undefined.
    fn item(&mut self, list: Term, position: Term) -> Option<Term> {
        let Some(Value::Int(position)) = self.value(position) else {
            return None;
        };
        let mut left = position.to_usize()?;
        if self.arguments(list).iter().any(|&it| self.is_partial(it)) {
            return None;
        }
        let parts = match self.kind(list) {
            TermKind::Apply(Op::Concat, parts) => parts.to_vec(),
            _ => vec![list],
        };
        for part in parts {
            match self.kind(part) {
                TermKind::Apply(Op::MakeList, items) => match items.get(left) {
                    Some(&item) => return Some(item),
                    None => left -= items.len(),
                },
                TermKind::Constant(Value::List { items, .. }) => match items.get(left).cloned() {
                    Some(item) => return Some(self.constant(item)),
                    None => left -= items.len(),
                },
                _ => return None,
            }
        }
        None
    }

    /// Field of a record by position; of a record literal, the field itself, unless that would lose another field
    /// that may be undefined.
    fn project(&mut self, position: u32, record: Term) -> Term {
        match self.kind(record) {
            TermKind::Apply(Op::MakeRecord, fields)
                if !fields.iter().enumerate().any(|(index, &field)| {
                    index != position as usize && self.is_partial(field)
                }) =>
            {
                return fields[position as usize];
            }
            TermKind::Constant(Value::Record { fields, .. }) => {
                let value = fields[position as usize].clone();
                return self.constant(value);
            }
            _ => {}
        }
        let sort = match self.sort_kind(self.sort_of(record)) {
            SortKind::Record(fields) => fields[position as usize].1,
            other => unreachable!("a record was expected, not {other:?}"),
        };
        self.apply(Op::Field(position), sort, &[record])
    }

    fn free_variables_under_quantifiers(&self, term: Term) -> Vec<Var> {
        // Bottom-up sets: a binder removes what it binds from the set of its body.
        let mut free: FxHashMap<Term, Vec<Var>> = FxHashMap::default();
        for subterm in self.postorder([term]) {
            let set = match self.kind(subterm) {
                TermKind::Constant(_) => Vec::new(),
                TermKind::Variable(variable) => vec![variable],
                TermKind::Apply(_, arguments) => {
                    let mut set: Vec<Var> = Vec::new();
                    for argument in arguments {
                        for &variable in &free[argument] {
                            if !set.contains(&variable) {
                                set.push(variable);
                            }
                        }
                    }
                    set
                }
                TermKind::Quantified(_, bound, body) => {
                    let bound: Vec<Var> = bound
                        .iter()
                        .filter_map(|&term| self.as_variable(term))
                        .collect();
                    free[&body]
                        .iter()
                        .copied()
                        .filter(|variable| !bound.contains(variable))
                        .collect()
                }
            };
            free.insert(subterm, set);
        }
        free.remove(&term).unwrap_or_default()
    }

    fn substitute_under_quantifiers(
        &mut self,
        term: Term,
        replacement: &FxHashMap<Var, Term>,
    ) -> Term {
        // Renaming every bound variable to a fresh one first makes capture impossible, at the price of fresh names;
        // quantified formulas are small and rare, so the price is right.
        let renamed = self.rename_bound(term);
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([renamed]) {
            let new = match self.as_variable(subterm) {
                Some(variable) => replacement.get(&variable).copied().unwrap_or(subterm),
                None => self.rebuild(subterm, |argument| done[&argument]),
            };
            done.insert(subterm, new);
        }
        done[&renamed]
    }

    /// The same formula in which each quantifier binds variables of its own.
    fn rename_bound(&mut self, term: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([term]) {
            let new = match self.kind(subterm) {
                TermKind::Quantified(quantifier, bound, body) => {
                    let bound: Vec<Var> = bound
                        .iter()
                        .filter_map(|&term| self.as_variable(term))
                        .collect();
                    let body = done[&body];
                    self.with_fresh_bound(quantifier, &bound, body)
                }
                _ => self.rebuild(subterm, |argument| done[&argument]),
            };
            done.insert(subterm, new);
        }
        done[&term]
    }

    fn with_fresh_bound(&mut self, quantifier: Quantifier, bound: &[Var], body: Term) -> Term {
        let mut fresh_for: FxHashMap<Var, Term> = FxHashMap::default();
        let mut arguments = Vec::with_capacity(bound.len() + 1);
        for &variable in bound {
            let fresh = self.fresh_variable(variable);
            let fresh = self.var(fresh);
            fresh_for.insert(variable, fresh);
            arguments.push(fresh);
        }
        // Inner quantifiers bind fresh variables already, so a plain replacement cannot be captured.
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for subterm in self.postorder([body]) {
            let new = match self.as_variable(subterm) {
                Some(variable) => fresh_for.get(&variable).copied().unwrap_or(subterm),
                None => self.rebuild(subterm, |argument| done[&argument]),
            };
            done.insert(subterm, new);
        }
        arguments.push(done[&body]);
        self.quantified(quantifier, &arguments)
    }
}
