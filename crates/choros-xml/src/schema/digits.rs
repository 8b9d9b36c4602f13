//! Digits after the point, which formulas leave out: what a value that has too many shows about all others.
//!
//! No number with at most *n* digits after the point lies between two neighbours with *n* digits.
//! So where a solver finds a value with more, it is told that the number is at most the one neighbour or at least the
//! other, and asked again.
//! Between the two, all numbers have as many digits before the point, because powers of ten are neighbours themselves;
//! so a bound on all digits says how many there may be after the point.

use choros_data::{Op, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::formula::field_at;
use super::types::{Content, Shape, TypeId};
use super::{Facets, Schema};

impl Schema {
    /// What a value of the type's sort shows about digits; nothing of values in lists.
    pub fn neighbours(
        &self,
        terms: &mut Terms,
        id: TypeId,
        subject: Term,
        value: &Value,
    ) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = vec![(id, subject, value)];
        while let Some((id, subject, value)) = open.pop() {
            match (&self.get(id).shape, value) {
                (Shape::Simple(simple), value) => {
                    found.extend(simple.facets.neighbours(terms, subject, value));
                }
                (Shape::Complex(complex), Value::Record { fields: values, .. }) => {
                    for attribute in complex.attributes.iter().filter(|it| it.is_required) {
                        let part = field_at(terms, subject, attribute.position);
                        open.push((attribute.holds, part, &values[attribute.position]));
                    }
                    match &complex.content {
                        Content::Text(simple) => {
                            let position = complex.attributes.len();
                            let part = field_at(terms, subject, position);
                            let facets = &simple.facets;
                            found.extend(facets.neighbours(terms, part, &values[position]));
                        }
                        Content::Elements { fields, .. } => {
                            for field in fields.iter().filter(|it| !it.is_list) {
                                let part = field_at(terms, subject, field.position);
                                open.push((field.holds, part, &values[field.position]));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }
}

impl Facets {
    /// That a number is at most the one neighbour of a value with too many digits, or at least the other.
    fn neighbours(&self, terms: &mut Terms, subject: Term, value: &Value) -> Option<Term> {
        let Value::Real(number) = value else {
            return None;
        };
        let mut whole = number.abs().to_integer();
        let mut before = 0;
        while whole.is_positive() {
            whole /= 10;
            before += 1;
        }
        let by_total = self.total_digits.map(|most| most.saturating_sub(before));
        let places = match (self.fraction_digits, by_total) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        let scale = BigRational::from_integer(BigInt::from(10u8).pow(places));
        let scaled = number * &scale;
        if scaled.is_integer() {
            return None;
        }
        let below = scaled.floor();
        let above = (&below + BigRational::one()) / &scale;
        let below = terms.constant(Value::Real(below / scale));
        let above = terms.constant(Value::Real(above));
        let below = terms.compare(Op::LessEqual, subject, below);
        let above = terms.compare(Op::GreaterEqual, subject, above);
        Some(terms.or([below, above]))
    }
}
