//! Exact numbers that are quick when they are small.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// A rational number.
///
/// Most numbers of most logs fit into 64 bits; the others are as exact, and slower.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(Form);

/// What fits into 64 bits is always `Small`, so that equal numbers have equal forms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Form {
    Small(i64),
    Exact(Box<BigRational>),
}

/// A text that is not a number, or one that is too costly to compute with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotANumber {
    /// It does not have the form of one.
    Form,
    /// More digits, or a larger exponent, than are read.
    TooLong,
}

impl NotANumber {
    /// What to say of one that is too long.
    pub const TOO_LONG: &str = "a number has more than 10000 digits or an exponent beyond 1000";
}

/// Reading a number takes time in the square of its length.
const MAX_DIGITS: usize = 10_000;
/// Exponents beyond this would make numbers with millions of digits from a few characters.
const MAX_EXPONENT: u64 = 1_000;

impl Number {
    /// Reads `3`, `-4.96`, `1.5e3`.
    pub fn parse(text: &str) -> Result<Number, NotANumber> {
        let bytes = text.as_bytes();
        let (negative, digits) = match bytes.first() {
            Some(b'-') => (true, &bytes[1..]),
            _ => (false, bytes),
        };
        if (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) {
            let value = digits
                .iter()
                .fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            return Ok(Number(Form::Small(if negative { -value } else { value })));
        }
        Self::parse_slowly(text)
    }

    /// Whether JSON has a number of this form (RFC 8259), whatever its size.
    pub fn is_json(text: &str) -> bool {
        let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
        let has_form = !matches!(Number::parse(text), Err(NotANumber::Form));
        has_form && !matches!(digits, [b'0', b'0'..=b'9', ..])
    }

    fn parse_slowly(text: &str) -> Result<Number, NotANumber> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(position) => (&text[..position], &text[position + 1..]),
            None => (text, "0"),
        };
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let has_fraction = mantissa.contains('.');
        let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if !is_digits(whole)
            || (has_fraction && !is_digits(fraction))
            || !is_digits(exponent_digits)
        {
            return Err(NotANumber::Form);
        }
        if whole.len() + fraction.len() > MAX_DIGITS || exponent_digits.len() > 18 {
            return Err(NotANumber::TooLong);
        }
        let exponent: i64 = exponent.parse().map_err(|_| NotANumber::TooLong)?;
        let numerator: BigInt = format!("{whole}{fraction}")
            .parse()
            .map_err(|_| NotANumber::Form)?;
        let numerator = if negative { -numerator } else { numerator };
        let scale = exponent - i64::try_from(fraction.len()).unwrap_or(0);
        let power = usize::try_from(scale.unsigned_abs()).unwrap_or(usize::MAX);
        if exponent.unsigned_abs() > MAX_EXPONENT {
            // Zero is zero, however it is written.
            return if numerator.is_zero() {
                Ok(Number::from(0))
            } else {
                Err(NotANumber::TooLong)
            };
        }
        let ten = Pow::pow(BigInt::from(10), power);
        let value = if scale < 0 {
            BigRational::new(numerator, ten)
        } else {
            BigRational::from_integer(numerator * ten)
        };
        Ok(Number::from(value))
    }

    /// The number as a rational.
    pub fn rational(&self) -> BigRational {
        match &self.0 {
            Form::Small(value) => BigRational::from_integer(BigInt::from(*value)),
            Form::Exact(value) => (**value).clone(),
        }
    }

    /// The number, if it is whole and fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Form::Small(value) => Some(value),
            Form::Exact(_) => None,
        }
    }

    /// Whether it has no fraction.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Form::Small(_) => true,
            Form::Exact(value) => value.is_integer(),
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Number) -> Number {
        self.both(other, i64::checked_add, |left, right| left + right)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Number) -> Number {
        self.both(other, i64::checked_sub, |left, right| left - right)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Number) -> Number {
        self.both(other, i64::checked_mul, |left, right| left * right)
    }

    /// The exact quotient; none by zero.
    pub fn divided_by(&self, other: &Number) -> Option<Number> {
        match (&self.0, &other.0) {
            (_, Form::Small(0)) => None,
            (Form::Small(left), Form::Small(right)) if left.checked_rem(*right) == Some(0) => {
                Some(Number(Form::Small(left / right)))
            }
            _ => Some(Number::from(self.rational() / other.rational())),
        }
    }

    /// Quotient and remainder of whole numbers, the remainder not negative; none by zero.
    pub fn euclidean(&self, other: &Number) -> Option<(Number, Number)> {
        if !self.is_whole() || !other.is_whole() || *other == Number::from(0) {
            return None;
        }
        if let (Some(left), Some(right)) = (self.to_i64(), other.to_i64())
            && let (Some(quotient), Some(remainder)) = (
                left.checked_div_euclid(right),
                left.checked_rem_euclid(right),
            )
        {
            return Some((Number::from(quotient), Number::from(remainder)));
        }
        let (left, right) = (self.rational().to_integer(), other.rational().to_integer());
        let (quotient, remainder) = left.div_mod_floor(&right);
        let (quotient, remainder) = if remainder.is_negative() {
            (quotient + 1, remainder - right)
        } else {
            (quotient, remainder)
        };
        let number = |value| Number::from(BigRational::from_integer(value));
        Some((number(quotient), number(remainder)))
    }

    fn both(
        &self,
        other: &Number,
        small: fn(i64, i64) -> Option<i64>,
        exact: fn(BigRational, BigRational) -> BigRational,
    ) -> Number {
        if let (Form::Small(left), Form::Small(right)) = (&self.0, &other.0)
            && let Some(value) = small(*left, *right)
        {
            return Number(Form::Small(value));
        }
        Number::from(exact(self.rational(), other.rational()))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number(Form::Small(value))
    }
}

impl From<BigRational> for Number {
    fn from(value: BigRational) -> Self {
        match value.is_integer().then(|| value.numer().to_i64()).flatten() {
            Some(small) => Number(Form::Small(small)),
            None => Number(Form::Exact(Box::new(value))),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(left), Form::Small(right)) => left.cmp(right),
            _ => self.rational().cmp(&other.rational()),
        }
    }
}

impl fmt::Display for Number {
    /// As JSON has it where it has an end: `4.96`; otherwise as a quotient: `1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match &self.0 {
            Form::Small(value) => return write!(f, "{value}"),
            Form::Exact(value) => value,
        };
        if value.is_integer() {
            return write!(f, "{}", value.numer());
        }
        let Some(places) = decimal_places(value.denom()) else {
            return write!(f, "{}/{}", value.numer(), value.denom());
        };
        let scaled = value.numer().abs() * Pow::pow(BigInt::from(10), places) / value.denom();
        let digits = format!("{scaled:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        let sign = if value.is_negative() { "-" } else { "" };
        write!(f, "{sign}{whole}.{fraction}")
    }
}

/// How many digits after the point a fraction with this denominator has, if finitely many.
fn decimal_places(denominator: &BigInt) -> Option<usize> {
    let (mut rest, mut twos, mut fives) = (denominator.clone(), 0usize, 0usize);
    for (factor, count) in [(2, &mut twos), (5, &mut fives)] {
        let factor = BigInt::from(factor);
        while !rest.is_one() && (&rest % &factor).is_zero() && *count <= 4 * MAX_DIGITS {
            rest /= &factor;
            *count += 1;
        }
    }
    rest.is_one().then(|| twos.max(fives))
}

#[cfg(test)]
mod tests {
    use super::{NotANumber, Number};
    use proptest::prelude::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(number("4.96").times(&number("3")).to_string(), "14.88");
        assert_eq!(number("1.5e3"), Number::from(1500));
        assert_eq!(number("-0.50").to_string(), "-0.5");
        assert_eq!(
            number("1").divided_by(&number("3")).unwrap().to_string(),
            "1/3"
        );
        assert_eq!(number("1").divided_by(&number("0")), None);
    }

    #[test]
    fn large_numbers_do_not_overflow() {
        let large = Number::from(i64::MAX);
        assert_eq!(
            large.plus(&Number::from(1)).to_string(),
            "9223372036854775808"
        );
        assert_eq!(large.plus(&Number::from(1)).minus(&Number::from(1)), large);
        assert_eq!(
            Number::from(i64::MIN)
                .divided_by(&Number::from(-1))
                .unwrap()
                .to_string(),
            "9223372036854775808"
        );
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "", "-", "1.", ".5", "0x1", "1e", "1e+", "NaN", "+1", "1_0", "--1",
        ] {
            assert_eq!(Number::parse(text), Err(NotANumber::Form), "{text}");
        }
    }

    #[test]
    fn size_is_no_matter_and_cost_is() {
        let large = format!("1{}", "0".repeat(400));
        for text in ["1e400", "1E+400", "10.0e399", &large] {
            assert_eq!(number(text).to_string(), large);
        }
        assert_eq!(number("1e-400").times(&number("1e400")), Number::from(1));
        assert_eq!(number("0e999999999"), Number::from(0));
        for text in [
            "1e9999",
            "1e999999999",
            "-1e-999999999",
            "1e99999999999999999999",
        ] {
            assert_eq!(Number::parse(text), Err(NotANumber::TooLong));
            assert!(Number::is_json(text));
        }
        assert_eq!(Number::parse(&"9".repeat(10_001)), Err(NotANumber::TooLong));
        for (text, expected) in [
            ("0", true),
            ("-0.5", true),
            ("007", false),
            ("-01", false),
            ("1.", false),
        ] {
            assert_eq!(Number::is_json(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn small_and_exact_arithmetic_agree(left: i64, right: i64) {
            let (small_left, small_right) = (Number::from(left), Number::from(right));
            let (a, b) = (small_left.rational(), small_right.rational());
            prop_assert_eq!(small_left.plus(&small_right).rational(), &a + &b);
            prop_assert_eq!(small_left.minus(&small_right).rational(), &a - &b);
            prop_assert_eq!(small_left.times(&small_right).rational(), &a * &b);
            prop_assert_eq!(small_left.cmp(&small_right), a.cmp(&b));
            if right != 0 {
                prop_assert_eq!(small_left.divided_by(&small_right).unwrap().rational(), &a / &b);
                let (quotient, remainder) = small_left.euclidean(&small_right).unwrap();
                prop_assert_eq!(quotient.times(&small_right).plus(&remainder), small_left);
                prop_assert!(remainder >= Number::from(0));
            }
        }

        #[test]
        fn printing_and_reading_are_inverse(numerator: i64, places in 0u32..12) {
            let value = Number::from(numerator).divided_by(&Number::from(10i64.pow(places))).unwrap();
            prop_assert_eq!(Number::parse(&value.to_string()).unwrap(), value);
        }
    }
}
