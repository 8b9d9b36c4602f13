//! What is known of a set of states: formulas below and above it.

use choros_data::{Term, Terms};

/// A set between two formulas; both are the set itself where it is known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Implies that a state is in the set.
    pub(crate) low: Term,
    /// Follows from a state being in the set.
    pub(crate) high: Term,
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Low,
    High,
}

impl Bounds {
    /// Nothing is known.
    pub(crate) const OPEN: Bounds = Bounds {
        low: Term::FALSE,
        high: Term::TRUE,
    };

    pub(crate) const TRUE: Bounds = Bounds::exactly(Term::TRUE);
    pub(crate) const FALSE: Bounds = Bounds::exactly(Term::FALSE);

    pub(crate) const fn exactly(formula: Term) -> Bounds {
        Bounds {
            low: formula,
            high: formula,
        }
    }

    pub(crate) fn of(value: bool) -> Bounds {
        if value { Bounds::TRUE } else { Bounds::FALSE }
    }

    pub(crate) fn is_exact(self) -> bool {
        self.low == self.high
    }

    pub(crate) fn at(self, side: Side) -> Term {
        match side {
            Side::Low => self.low,
            Side::High => self.high,
        }
    }

    /// Both sides changed in the same way, which must be monotone.
    pub(crate) fn map(self, mut change: impl FnMut(Term) -> Term) -> Bounds {
        let low = change(self.low);
        let high = if self.is_exact() {
            low
        } else {
            change(self.high)
        };
        Bounds { low, high }
    }

    pub(crate) fn not(self, terms: &mut Terms) -> Bounds {
        let mut negated = |term| {
            let negation = terms.not(term);
            terms.simplify(negation)
        };
        let low = negated(self.high);
        let high = if self.is_exact() {
            low
        } else {
            negated(self.low)
        };
        Bounds { low, high }
    }

    pub(crate) fn and(parts: &[Bounds], terms: &mut Terms) -> Bounds {
        let low = terms.and(parts.iter().map(|it| it.low));
        let high = terms.and(parts.iter().map(|it| it.high));
        Bounds { low, high }.map_simple(terms)
    }

    pub(crate) fn or(parts: &[Bounds], terms: &mut Terms) -> Bounds {
        let low = terms.or(parts.iter().map(|it| it.low));
        let high = terms.or(parts.iter().map(|it| it.high));
        Bounds { low, high }.map_simple(terms)
    }

    fn map_simple(self, terms: &mut Terms) -> Bounds {
        self.map(|it| terms.simplify(it))
    }
}
