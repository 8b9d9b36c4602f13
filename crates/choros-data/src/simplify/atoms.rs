//! Comparisons of a term with a constant, as sets of values.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::One;

use crate::{Op, Sort, Term, TermKind, Terms, Value};

/// The values that a comparison with a constant allows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Atom {
    /// Numbers between two bounds; whether only integers are meant.
    Between(Bound, Bound, bool),
    /// All numbers but one.
    NotNumber(BigRational),
    /// Just this value (of a sort without numbers).
    Is(Value),
    /// Any but this value.
    IsNot(Value),
}

/// An end of an interval: none, or a number that may belong to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound(Option<(BigRational, bool)>);

/// How two sets of values lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// They share nothing.
    Disjoint,
    /// They share nothing, and together they are everything.
    Complementary,
    /// The first is a subset of the second (or equal to it).
    FirstWithinSecond,
    /// The second is a subset of the first.
    SecondWithinFirst,
    /// Together they are everything.
    CoversAll,
    /// Nothing of that is known.
    Other,
}

impl Terms {
    /// The comparison of a term with a constant on its right.
    pub(super) fn as_atom(&self, term: Term) -> Option<(Term, Atom)> {
        let TermKind::Apply(op, &[subject, constant]) = self.kind(term) else {
            return None;
        };
        let value = self.value(constant)?;
        let number = match value {
            Value::Int(value) => BigRational::from_integer(value.clone()),
            Value::Real(value) => value.clone(),
            other if self.constants_are_distinct(other.sort()) => {
                return match op {
                    Op::Equal => Some((subject, Atom::Is(other.clone()))),
                    Op::NotEqual => Some((subject, Atom::IsNot(other.clone()))),
                    _ => None,
                };
            }
            _ => return None,
        };
        let integral = self.sort_of(subject) == Sort::INT;
        let none = Bound(None);
        let closed = |number: BigRational| Bound(Some((number, true)));
        let one = BigRational::one;
        let atom = match op {
            Op::Equal => Atom::Between(closed(number.clone()), closed(number), integral),
            Op::NotEqual => Atom::NotNumber(number),
            Op::LessEqual => Atom::Between(none, closed(number), integral),
            Op::GreaterEqual => Atom::Between(closed(number), none, integral),
            Op::Less if integral => Atom::Between(none, closed(number - one()), integral),
            Op::Greater if integral => Atom::Between(closed(number + one()), none, integral),
            Op::Less => Atom::Between(none, Bound(Some((number, false))), integral),
            Op::Greater => Atom::Between(Bound(Some((number, false))), none, integral),
            _ => return None,
        };
        Some((subject, atom))
    }
}

impl Atom {
    /// The one number that two intervals share (`op` is *and*), or the one that neither of them has (`op` is *or*).
    pub(super) fn single_number(&self, other: &Atom, op: Op) -> Option<BigRational> {
        let (Atom::Between(low, high, integral), Atom::Between(lower, higher, _)) = (self, other)
        else {
            return None;
        };
        // One is bounded below only, the other above only.
        let (from, to) = match (&low.0, &high.0, &lower.0, &higher.0) {
            (Some(from), None, None, Some(to)) | (None, Some(to), Some(from), None) => (from, to),
            _ => return None,
        };
        match op {
            Op::And => (from.0 == to.0 && from.1 && to.1).then(|| from.0.clone()),
            _ if *integral => {
                let hole = &to.0 + BigRational::one();
                (from.0 == &hole + BigRational::one()).then_some(hole)
            }
            _ => (from.0 == to.0 && !from.1 && !to.1).then(|| from.0.clone()),
        }
    }

    pub(super) fn meets(&self, other: &Atom) -> Meeting {
        match (self, other) {
            (Atom::Is(a), Atom::Is(b)) => equal_or_disjoint(a == b),
            (Atom::IsNot(a), Atom::IsNot(b)) => equal_or_cover(a == b),
            (Atom::Is(a), Atom::IsNot(b)) if a == b => Meeting::Complementary,
            (Atom::Is(_), Atom::IsNot(_)) => Meeting::FirstWithinSecond,
            (Atom::IsNot(a), Atom::Is(b)) if a == b => Meeting::Complementary,
            (Atom::IsNot(_), Atom::Is(_)) => Meeting::SecondWithinFirst,
            (Atom::NotNumber(a), Atom::NotNumber(b)) => equal_or_cover(a == b),
            (Atom::Between(low, high, _), Atom::NotNumber(hole)) => {
                match (contains(low, high, hole), is_point(low, high)) {
                    (true, true) => Meeting::Complementary,
                    (true, false) => Meeting::CoversAll,
                    (false, _) => Meeting::FirstWithinSecond,
                }
            }
            (Atom::NotNumber(_), Atom::Between(..)) => match other.meets(self) {
                Meeting::FirstWithinSecond => Meeting::SecondWithinFirst,
                same => same,
            },
            (Atom::Between(low, high, integral), Atom::Between(lower, higher, _)) => {
                let disjoint = before(high, lower) || before(higher, low);
                let covers =
                    (low.0.is_none() && higher.0.is_none() && !gap(high, lower, *integral))
                        || (lower.0.is_none() && high.0.is_none() && !gap(higher, low, *integral));
                if disjoint && covers {
                    Meeting::Complementary
                } else if disjoint {
                    Meeting::Disjoint
                } else if starts_no_earlier(low, lower) && ends_no_later(high, higher) {
                    Meeting::FirstWithinSecond
                } else if starts_no_earlier(lower, low) && ends_no_later(higher, high) {
                    Meeting::SecondWithinFirst
                } else if covers {
                    Meeting::CoversAll
                } else {
                    Meeting::Other
                }
            }
            _ => Meeting::Other,
        }
    }
}

fn equal_or_disjoint(equal: bool) -> Meeting {
    if equal {
        Meeting::FirstWithinSecond
    } else {
        Meeting::Disjoint
    }
}

fn equal_or_cover(equal: bool) -> Meeting {
    if equal {
        Meeting::FirstWithinSecond
    } else {
        Meeting::CoversAll
    }
}

fn is_point(low: &Bound, high: &Bound) -> bool {
    low.0.is_some() && low == high
}

fn contains(low: &Bound, high: &Bound, number: &BigRational) -> bool {
    let above = low
        .0
        .as_ref()
        .is_none_or(|(bound, closed)| number > bound || (*closed && number == bound));
    let below = high
        .0
        .as_ref()
        .is_none_or(|(bound, closed)| number < bound || (*closed && number == bound));
    above && below
}

/// Whether everything up to `high` lies before everything from `low` on.
fn before(high: &Bound, low: &Bound) -> bool {
    match (&high.0, &low.0) {
        (Some((high, high_closed)), Some((low, low_closed))) => match high.cmp(low) {
            Ordering::Less => true,
            Ordering::Equal => !(*high_closed && *low_closed),
            Ordering::Greater => false,
        },
        _ => false,
    }
}

/// Whether a number lies after `high` and before `low`.
fn gap(high: &Bound, low: &Bound, integral: bool) -> bool {
    match (&high.0, &low.0) {
        // Bounds of integers are closed.
        (Some((high, _)), Some((low, _))) if integral => *low > high + BigRational::one(),
        (Some((high, high_closed)), Some((low, low_closed))) => match high.cmp(low) {
            Ordering::Less => true,
            Ordering::Equal => !(*high_closed || *low_closed),
            Ordering::Greater => false,
        },
        _ => false,
    }
}

fn starts_no_earlier(low: &Bound, other: &Bound) -> bool {
    match (&low.0, &other.0) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((low, low_closed)), Some((other, other_closed))) => {
            low > other || (low == other && (*other_closed || !*low_closed))
        }
    }
}

fn ends_no_later(high: &Bound, other: &Bound) -> bool {
    match (&high.0, &other.0) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((high, high_closed)), Some((other, other_closed))) => {
            high < other || (high == other && (*other_closed || !*high_closed))
        }
    }
}
