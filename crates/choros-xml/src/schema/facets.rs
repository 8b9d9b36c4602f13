//! Facets: what the values of a simple type obey.

use choros_data::{Op, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::Pattern;
use super::simple::decimal_text;

/// What values obey beyond their sort.
///
/// A restriction narrows what is there: bounds only come closer, enumerations only lose values.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    /// The values that are allowed, if they are listed.
    pub enumeration: Option<Vec<Value>>,
    /// The lower bound, and whether it is itself allowed.
    pub low: Option<(BigRational, bool)>,
    /// The upper bound, and whether it is itself allowed.
    pub high: Option<(BigRational, bool)>,
    /// The least number of characters.
    pub min_length: Option<u64>,
    /// The greatest number of characters.
    pub max_length: Option<u64>,
    /// The greatest number of digits.
    pub total_digits: Option<u32>,
    /// The greatest number of digits after the point.
    pub fraction_digits: Option<u32>,
    /// Regular expressions, which hold together, and what no value is held against; expressions with few words are in
    /// the enumeration as well.
    pub patterns: Vec<Pattern>,
}

impl Facets {
    /// Narrows the lower bound.
    pub(super) fn above(&mut self, bound: BigRational, is_allowed: bool) {
        let is_closer = self.low.as_ref().is_none_or(|(old, old_allowed)| {
            bound > *old || bound == *old && *old_allowed && !is_allowed
        });
        if is_closer {
            self.low = Some((bound, is_allowed));
        }
    }

    /// Narrows the upper bound.
    pub(super) fn below(&mut self, bound: BigRational, is_allowed: bool) {
        let is_closer = self.high.as_ref().is_none_or(|(old, old_allowed)| {
            bound < *old || bound == *old && *old_allowed && !is_allowed
        });
        if is_closer {
            self.high = Some((bound, is_allowed));
        }
    }

    /// What is wrong with a value, if anything.
    pub fn violation(&self, value: &Value) -> Option<String> {
        if let Some(allowed) = &self.enumeration
            && !allowed.contains(value)
        {
            return Some("it is none of the values listed in the schema".to_owned());
        }
        if let Value::String(text) = value
            && let Some(pattern) = self
                .patterns
                .iter()
                .find(|it| it.matches(text) == Some(false))
        {
            return Some(format!(
                "`{text}` does not match the pattern `{}`",
                pattern.texts.join("|")
            ));
        }
        let number = match value {
            Value::Int(value) => Some(BigRational::from_integer(value.clone())),
            Value::Real(value) => Some(value.clone()),
            _ => None,
        };
        if let Some(number) = number {
            self.number_violation(&number)
        } else if let Value::String(text) = value {
            let length = text.chars().count() as u64;
            match (self.min_length, self.max_length) {
                (Some(min), _) if length < min => {
                    Some(format!("{length} characters are fewer than {min}"))
                }
                (_, Some(max)) if length > max => {
                    Some(format!("{length} characters are more than {max}"))
                }
                _ => None,
            }
        } else {
            None
        }
    }

    fn number_violation(&self, number: &BigRational) -> Option<String> {
        if let Some((low, is_allowed)) = &self.low
            && (number < low || number == low && !is_allowed)
        {
            return Some(format!("it is too small: the bound is {low}"));
        }
        if let Some((high, is_allowed)) = &self.high
            && (number > high || number == high && !is_allowed)
        {
            return Some(format!("it is too large: the bound is {high}"));
        }
        if self.total_digits.is_none() && self.fraction_digits.is_none() {
            return None;
        }
        let text = decimal_text(&number.abs())?;
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let whole = whole.trim_start_matches('0').len();
        match (self.total_digits, self.fraction_digits) {
            (Some(most), _) if whole + fraction.len() > most as usize => {
                Some(format!("it has more than {most} digits"))
            }
            (_, Some(most)) if fraction.len() > most as usize => {
                Some(format!("it has more than {most} digits after the point"))
            }
            _ => None,
        }
    }

    /// The formula that says so of a term; digits after the point are not in it.
    pub fn formula(&self, terms: &mut Terms, subject: Term) -> Term {
        let mut parts = Vec::new();
        if let Some(allowed) = &self.enumeration {
            let equal: Vec<Term> = allowed
                .iter()
                .map(|value| {
                    let value = terms.constant(value.clone());
                    terms.equal(subject, value)
                })
                .collect();
            parts.push(terms.or(equal));
        }
        let sort = terms.sort_of(subject);
        if sort.is_number() {
            for (bound, op, strict) in [
                (&self.low, Op::GreaterEqual, Op::Greater),
                (&self.high, Op::LessEqual, Op::Less),
            ] {
                if let Some((value, is_allowed)) = bound {
                    let op = if *is_allowed { op } else { strict };
                    parts.push(bounded(terms, subject, sort, op, value));
                }
            }
            // As many before the point at most; those after it are another matter.
            if let Some(digits) = self.total_digits {
                let most = BigRational::from_integer(BigInt::from(10u8).pow(digits));
                parts.push(bounded(terms, subject, sort, Op::Less, &most));
                parts.push(bounded(terms, subject, sort, Op::Greater, &-most));
            }
        }
        // Words of a short list stand in the enumeration.
        let endless = self.patterns.iter().filter(|it| it.words().is_none());
        if sort == Sort::STRING {
            for expression in endless.filter_map(Pattern::expression) {
                parts.push(terms.matches(subject, expression));
            }
        }
        if sort == Sort::STRING && (self.min_length, self.max_length) != (None, None) {
            let length = terms.length(subject);
            for (bound, op) in [
                (self.min_length, Op::GreaterEqual),
                (self.max_length, Op::LessEqual),
            ] {
                // Every length is at least 0.
                if let Some(bound) = bound.filter(|&it| it > 0 || op == Op::LessEqual) {
                    let bound = terms.constant(Value::int(bound));
                    parts.push(terms.compare(op, length, bound));
                }
            }
        }
        terms.and(parts)
    }
}

/// `subject op bound`; for integers the bound is rounded to the side where it excludes the same integers.
fn bounded(terms: &mut Terms, subject: Term, sort: Sort, op: Op, bound: &BigRational) -> Term {
    let bound = match (sort, op) {
        (Sort::INT, Op::GreaterEqual | Op::Less) => Value::Int(bound.ceil().to_integer()),
        (Sort::INT, _) => Value::Int(bound.floor().to_integer()),
        _ => Value::Real(bound.clone()),
    };
    let bound = terms.constant(bound);
    terms.compare(op, subject, bound)
}

/// Whether a rational is an integer that fits.
pub(super) fn count(value: &BigRational) -> Option<u64> {
    if !value.is_integer() || value.is_negative() {
        return None;
    }
    let (_, digits) = value.to_integer().to_u64_digits();
    match digits[..] {
        [] if value.is_zero() => Some(0),
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_come_closer() {
        let number = |value: i64| BigRational::from_integer(value.into());
        let mut facets = Facets::default();
        facets.above(number(0), true);
        facets.above(number(-5), true);
        assert_eq!(facets.low, Some((number(0), true)));
        facets.above(number(0), false);
        assert_eq!(facets.low, Some((number(0), false)));
        facets.below(number(7), true);
        facets.below(number(9), false);
        assert_eq!(facets.high, Some((number(7), true)));
    }

    #[test]
    fn digits_are_counted_without_leading_zeros() {
        let facets = Facets {
            total_digits: Some(3),
            fraction_digits: Some(2),
            ..Facets::default()
        };
        let real = |a: i64, b: i64| Value::Real(BigRational::new(a.into(), b.into()));
        assert_eq!(facets.violation(&real(-1, 4)), None);
        assert_eq!(facets.violation(&real(999, 1)), None);
        assert!(facets.violation(&real(1000, 1)).is_some());
        assert!(facets.violation(&real(1, 8)).is_some());
    }
}
