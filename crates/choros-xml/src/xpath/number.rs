//! Numbers of XPath as terms.
//!
//! XPath has one kind of numbers, the data language two, and no way from a variable of one to the other.
//! A quotient of an integer by a literal still is a term: it is kept as an integer term over a positive denominator,
//! and denominators go away when two numbers are compared.

use choros_data::{Op, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::ast::Arithmetic;

#[derive(Debug, Clone)]
pub(super) enum Number {
    Literal(BigRational),
    /// A term of sort Int over a positive denominator.
    Int(Term, BigInt),
    /// A term of sort Real.
    Real(Term),
}

/// The two sorts of numbers meet, or a quotient of integers is needed: what that is, in words.
pub(super) type Misfit = &'static str;

const MIXED: Misfit = "arithmetic between an integer and a decimal that are both unknown";

impl Number {
    /// A term of either sort as a number.
    pub(super) fn of(terms: &Terms, term: Term) -> Option<Number> {
        match terms.value(term) {
            Some(Value::Int(value)) => {
                return Some(Number::Literal(BigRational::from_integer(value.clone())));
            }
            Some(Value::Real(value)) => return Some(Number::Literal(value.clone())),
            _ => {}
        }
        match terms.sort_of(term) {
            Sort::INT => Some(Number::Int(term, BigInt::one())),
            Sort::REAL => Some(Number::Real(term)),
            _ => None,
        }
    }

    /// The number as a term of a sort.
    pub(super) fn term(&self, terms: &mut Terms, sort: Sort) -> Result<Term, Misfit> {
        match (self, sort) {
            (Number::Literal(value), Sort::REAL) => Ok(terms.constant(Value::Real(value.clone()))),
            (Number::Literal(value), _) if value.is_integer() => {
                Ok(terms.constant(Value::Int(value.to_integer())))
            }
            (Number::Literal(_), _) => Err("a fraction as an integer"),
            (Number::Int(term, denominator), Sort::INT) if denominator.is_one() => Ok(*term),
            (Number::Int(..), Sort::INT) => Err("a quotient of integers as an integer"),
            (Number::Real(term), Sort::REAL) => Ok(*term),
            (Number::Int(..), _) => Err("an unknown integer as a decimal"),
            (Number::Real(_), _) => Err("an unknown decimal as an integer"),
        }
    }

    /// `-self`.
    pub(super) fn negate(&self, terms: &mut Terms) -> Number {
        match self {
            Number::Literal(value) => Number::Literal(-value),
            Number::Int(term, denominator) => Number::Int(terms.negate(*term), denominator.clone()),
            Number::Real(term) => Number::Real(terms.negate(*term)),
        }
    }

    /// Numerator and denominator, when it is made of integers.
    fn fraction(&self, terms: &mut Terms) -> Option<(Term, BigInt)> {
        match self {
            Number::Literal(value) => {
                let numerator = terms.constant(Value::Int(value.numer().clone()));
                Some((numerator, value.denom().clone()))
            }
            Number::Int(term, denominator) => Some((*term, denominator.clone())),
            Number::Real(_) => None,
        }
    }

    /// Both as terms of sort Real.
    fn reals(&self, terms: &mut Terms, other: &Number) -> Result<(Term, Term), Misfit> {
        match (self.term(terms, Sort::REAL), other.term(terms, Sort::REAL)) {
            (Ok(left), Ok(right)) => Ok((left, right)),
            _ => Err(MIXED),
        }
    }

    /// `self op other`.
    pub(super) fn compare(
        &self,
        terms: &mut Terms,
        op: Op,
        other: &Number,
    ) -> Result<Term, Misfit> {
        if let (Number::Literal(left), Number::Literal(right)) = (self, other) {
            let holds = match op {
                Op::Equal => left == right,
                Op::NotEqual => left != right,
                Op::Less => left < right,
                Op::LessEqual => left <= right,
                Op::Greater => left > right,
                _ => left >= right,
            };
            return Ok(terms.bool(holds));
        }
        if let (Some((left, below)), Some((right, under))) =
            (self.fraction(terms), other.fraction(terms))
        {
            let left = scaled(terms, left, &under);
            let right = scaled(terms, right, &below);
            return Ok(terms.compare(op, left, right));
        }
        let (left, right) = self.reals(terms, other)?;
        Ok(terms.compare(op, left, right))
    }

    /// Sum, difference, product, quotient or remainder.
    pub(super) fn arithmetic(
        &self,
        terms: &mut Terms,
        op: Arithmetic,
        other: &Number,
    ) -> Result<Number, Misfit> {
        match op {
            Arithmetic::Divide => return self.divide(terms, other),
            Arithmetic::Modulo => return self.modulo(terms, other),
            _ => {}
        }
        if let (Number::Literal(left), Number::Literal(right)) = (self, other) {
            return Ok(Number::Literal(match op {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                _ => left * right,
            }));
        }
        if let (Some((left, below)), Some((right, under))) =
            (self.fraction(terms), other.fraction(terms))
        {
            if op == Arithmetic::Multiply {
                let product = terms.arithmetic(Op::Multiply, left, right);
                return Ok(Number::Int(product, below * under));
            }
            let common = below.lcm(&under);
            let left = scaled(terms, left, &(&common / &below));
            let right = scaled(terms, right, &(&common / &under));
            let op = match op {
                Arithmetic::Add => Op::Add,
                _ => Op::Subtract,
            };
            return Ok(Number::Int(terms.arithmetic(op, left, right), common));
        }
        let (left, right) = self.reals(terms, other)?;
        let op = match op {
            Arithmetic::Add => Op::Add,
            Arithmetic::Subtract => Op::Subtract,
            _ => Op::Multiply,
        };
        Ok(Number::Real(terms.arithmetic(op, left, right)))
    }

    fn divide(&self, terms: &mut Terms, other: &Number) -> Result<Number, Misfit> {
        match (self, other) {
            (_, Number::Literal(divisor)) if !divisor.is_zero() => match self {
                Number::Literal(value) => Ok(Number::Literal(value / divisor)),
                Number::Int(term, denominator) => {
                    let factor = divisor.denom() * divisor.numer().signum();
                    let term = scaled(terms, *term, &factor);
                    Ok(Number::Int(term, denominator * divisor.numer().abs()))
                }
                Number::Real(term) => {
                    let divisor = terms.constant(Value::Real(divisor.clone()));
                    Ok(Number::Real(terms.arithmetic(Op::Divide, *term, divisor)))
                }
            },
            _ => {
                let (left, right) = self
                    .reals(terms, other)
                    .map_err(|_| "a quotient of integers that are both unknown")?;
                Ok(Number::Real(terms.arithmetic(Op::Divide, left, right)))
            }
        }
    }

    /// The remainder of truncation, from the Euclidean one: it has the sign of the dividend.
    fn modulo(&self, terms: &mut Terms, other: &Number) -> Result<Number, Misfit> {
        if let (Number::Literal(left), Number::Literal(right)) = (self, other)
            && !right.is_zero()
        {
            return Ok(Number::Literal(left - (left / right).trunc() * right));
        }
        let integers = (self.term(terms, Sort::INT), other.term(terms, Sort::INT));
        let (Ok(left), Ok(right)) = integers else {
            return Err("a remainder of other than integers");
        };
        let zero = terms.int(0);
        let is_positive = terms.compare(Op::GreaterEqual, left, zero);
        let direct = terms.arithmetic(Op::Modulo, left, right);
        let negated = terms.negate(left);
        let mirrored = terms.arithmetic(Op::Modulo, negated, right);
        let mirrored = terms.negate(mirrored);
        let remainder = terms.if_then_else(is_positive, direct, mirrored);
        Ok(Number::Int(remainder, BigInt::one()))
    }

    /// The greatest integer that is not greater.
    pub(super) fn floor(&self, terms: &mut Terms) -> Result<Number, Misfit> {
        match self {
            Number::Literal(value) => Ok(Number::Literal(value.floor())),
            Number::Int(_, denominator) if denominator.is_one() => Ok(self.clone()),
            Number::Int(term, denominator) => {
                // With a positive divisor, Euclid rounds down.
                let divisor = terms.constant(Value::Int(denominator.clone()));
                let quotient = terms.arithmetic(Op::IntegerDivide, *term, divisor);
                Ok(Number::Int(quotient, BigInt::one()))
            }
            Number::Real(_) => Err("rounding of an unknown decimal"),
        }
    }
}

fn scaled(terms: &mut Terms, term: Term, factor: &BigInt) -> Term {
    if factor.is_one() {
        return term;
    }
    if let Some(Value::Int(value)) = terms.value(term) {
        let value = value * factor;
        return terms.constant(Value::Int(value));
    }
    let factor = terms.constant(Value::Int(factor.clone()));
    terms.arithmetic(Op::Multiply, factor, term)
}
