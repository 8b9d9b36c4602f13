//! Data of formulas as terms: literals, equality, comparisons.
//!
//! A literal is the value of the sort that is printed so; where there is none it equals nothing.

use choros_base::{Name, Names};
use choros_data::{Op, Sort, SortKind, Term, Terms, Value, Var};
use choros_query::socl::{Comparison, ComparisonOp, Expression, Operand, Variable};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::flaw::Flaw;

/// A datum of an action, or what a correlation variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Datum {
    /// A text of a rule or a formula.
    Text(Name),
    Term(Term),
}

/// What the correlation variables are.
pub(super) type Environment = Vec<(Variable, Datum)>;

pub(super) fn datum_of(environment: &Environment, variable: Variable) -> Option<Datum> {
    let mut known = environment.iter().rev();
    known.find(|it| it.0 == variable).map(|it| it.1)
}

/// What a field of a correlation variable is, or a field of a field: `id.part`.
pub(super) fn part_of(
    environment: &Environment,
    variable: Variable,
    path: &str,
    terms: &mut Terms,
) -> Result<Term, Flaw> {
    let mut found = match datum_of(environment, variable) {
        Some(Datum::Term(term)) => Some(term),
        Some(Datum::Text(_)) | None => None,
    };
    for label in path.split('.') {
        let field = terms.names.intern(label);
        found = found.and_then(|it| terms.field(it, field));
    }
    found.ok_or_else(|| unreadable(format!("the formula reads `{path}` of what has none")))
}

fn unreadable(text: impl Into<String>) -> Flaw {
    Flaw::open(text, None)
}

/// When two data are equal.
pub(super) fn same(
    left: Datum,
    right: Datum,
    names: &Names,
    terms: &mut Terms,
) -> Result<Term, Flaw> {
    match (left, right) {
        (Datum::Text(left), Datum::Text(right)) => Ok(terms.bool(left == right)),
        (Datum::Text(text), Datum::Term(term)) | (Datum::Term(term), Datum::Text(text)) => {
            let value = literal(names.text(text), terms.sort_of(term), terms)?;
            Ok(match value {
                Some(value) => terms.equal(term, value),
                None => Term::FALSE,
            })
        }
        (Datum::Term(left), Datum::Term(right)) => {
            if terms.sort_of(left) != terms.sort_of(right) {
                return Err(unreadable("the formula compares data of different sorts"));
            }
            Ok(terms.equal(left, right))
        }
    }
}

/// The value of a sort that is printed so.
fn literal(text: &str, sort: Sort, terms: &mut Terms) -> Result<Option<Term>, Flaw> {
    let value = match terms.sort_kind(sort) {
        SortKind::Bool => text.parse().ok().map(Value::Bool),
        SortKind::Int => text.parse::<BigInt>().ok().map(Value::Int),
        SortKind::Real => decimal(text).map(Value::Real),
        SortKind::String => Some(Value::text(text)),
        SortKind::Enumeration { constructors, .. } => {
            let named = |it: &Name| terms.names.text(*it) == text;
            let index = constructors.iter().position(named);
            index.map(|index| Value::Constructor {
                sort,
                index: index as u32,
            })
        }
        SortKind::Uninterpreted(_) => {
            let name = terms.names.intern(text);
            Some(Value::Atom { sort, name })
        }
        SortKind::Record(_) | SortKind::List(_) => {
            return Err(unreadable(format!(
                "the formula compares `{text}` with a record or a list"
            )));
        }
    };
    let exact = |value: &Value| match value {
        Value::String(_) => true,
        other => terms.print_value(other) == text,
    };
    let value = value.filter(exact);
    Ok(value.map(|value| terms.constant(value)))
}

/// A number in decimal notation.
fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => (text, ""),
    };
    let places = u32::try_from(fraction.len()).ok()?;
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    Some(BigRational::new(digits, BigInt::from(10).pow(places)))
}

/// Reads comparisons.
pub(super) struct Reading<'a> {
    pub(super) names: &'a Names,
    pub(super) environment: &'a Environment,
    /// The variables of the model, by name.
    pub(super) variables: &'a [Var],
}

/// An operand before its sort is known.
enum Meant<'a> {
    Term(Term),
    Literal { text: &'a str, quoted: bool },
}

impl<'a> Reading<'a> {
    /// When a comparison holds, over variables of the model and what correlation variables are.
    pub(super) fn comparison(
        &self,
        comparison: &Comparison,
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        let sort = self.sort_of(comparison, terms)?;
        let sides = [&comparison.left, &comparison.right];
        let [left, right] = sides.map(|side| self.side(side, sort, terms));
        let op = match comparison.op {
            ComparisonOp::Equal | ComparisonOp::NotEqual => {
                let equal = match (left?, right?) {
                    (Some(left), Some(right)) => terms.equal(left, right),
                    _ => Term::FALSE,
                };
                return Ok(match comparison.op {
                    ComparisonOp::Equal => equal,
                    _ => terms.not(equal),
                });
            }
            ComparisonOp::Less => Op::Less,
            ComparisonOp::LessEqual => Op::LessEqual,
            ComparisonOp::Greater => Op::Greater,
            ComparisonOp::GreaterEqual => Op::GreaterEqual,
        };
        match (left?, right?) {
            (Some(left), Some(right)) if sort.is_number() => Ok(terms.compare(op, left, right)),
            _ => Err(unreadable("the formula orders data that are not numbers")),
        }
    }

    fn meant(&self, operand: &Operand, terms: &mut Terms) -> Result<Meant<'a>, Flaw> {
        match *operand {
            Operand::Quoted(text) => Ok(Meant::Literal {
                text: self.names.text(text),
                quoted: true,
            }),
            Operand::Variable(variable) => match datum_of(self.environment, variable) {
                Some(Datum::Term(term)) => Ok(Meant::Term(term)),
                Some(Datum::Text(text)) => Ok(Meant::Literal {
                    text: self.names.text(text),
                    quoted: false,
                }),
                None => Err(unreadable("the formula reads a variable without a value")),
            },
            Operand::Part(variable, path) => {
                let path = self.names.text(path);
                part_of(self.environment, variable, path, terms).map(Meant::Term)
            }
            Operand::Word(word) => {
                let text = self.names.text(word);
                // `r.id.part` is a part of a record.
                let mut labels = text.split('.');
                let name = labels.next().unwrap_or(text);
                let mut named = self.variables.iter();
                let mut named = named
                    .by_ref()
                    .filter(|&&it| terms.variable_text(it) == name);
                match (named.next().copied(), named.next()) {
                    (None, _) => Ok(Meant::Literal {
                        text,
                        quoted: false,
                    }),
                    (Some(variable), None) => {
                        let mut term = terms.var(variable);
                        for label in labels {
                            let field = terms.names.intern(label);
                            term = terms.field(term, field).ok_or_else(|| {
                                unreadable(format!("`{text}` has no part `{label}`"))
                            })?;
                        }
                        Ok(Meant::Term(term))
                    }
                    (Some(_), Some(_)) => Err(unreadable(format!(
                        "several variables of the model are called `{text}`"
                    ))),
                }
            }
        }
    }

    /// The sort of the operands that are not literals; all have the same, and there is one.
    fn sort_of(&self, comparison: &Comparison, terms: &mut Terms) -> Result<Sort, Flaw> {
        let sides = [&comparison.left, &comparison.right];
        let summands = sides.into_iter().flat_map(|it| &it.summands);
        let mut sort = None;
        for operand in summands.flat_map(|it| &it.factors) {
            let Meant::Term(term) = self.meant(operand, terms)? else {
                continue;
            };
            let own = terms.sort_of(term);
            if sort.is_some_and(|it| it != own) {
                return Err(unreadable("the formula compares data of different sorts"));
            }
            sort = Some(own);
        }
        sort.ok_or_else(|| unreadable("the formula compares nothing but literals"))
    }

    /// One side; nothing for a literal that is not a value of the sort.
    fn side(&self, side: &Expression, sort: Sort, terms: &mut Terms) -> Result<Option<Term>, Flaw> {
        if let [summand] = &side.summands[..]
            && let ([operand], false) = (&summand.factors[..], summand.negative)
        {
            return self.operand(operand, sort, terms);
        }
        if !sort.is_number() {
            return Err(unreadable(
                "the formula computes with data that are not numbers",
            ));
        }
        let mut sum = None;
        for summand in &side.summands {
            let mut product = None;
            for factor in &summand.factors {
                let Some(factor) = self.operand(factor, sort, terms)? else {
                    return Err(unreadable("the formula computes with a text"));
                };
                product = Some(match product {
                    None => factor,
                    Some(before) => terms.arithmetic(Op::Multiply, before, factor),
                });
            }
            let Some(product) = product else { continue };
            sum = Some(match (sum, summand.negative) {
                (None, false) => product,
                (None, true) => terms.negate(product),
                (Some(before), false) => terms.arithmetic(Op::Add, before, product),
                (Some(before), true) => terms.arithmetic(Op::Subtract, before, product),
            });
        }
        Ok(sum)
    }

    fn operand(
        &self,
        operand: &Operand,
        sort: Sort,
        terms: &mut Terms,
    ) -> Result<Option<Term>, Flaw> {
        let (text, quoted) = match self.meant(operand, terms)? {
            Meant::Term(term) => return Ok(Some(term)),
            Meant::Literal { text, quoted } => (text, quoted),
        };
        let value = match sort {
            Sort::REAL => decimal(text).map(|it| terms.constant(Value::Real(it))),
            // A bare word might be a misspelt variable.
            Sort::STRING if !quoted => None,
            sort => literal(text, sort, terms)?,
        };
        // So might whatever has no value.
        if value.is_none() {
            return Err(unreadable(format!(
                "`{text}` is neither a variable of the model nor a value of the other side"
            )));
        }
        Ok(value)
    }
}
