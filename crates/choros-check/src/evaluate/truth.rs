//! Yes, no, or not known on the part of the system that was examined.

/// The value of a formula in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It holds, whatever the rest of the system is.
    True,
    /// It does not, whatever the rest of the system is.
    False,
    /// It depends on states that were not expanded.
    Open,
}

impl Truth {
    /// A value that is known.
    pub fn of(value: bool) -> Truth {
        if value { Truth::True } else { Truth::False }
    }

    /// `not`.
    pub fn negate(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Open => Truth::Open,
        }
    }

    /// `or`: true dominates, then open.
    pub fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::True, _) | (_, Truth::True) => Truth::True,
            (Truth::Open, _) | (_, Truth::Open) => Truth::Open,
            (Truth::False, Truth::False) => Truth::False,
        }
    }

    /// `and`: false dominates, then open.
    pub fn and(self, other: Truth) -> Truth {
        self.negate().or(other.negate()).negate()
    }
}
