//! Exact numbers with fractions.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::network::Failure;

/// A fraction, as exact as the model's numbers: a third times three is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Real {
    // In lowest terms, and the denominator is positive.
    numerator: i128,
    denominator: i128,
}

impl Real {
    /// The fraction of two numbers; there is none with denominator 0.
    pub fn new(numerator: i128, denominator: i128) -> Result<Real, Failure> {
        if denominator == 0 {
            return Err(Failure::Number("a fraction has denominator 0"));
        }
        let divisor = gcd(numerator, denominator)? * denominator.signum();
        Ok(Real {
            numerator: numerator.checked_div(divisor).ok_or_else(too_large)?,
            denominator: denominator.checked_div(divisor).ok_or_else(too_large)?,
        })
    }

    /// The number above the bar; the fraction is in lowest terms.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The number below the bar, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The sum.
    pub fn plus(self, other: Real) -> Result<Real, Failure> {
        let common = gcd(self.denominator, other.denominator)?;
        let (own, its) = (self.denominator / common, other.denominator / common);
        let above = times(self.numerator, its)?.checked_add(times(other.numerator, own)?);
        Real::new(above.ok_or_else(too_large)?, times(self.denominator, its)?)
    }

    /// The difference.
    pub fn minus(self, other: Real) -> Result<Real, Failure> {
        self.plus(other.negative()?)
    }

    /// The product.
    pub fn times(self, other: Real) -> Result<Real, Failure> {
        let left = Real::new(self.numerator, other.denominator)?;
        let right = Real::new(other.numerator, self.denominator)?;
        let above = times(left.numerator, right.numerator)?;
        Real::new(above, times(left.denominator, right.denominator)?)
    }

    /// The quotient, and 0 where the divisor is 0: the conditions of a model see to it that it is not.
    pub fn divided_by(self, divisor: Real) -> Result<Real, Failure> {
        if divisor.numerator == 0 {
            return Ok(Real::default());
        }
        self.times(Real::new(divisor.denominator, divisor.numerator)?)
    }

    /// The number with the other sign.
    pub fn negative(self) -> Result<Real, Failure> {
        let numerator = self.numerator.checked_neg().ok_or_else(too_large)?;
        Ok(Real { numerator, ..self })
    }
}

impl Default for Real {
    fn default() -> Real {
        Real::from(0)
    }
}

impl From<i64> for Real {
    fn from(number: i64) -> Real {
        Real {
            numerator: number.into(),
            denominator: 1,
        }
    }
}

/// `12`, `-1.5` or `61/5`.
impl FromStr for Real {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Real, Failure> {
        let wrong = || Failure::Number("a text is not a number, or too large a one");
        let whole = |text: &str| text.parse::<i128>().map_err(|_| wrong());
        if let Some((above, below)) = text.split_once('/') {
            return Real::new(whole(above)?, whole(below)?);
        }
        let Some((above, places)) = text.split_once('.') else {
            return Real::new(whole(text)?, 1);
        };
        if !places.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(wrong());
        }
        let count = u32::try_from(places.len()).map_err(|_| wrong())?;
        let scale = 10_i128.checked_pow(count).ok_or_else(wrong)?;
        Real::new(whole(&format!("{above}{places}"))?, scale)
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        // By whole parts, and then by what is left turned upside down, so that nothing is too large.
        let (mut left, mut right) = (*self, *other);
        loop {
            let (own, its) = (
                left.numerator.div_euclid(left.denominator),
                right.numerator.div_euclid(right.denominator),
            );
            if own != its {
                return own.cmp(&its);
            }
            let rest = |it: Real| it.numerator.rem_euclid(it.denominator);
            match (rest(left), rest(right)) {
                (0, 0) => return Ordering::Equal,
                (0, _) => return Ordering::Less,
                (_, 0) => return Ordering::Greater,
                (above, below) => {
                    let turned = |numerator, denominator| Real { numerator, denominator };
                    (left, right) = (turned(right.denominator, below), turned(left.denominator, above));
                }
            }
        }
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Real {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(out, "{}", self.numerator),
            denominator => write!(out, "{}/{denominator}", self.numerator),
        }
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

fn too_large() -> Failure {
    Failure::Number("a number is too large to be exact")
}

fn times(one: i128, other: i128) -> Result<i128, Failure> {
    one.checked_mul(other).ok_or_else(too_large)
}

fn gcd(one: i128, other: i128) -> Result<i128, Failure> {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    i128::try_from(one).map_err(|_| too_large())
}
