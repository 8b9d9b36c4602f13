//! What our variables, sorts and atoms are called in a solver, and the way back.
//!
//! Everything of ours begins with `$`, which no word of SMT-LIB does, so a variable called `and` or `Int` is harmless.
//! A solver sees numbers in the order of first use: what it answers, and how long that takes, must not depend on names.
//! Scripts for people keep the names.
//! Values of uninterpreted sorts are integers: there are infinitely many of both, and only equality is ever asked.

use std::sync::Arc;

use choros_base::Name;
use choros_data::{Sort, SortKind, Terms, Value, Var};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// What symbols are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Naming {
    /// Numbers, for solvers.
    #[default]
    Numbers,
    /// The names of the model, for people.
    Names,
}

/// The two-way table of one solver instance.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) naming: Naming,
    variables: FxHashMap<Var, Arc<str>>,
    datatypes: FxHashMap<Sort, Datatype>,
    meanings: FxHashMap<Arc<str>, Meaning>,
    numbers: FxHashMap<Name, BigInt>,
    atoms: FxHashMap<BigInt, Name>,
    next_number: u64,
    /// Of atoms the solver made up.
    next_made_up: u64,
    /// Whether this solver prints a backslash as it is, and so ambiguously, instead of escaping it (Z3 4.8.12 does).
    pub(crate) raw_backslashes: bool,
}

/// What a symbol of ours stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Variable(Var),
    /// A value of an enumeration.
    Constructor(Sort, u32),
    /// The constructor of a record sort.
    Record(Sort),
    /// A selector of a record sort.
    Field(Sort, u32),
    Sort(Sort),
}

/// The symbols of an enumeration or record sort.
#[derive(Debug, Clone)]
pub(crate) struct Datatype {
    /// The sort itself.
    pub(crate) sort: Arc<str>,
    /// The record's constructor, or the enumeration's in order.
    pub(crate) constructors: Vec<Arc<str>>,
    /// The record's selectors in order.
    pub(crate) selectors: Vec<Arc<str>>,
}

impl Symbols {
    /// The symbol of a variable, and whether this is its first use.
    pub(crate) fn variable(&mut self, terms: &Terms, variable: Var) -> (Arc<str>, bool) {
        if let Some(symbol) = self.variables.get(&variable) {
            return (symbol.clone(), false);
        }
        let symbol = self.unique(terms.variable_text(variable), Meaning::Variable(variable));
        self.variables.insert(variable, symbol.clone());
        (symbol, true)
    }

    /// The symbols of an enumeration or record sort, and whether this is its first use; none for other sorts.
    pub(crate) fn datatype(&mut self, terms: &Terms, sort: Sort) -> Option<(Datatype, bool)> {
        if let Some(datatype) = self.datatypes.get(&sort) {
            return Some((datatype.clone(), false));
        }
        let datatype = match terms.sort_kind(sort) {
            SortKind::Enumeration { name, constructors } => {
                let name = terms.names.text(*name);
                Datatype {
                    sort: self.unique(name, Meaning::Sort(sort)),
                    constructors: constructors
                        .iter()
                        .enumerate()
                        .map(|(index, &constructor)| {
                            let text = format!("{name}!{}", terms.names.text(constructor));
                            self.unique(&text, Meaning::Constructor(sort, index as u32))
                        })
                        .collect(),
                    selectors: Vec::new(),
                }
            }
            SortKind::Record(fields) => Datatype {
                sort: self.unique("Record", Meaning::Sort(sort)),
                constructors: vec![self.unique("record", Meaning::Record(sort))],
                selectors: fields
                    .iter()
                    .enumerate()
                    .map(|(index, &(label, _))| {
                        let text = format!("record.{}", terms.names.text(label));
                        self.unique(&text, Meaning::Field(sort, index as u32))
                    })
                    .collect(),
            },
            _ => return None,
        };
        self.datatypes.insert(sort, datatype.clone());
        Some((datatype, true))
    }

    /// What a symbol (without bars) stands for.
    pub(crate) fn meaning(&self, symbol: &str) -> Option<Meaning> {
        self.meanings.get(symbol).copied()
    }

    /// The integer that stands for an atom.
    pub(crate) fn number(&mut self, name: Name) -> BigInt {
        if let Some(number) = self.numbers.get(&name) {
            return number.clone();
        }
        let mut number = BigInt::from(self.next_number);
        while self.atoms.contains_key(&number) {
            self.next_number += 1;
            number = BigInt::from(self.next_number);
        }
        self.next_number += 1;
        self.numbers.insert(name, number.clone());
        self.atoms.insert(number.clone(), name);
        number
    }

    /// The atom that an integer stands for; one the solver made up gets a name that nothing else has.
    pub(crate) fn atom(&mut self, terms: &mut Terms, sort: Sort, number: &BigInt) -> Value {
        if let Some(&name) = self.atoms.get(number) {
            return Value::Atom { sort, name };
        }
        let stem = terms.sort_text(sort);
        let name = loop {
            self.next_made_up += 1;
            let text = format!("{stem}'{}", self.next_made_up);
            if terms.names.get(&text).is_none() {
                break terms.names.intern(&text);
            }
        };
        self.numbers.insert(name, number.clone());
        self.atoms.insert(number.clone(), name);
        Value::Atom { sort, name }
    }

    /// A symbol that nothing else has.
    fn unique(&mut self, text: &str, meaning: Meaning) -> Arc<str> {
        let symbol: Arc<str> = match self.naming {
            Naming::Numbers => format!("${}", self.meanings.len() + 1).into(),
            Naming::Names => self.readable(text),
        };
        self.meanings.insert(symbol.clone(), meaning);
        symbol
    }

    /// `$` and the text, with what cannot stand in a quoted symbol replaced, and a number if that is taken.
    fn readable(&self, text: &str) -> Arc<str> {
        let clean: String = text
            .chars()
            .map(|c| match c {
                '|' | '\\' => '_',
                ' '..='~' => c,
                _ => '_',
            })
            .collect();
        let mut symbol: Arc<str> = format!("${clean}").into();
        let mut number = 1;
        while self.meanings.contains_key(&symbol) {
            number += 1;
            symbol = format!("${clean}~{number}").into();
        }
        symbol
    }
}

/// A symbol as it is written: between bars when it must be.
pub(crate) fn quoted(symbol: &str) -> String {
    let simple = symbol
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c));
    if simple && !symbol.is_empty() {
        symbol.to_owned()
    } else {
        format!("|{symbol}|")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named() -> Symbols {
        Symbols {
            naming: Naming::Names,
            ..Symbols::default()
        }
    }

    #[test]
    fn a_solver_sees_numbers() {
        let mut terms = Terms::new();
        let mut symbols = Symbols::default();
        for (number, text) in ["zebra", "and", "a|b"].into_iter().enumerate() {
            let name = terms.names.intern(text);
            let variable = terms.variable(name, Sort::INT);
            let (symbol, _) = symbols.variable(&terms, variable);
            assert_eq!(*symbol, format!("${}", number + 1));
            assert_eq!(symbols.meaning(&symbol), Some(Meaning::Variable(variable)));
        }
    }

    #[test]
    fn variables_of_one_name_and_two_sorts_stay_apart() {
        let mut terms = Terms::new();
        let mut symbols = named();
        let name = terms.names.intern("x");
        let int = terms.variable(name, Sort::INT);
        let text = terms.variable(name, Sort::STRING);
        let (first, new) = symbols.variable(&terms, int);
        let (second, _) = symbols.variable(&terms, text);
        assert!(new);
        assert_eq!((&*first, &*second), ("$x", "$x~2"));
        assert_eq!(symbols.meaning("$x~2"), Some(Meaning::Variable(text)));
    }

    #[test]
    fn names_that_differ_only_in_odd_characters_stay_apart() {
        let mut terms = Terms::new();
        let mut symbols = named();
        let mut symbol = |text: &str| {
            let name = terms.names.intern(text);
            let variable = terms.variable(name, Sort::INT);
            symbols.variable(&terms, variable).0
        };
        assert_ne!(symbol("a|b"), symbol("a\\b"));
        assert_ne!(symbol("ä"), symbol("ö"));
        assert_eq!(quoted(&symbol("x'1")), "|$x'1|");
    }

    #[test]
    fn atoms_and_made_up_atoms_never_share_a_number() {
        let mut terms = Terms::new();
        let mut symbols = Symbols::default();
        let ok = terms.names.intern("OK");
        assert_eq!(symbols.number(ok), BigInt::from(0));
        let Value::Atom { name, .. } = symbols.atom(&mut terms, Sort::SYMBOL, &BigInt::from(1))
        else {
            panic!("an atom");
        };
        assert_eq!(terms.names.text(name), "Symbol'1");
        let no = terms.names.intern("NO");
        assert_eq!(symbols.number(no), BigInt::from(2));
        assert_eq!(symbols.number(name), BigInt::from(1));
    }
}
