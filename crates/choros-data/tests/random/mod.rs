//! Random typed terms and values, for the tests of this crate and of those that translate terms.

// Each test uses a part.
#![allow(dead_code)]

use choros_data::{Assignment, Op, Sort, SortKind, Term, Terms, Value, Var};
use num_rational::BigRational;
use proptest::prelude::*;

/// Numbers that decide what the generator does next.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 1..80)
}

/// Deals them out.
pub(crate) struct Choices<'a> {
    numbers: &'a [u8],
    position: usize,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(numbers: &'a [u8]) -> Self {
        Self {
            numbers,
            position: 0,
        }
    }

    /// A number below the limit.
    pub(crate) fn next(&mut self, limit: usize) -> usize {
        let number = self.numbers.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        usize::from(number) % limit
    }
}

/// A store with sorts of all kinds and two variables of each.
pub(crate) struct World {
    pub(crate) terms: Terms,
    pub(crate) sorts: Vec<Sort>,
    pub(crate) variables: Vec<Var>,
}

impl World {
    pub(crate) fn new() -> Self {
        let mut terms = Terms::new();
        let status = terms.names.intern("Status");
        let constructors = vec![terms.names.intern("Open"), terms.names.intern("Shut")];
        let status = terms.sort(SortKind::Enumeration {
            name: status,
            constructors,
        });
        let (weight, price) = (terms.names.intern("weight"), terms.names.intern("price"));
        let record = terms.sort(SortKind::Record(vec![
            (weight, Sort::INT),
            (price, Sort::REAL),
        ]));
        let list = terms.list_sort(Sort::INT);
        let sorts = vec![
            Sort::BOOL,
            Sort::INT,
            Sort::REAL,
            Sort::STRING,
            Sort::SYMBOL,
            status,
            record,
            list,
        ];
        let mut variables = Vec::new();
        for (index, &sort) in sorts.iter().enumerate() {
            for number in 0..2 {
                let name = terms.names.intern(&format!("v{index}_{number}"));
                variables.push(terms.variable(name, sort));
            }
        }
        Self {
            terms,
            sorts,
            variables,
        }
    }

    /// A value of the sort.
    pub(crate) fn value(&mut self, sort: Sort, choices: &mut Choices<'_>) -> Value {
        match self.terms.sort_kind(sort).clone() {
            SortKind::Bool => Value::Bool(choices.next(2) == 1),
            SortKind::Int => Value::int(choices.next(7) as i64 - 3),
            SortKind::Real => Value::Real(BigRational::new(
                (choices.next(9) as i64 - 4).into(),
                (choices.next(4) as i64 + 1).into(),
            )),
            SortKind::String => Value::text(["", "a", "ab", "é\"\\\n"][choices.next(4)]),
            SortKind::Uninterpreted(_) => {
                let name = self
                    .terms
                    .names
                    .intern(["OK", "KO", "ACCEPT"][choices.next(3)]);
                Value::Atom { sort, name }
            }
            SortKind::Enumeration { constructors, .. } => Value::Constructor {
                sort,
                index: choices.next(constructors.len()) as u32,
            },
            SortKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|&(_, sort)| self.value(sort, choices))
                    .collect();
                Value::Record { sort, fields }
            }
            SortKind::List(element) => {
                let length = choices.next(3);
                let items = (0..length).map(|_| self.value(element, choices)).collect();
                Value::List { sort, items }
            }
        }
    }

    /// A value for each variable.
    pub(crate) fn assignment(&mut self, choices: &mut Choices<'_>) -> Assignment {
        let variables = self.variables.clone();
        variables
            .into_iter()
            .map(|variable| {
                (
                    variable,
                    self.value(self.terms.variable_sort(variable), choices),
                )
            })
            .collect()
    }

    /// A term of the sort.
    pub(crate) fn term(&mut self, sort: Sort, choices: &mut Choices<'_>, depth: usize) -> Term {
        let leaf = depth == 0 || choices.next(5) == 0;
        if leaf {
            if choices.next(2) == 0 {
                let value = self.value(sort, choices);
                return self.terms.constant(value);
            }
            let candidates: Vec<Var> = self
                .variables
                .iter()
                .copied()
                .filter(|&variable| self.terms.variable_sort(variable) == sort)
                .collect();
            let variable = candidates[choices.next(candidates.len())];
            return self.terms.var(variable);
        }
        if choices.next(8) == 0 {
            let condition = self.term(Sort::BOOL, choices, depth - 1);
            let yes = self.term(sort, choices, depth - 1);
            let no = self.term(sort, choices, depth - 1);
            return self.terms.if_then_else(condition, yes, no);
        }
        let (record, list) = (self.sorts[6], self.sorts[7]);
        match self.terms.sort_kind(sort).clone() {
            SortKind::Bool => self.formula(choices, depth),
            SortKind::Int if choices.next(4) == 0 => match choices.next(3) {
                0 => {
                    let list = self.term(list, choices, depth - 1);
                    let position = self.term(Sort::INT, choices, depth - 1);
                    self.terms.index(list, position)
                }
                1 => {
                    let text = self.term(Sort::STRING, choices, depth - 1);
                    self.terms.length(text)
                }
                _ => {
                    let record = self.term(record, choices, depth - 1);
                    let label = self.terms.names.intern("weight");
                    self.terms.field(record, label).unwrap()
                }
            },
            SortKind::Int | SortKind::Real => {
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let ops = match sort {
                    Sort::INT => [
                        Op::Add,
                        Op::Subtract,
                        Op::Multiply,
                        Op::IntegerDivide,
                        Op::Modulo,
                    ],
                    _ => [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Divide],
                };
                match choices.next(6) {
                    5 => self.terms.negate(left),
                    op => self.terms.arithmetic(ops[op], left, right),
                }
            }
            SortKind::String | SortKind::List(_) => {
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                self.terms.concat(&[left, right])
            }
            SortKind::Record(fields) => {
                let fields: Vec<Term> = fields
                    .iter()
                    .map(|&(_, sort)| self.term(sort, choices, depth - 1))
                    .collect();
                self.terms.record(sort, &fields)
            }
            SortKind::Uninterpreted(_) | SortKind::Enumeration { .. } => {
                let value = self.value(sort, choices);
                self.terms.constant(value)
            }
        }
    }

    fn formula(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        match choices.next(8) {
            0 => {
                let inner = self.term(Sort::BOOL, choices, depth - 1);
                self.terms.not(inner)
            }
            1 | 2 => {
                let count = 2 + choices.next(3);
                let parts: Vec<Term> = (0..count)
                    .map(|_| self.term(Sort::BOOL, choices, depth - 1))
                    .collect();
                if choices.next(2) == 0 {
                    self.terms.and(parts)
                } else {
                    self.terms.or(parts)
                }
            }
            3 => {
                let left = self.term(Sort::BOOL, choices, depth - 1);
                let right = self.term(Sort::BOOL, choices, depth - 1);
                self.terms.implies(left, right)
            }
            4 => {
                let item = self.term(Sort::INT, choices, depth - 1);
                let list = self.term(self.sorts[7], choices, depth - 1);
                self.terms.member(item, list)
            }
            5 => {
                let left = self.term(Sort::STRING, choices, depth - 1);
                let right = self.term(Sort::STRING, choices, depth - 1);
                if choices.next(2) == 0 {
                    self.terms.prefix(left, right)
                } else {
                    self.terms.contains(left, right)
                }
            }
            6 => {
                let sort = self.sorts[choices.next(self.sorts.len())];
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let op = if choices.next(2) == 0 {
                    Op::Equal
                } else {
                    Op::NotEqual
                };
                self.terms.compare(op, left, right)
            }
            _ => {
                let sort = [Sort::INT, Sort::REAL][choices.next(2)];
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let op = [
                    Op::Less,
                    Op::LessEqual,
                    Op::Greater,
                    Op::GreaterEqual,
                    Op::Equal,
                ][choices.next(5)];
                self.terms.compare(op, left, right)
            }
        }
    }
}
