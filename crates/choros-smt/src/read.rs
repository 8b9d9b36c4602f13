//! SMT-LIB expressions back to terms and values.
//!
//! Read is what solvers print as values and as results of quantifier elimination: a fragment without binders other
//! than `let`.
//! Whatever is not understood gives `None`, never a guess.
//! A numeral has no sort of its own (an integer, a rational, or the number of an atom); the place it stands in, or
//! what it is compared with, decides.

use choros_data::{Assignment, Op, Sort, SortKind, Term, TermKind, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use crate::literal;
use crate::sexpr::{At, Sexprs};
use crate::symbols::{Meaning, Symbols};

/// Reads expressions of one text.
pub(crate) struct Reader<'a> {
    /// Where terms are made.
    pub(crate) terms: &'a mut Terms,
    /// What symbols stand for.
    pub(crate) symbols: &'a mut Symbols,
    /// The text.
    pub(crate) sexprs: &'a Sexprs,
}

#[derive(Debug, Clone)]
enum Item {
    Term(Term),
    /// Not yet of a sort.
    Number(BigRational),
}

enum Task<'a> {
    Read(At, Option<Sort>),
    Apply(Head<'a>, usize, Option<Sort>),
    Bind(Vec<&'a str>),
    Unbind(usize),
}

#[derive(Debug, Clone, Copy)]
enum Head<'a> {
    Word(&'a str),
    Divisible(&'a str),
}

impl<'a> Reader<'a> {
    /// The value of this sort.
    pub(crate) fn value(&mut self, at: At, sort: Sort) -> Option<Value> {
        let term = self.term(at, sort)?;
        if let Some(value) = self.terms.value(term) {
            return Some(value.clone());
        }
        self.terms.evaluate(term, &Assignment::default()).ok()
    }

    /// The term of this sort.
    pub(crate) fn term(&mut self, at: At, sort: Sort) -> Option<Term> {
        let mut tasks: Vec<Task<'a>> = vec![Task::Read(at, Some(sort))];
        let mut items: Vec<Item> = Vec::new();
        let mut bound: Vec<(&'a str, Item)> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(at, expected) => {
                    if let Some(item) = self.leaf(at, expected, &bound) {
                        items.push(item);
                    } else {
                        self.open(at, expected, &mut tasks)?;
                    }
                }
                Task::Apply(head, count, expected) => {
                    let arguments = items.split_off(items.len().checked_sub(count)?);
                    items.push(self.apply(head, &arguments, expected)?);
                }
                Task::Bind(names) => {
                    let values = items.split_off(items.len().checked_sub(names.len())?);
                    bound.extend(names.into_iter().zip(values));
                }
                Task::Unbind(count) => bound.truncate(bound.len().checked_sub(count)?),
            }
        }
        let item = items.pop()?;
        self.of_sort(&item, sort)
    }

    /// A symbol, literal or `(as seq.empty …)`.
    fn leaf(&mut self, at: At, expected: Option<Sort>, bound: &[(&'a str, Item)]) -> Option<Item> {
        let sexprs = self.sexprs;
        if let Some(text) = sexprs.text(at) {
            let text = literal::unescape(text, self.symbols.raw_backslashes)?;
            return Some(Item::Term(self.terms.text(&text)));
        }
        if let Some(members) = sexprs.list(at) {
            let [keyword, symbol, sort] = members[..] else {
                return None;
            };
            if sexprs.word(keyword) != Some("as") || sexprs.word(symbol) != Some("seq.empty") {
                return None;
            }
            let sort = match expected {
                Some(sort) => sort,
                None => self.sort(sort)?,
            };
            return self.list(sort, &[]).map(Item::Term);
        }
        let word = sexprs.word(at)?;
        if let Some((_, item)) = bound.iter().rev().find(|(name, _)| *name == word) {
            return Some(item.clone());
        }
        let term = match word {
            "true" => Term::TRUE,
            "false" => Term::FALSE,
            _ => match self.symbols.meaning(word) {
                Some(Meaning::Variable(variable)) => self.terms.var(variable),
                Some(Meaning::Constructor(sort, index)) => {
                    self.terms.constant(Value::Constructor { sort, index })
                }
                Some(Meaning::Record(sort)) => self.record(sort, &[])?,
                Some(Meaning::Field(..) | Meaning::Sort(_)) => return None,
                None => return number(word).map(Item::Number),
            },
        };
        Some(Item::Term(term))
    }

    /// Schedules the parts of a list.
    fn open(&mut self, at: At, expected: Option<Sort>, tasks: &mut Vec<Task<'a>>) -> Option<()> {
        let sexprs = self.sexprs;
        let members = sexprs.list(at)?;
        let (&first, arguments) = members.split_first()?;
        let head = match sexprs.word(first) {
            Some("let") => return self.open_let(arguments, expected, tasks),
            Some("forall" | "exists") => return None,
            Some(word) => Head::Word(word),
            None => match sexprs.list(first)?[..] {
                [underscore, divisible, divisor]
                    if sexprs.word(underscore) == Some("_")
                        && sexprs.word(divisible) == Some("divisible") =>
                {
                    Head::Divisible(sexprs.word(divisor)?)
                }
                _ => return None,
            },
        };
        tasks.push(Task::Apply(head, arguments.len(), expected));
        for (position, &argument) in arguments.iter().enumerate().rev() {
            let sort = self.expected(head, position, expected);
            tasks.push(Task::Read(argument, sort));
        }
        Some(())
    }

    fn open_let(
        &mut self,
        arguments: &[At],
        expected: Option<Sort>,
        tasks: &mut Vec<Task<'a>>,
    ) -> Option<()> {
        let sexprs = self.sexprs;
        let &[bindings, body] = arguments else {
            return None;
        };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for binding in sexprs.list(bindings)? {
            let [name, value] = sexprs.list(binding)?[..] else {
                return None;
            };
            names.push(sexprs.word(name)?);
            values.push(value);
        }
        tasks.push(Task::Unbind(names.len()));
        tasks.push(Task::Read(body, expected));
        tasks.push(Task::Bind(names));
        for value in values.into_iter().rev() {
            tasks.push(Task::Read(value, None));
        }
        Some(())
    }

    /// The sort an argument must have, as far as the operator tells.
    fn expected(&self, head: Head<'_>, position: usize, whole: Option<Sort>) -> Option<Sort> {
        let Head::Word(word) = head else {
            return Some(Sort::INT);
        };
        match word {
            "not" | "and" | "or" | "=>" | "xor" => Some(Sort::BOOL),
            "ite" if position == 0 => Some(Sort::BOOL),
            "ite" | "seq.++" => whole,
            "+" | "-" | "*" => whole.filter(|sort| sort.is_number()),
            "/" => Some(Sort::REAL),
            "div" | "mod" => Some(Sort::INT),
            "seq.nth" if position == 1 => Some(Sort::INT),
            "str.++" | "str.len" | "str.prefixof" | "str.contains" => Some(Sort::STRING),
            "seq.unit" => match self.terms.sort_kind(whole?) {
                SortKind::List(element) => Some(*element),
                _ => None,
            },
            _ => match self.symbols.meaning(word)? {
                Meaning::Record(sort) => match self.terms.sort_kind(sort) {
                    SortKind::Record(fields) => fields.get(position).map(|&(_, sort)| sort),
                    _ => None,
                },
                Meaning::Field(sort, _) => Some(sort),
                _ => None,
            },
        }
    }

    fn apply(&mut self, head: Head<'_>, items: &[Item], expected: Option<Sort>) -> Option<Item> {
        let word = match head {
            Head::Word(word) => word,
            Head::Divisible(divisor) => {
                let [item] = items else { return None };
                let divisor = number(divisor)?;
                let divisor = self.of_sort(&Item::Number(divisor), Sort::INT)?;
                let dividend = self.of_sort(item, Sort::INT)?;
                let rest = self.terms.arithmetic(Op::Modulo, dividend, divisor);
                let zero = self.terms.int(0);
                return Some(Item::Term(self.terms.equal(rest, zero)));
            }
        };
        if let Some(number) = arithmetic_on_numbers(word, items) {
            return Some(Item::Number(number));
        }
        let term = match word {
            "not" => {
                let [item] = items else { return None };
                let operand = self.of_sort(item, Sort::BOOL)?;
                self.terms.not(operand)
            }
            "and" => {
                let operands = self.all_of_sort(items, Sort::BOOL)?;
                self.terms.and(operands)
            }
            "or" => {
                let operands = self.all_of_sort(items, Sort::BOOL)?;
                self.terms.or(operands)
            }
            "=>" => {
                let operands = self.all_of_sort(items, Sort::BOOL)?;
                let &[premise, conclusion] = &operands[..] else {
                    return None;
                };
                self.terms.implies(premise, conclusion)
            }
            "ite" => {
                let [condition, branches @ ..] = items else {
                    return None;
                };
                let condition = self.of_sort(condition, Sort::BOOL)?;
                let sort = expected.or_else(|| self.common_sort(branches))?;
                let &[yes, no] = &self.all_of_sort(branches, sort)?[..] else {
                    return None;
                };
                self.terms.if_then_else(condition, yes, no)
            }
            "=" => self.chain(Op::Equal, items)?,
            "<" => self.chain(Op::Less, items)?,
            "<=" => self.chain(Op::LessEqual, items)?,
            ">" => self.chain(Op::Greater, items)?,
            ">=" => self.chain(Op::GreaterEqual, items)?,
            "distinct" | "xor" => {
                let [_, _] = items else { return None };
                self.chain(Op::NotEqual, items)?
            }
            "+" | "*" => {
                let operands = self.numbers(items)?;
                let op = if word == "+" { Op::Add } else { Op::Multiply };
                self.terms.arithmetic_of_many(op, &operands)
            }
            "-" => match self.numbers(items)?[..] {
                [operand] => self.terms.negate(operand),
                [first, ref rest @ ..] => rest.iter().fold(first, |left, &right| {
                    self.terms.arithmetic(Op::Subtract, left, right)
                }),
                [] => return None,
            },
            "/" => self.binary(Op::Divide, Sort::REAL, items)?,
            "div" => self.binary(Op::IntegerDivide, Sort::INT, items)?,
            "mod" => self.binary(Op::Modulo, Sort::INT, items)?,
            "str.len" => {
                let operands = self.all_of_sort(items, Sort::STRING)?;
                let &[operand] = &operands[..] else {
                    return None;
                };
                self.terms.length(operand)
            }
            "str.++" => {
                let operands = self.all_of_sort(items, Sort::STRING)?;
                if operands.is_empty() {
                    return None;
                }
                self.terms.concat(&operands)
            }
            "str.prefixof" => {
                let operands = self.all_of_sort(items, Sort::STRING)?;
                let &[prefix, whole] = &operands[..] else {
                    return None;
                };
                self.terms.prefix(prefix, whole)
            }
            "str.contains" => {
                let operands = self.all_of_sort(items, Sort::STRING)?;
                let &[whole, part] = &operands[..] else {
                    return None;
                };
                self.terms.contains(whole, part)
            }
            "seq.unit" | "seq.++" | "seq.len" | "seq.nth" | "seq.contains" => {
                self.sequence(word, items, expected)?
            }
            _ => match self.symbols.meaning(word)? {
                Meaning::Record(sort) => self.record(sort, items)?,
                Meaning::Field(sort, position) => {
                    let [item] = items else { return None };
                    let record = self.of_sort(item, sort)?;
                    let label = match self.terms.sort_kind(sort) {
                        SortKind::Record(fields) => fields.get(position as usize)?.0,
                        _ => return None,
                    };
                    self.terms.field(record, label)?
                }
                _ => return None,
            },
        };
        Some(Item::Term(term))
    }

    fn sequence(&mut self, word: &str, items: &[Item], expected: Option<Sort>) -> Option<Term> {
        match (word, items) {
            ("seq.unit", [_]) => {
                let sort = match expected {
                    Some(sort) => sort,
                    None => {
                        let element = self.common_sort(items)?;
                        self.terms.list_sort(element)
                    }
                };
                self.list(sort, items)
            }
            ("seq.++", [_, ..]) => {
                let sort = expected.or_else(|| self.common_sort(items))?;
                let operands = self.all_of_sort(items, sort)?;
                matches!(self.terms.sort_kind(sort), SortKind::List(_))
                    .then(|| self.terms.concat(&operands))
            }
            ("seq.len", &[Item::Term(list)]) => {
                self.element_sort(list)?;
                Some(self.terms.length(list))
            }
            ("seq.nth", [Item::Term(list), position]) => {
                self.element_sort(*list)?;
                let position = self.of_sort(position, Sort::INT)?;
                Some(self.terms.index(*list, position))
            }
            // Only membership is ours, not sublists.
            ("seq.contains", &[Item::Term(list), Item::Term(unit)]) => {
                let item = match self.terms.kind(unit) {
                    TermKind::Apply(Op::MakeList, &[item]) => item,
                    TermKind::Constant(Value::List { items, .. }) if items.len() == 1 => {
                        let item = items[0].clone();
                        self.terms.constant(item)
                    }
                    _ => return None,
                };
                (self.element_sort(list)? == self.terms.sort_of(item))
                    .then(|| self.terms.member(item, list))
            }
            _ => None,
        }
    }

    fn element_sort(&self, list: Term) -> Option<Sort> {
        match self.terms.sort_kind(self.terms.sort_of(list)) {
            SortKind::List(element) => Some(*element),
            _ => None,
        }
    }

    /// `a op b and b op c …`.
    fn chain(&mut self, op: Op, items: &[Item]) -> Option<Term> {
        if items.len() < 2 {
            return None;
        }
        let sort = self.common_sort(items)?;
        if !sort.is_number() && !matches!(op, Op::Equal | Op::NotEqual) {
            return None;
        }
        let operands = self.all_of_sort(items, sort)?;
        let pairs: Vec<Term> = operands
            .windows(2)
            .map(|pair| self.terms.compare(op, pair[0], pair[1]))
            .collect();
        Some(self.terms.and(pairs))
    }

    fn numbers(&mut self, items: &[Item]) -> Option<Vec<Term>> {
        let sort = self.common_sort(items).filter(|sort| sort.is_number())?;
        self.all_of_sort(items, sort)
    }

    fn binary(&mut self, op: Op, sort: Sort, items: &[Item]) -> Option<Term> {
        let operands = self.all_of_sort(items, sort)?;
        let &[left, right] = &operands[..] else {
            return None;
        };
        Some(self.terms.arithmetic(op, left, right))
    }

    fn record(&mut self, sort: Sort, items: &[Item]) -> Option<Term> {
        let SortKind::Record(fields) = self.terms.sort_kind(sort).clone() else {
            return None;
        };
        if fields.len() != items.len() {
            return None;
        }
        let fields = fields
            .iter()
            .zip(items)
            .map(|(&(_, sort), item)| self.of_sort(item, sort))
            .collect::<Option<Vec<Term>>>()?;
        Some(self.terms.record(sort, &fields))
    }

    fn list(&mut self, sort: Sort, items: &[Item]) -> Option<Term> {
        let SortKind::List(element) = *self.terms.sort_kind(sort) else {
            return None;
        };
        let items = self.all_of_sort(items, element)?;
        Some(self.terms.list(sort, &items))
    }

    /// The sort of the first that has one; integers when all are numerals.
    fn common_sort(&self, items: &[Item]) -> Option<Sort> {
        let known = items.iter().find_map(|item| match item {
            Item::Term(term) => Some(self.terms.sort_of(*term)),
            Item::Number(_) => None,
        });
        known.or((!items.is_empty()).then_some(Sort::INT))
    }

    fn all_of_sort(&mut self, items: &[Item], sort: Sort) -> Option<Vec<Term>> {
        items.iter().map(|item| self.of_sort(item, sort)).collect()
    }

    fn of_sort(&mut self, item: &Item, sort: Sort) -> Option<Term> {
        let number = match item {
            Item::Term(term) => return (self.terms.sort_of(*term) == sort).then_some(*term),
            Item::Number(number) => number,
        };
        let value = match self.terms.sort_kind(sort) {
            SortKind::Real => Value::Real(number.clone()),
            SortKind::Int if number.is_integer() => Value::Int(number.to_integer()),
            SortKind::Uninterpreted(_) if number.is_integer() => {
                self.symbols.atom(self.terms, sort, number.numer())
            }
            _ => return None,
        };
        Some(self.terms.constant(value))
    }

    /// A sort as solvers print it; only needed for empty lists of unknown sort.
    fn sort(&mut self, at: At) -> Option<Sort> {
        let sexprs = self.sexprs;
        match sexprs.word(at) {
            Some("Bool") => Some(Sort::BOOL),
            Some("Int") => Some(Sort::INT),
            Some("Real") => Some(Sort::REAL),
            Some("String") => Some(Sort::STRING),
            Some(word) => match self.symbols.meaning(word) {
                // In process, Z3 calls a record sort by the name of its constructor.
                Some(Meaning::Sort(sort) | Meaning::Record(sort)) => Some(sort),
                _ => None,
            },
            None => None,
        }
    }
}

/// A value computed from numerals alone: `(- 5)`, `(/ 1.0 3.0)`.
fn arithmetic_on_numbers(word: &str, items: &[Item]) -> Option<BigRational> {
    let numbers = items
        .iter()
        .map(|item| match item {
            Item::Number(number) => Some(number),
            Item::Term(_) => None,
        })
        .collect::<Option<Vec<&BigRational>>>()?;
    match (word, &numbers[..]) {
        ("-", [number]) => Some(-*number),
        ("to_real", [number]) => Some((*number).clone()),
        ("-", [left, right]) => Some(*left - *right),
        ("+", [_, ..]) => Some(numbers.into_iter().sum()),
        ("*", [_, ..]) => Some(numbers.into_iter().product()),
        ("/", [left, right]) if !right.is_zero() => Some(*left / *right),
        _ => None,
    }
}

/// A numeral or decimal.
pub(crate) fn number(text: &str) -> Option<BigRational> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    let numerator: BigInt = format!("{whole}{fraction}").parse().ok()?;
    Some(BigRational::new(numerator, scale))
}
