//! Yes, no, or not known on the part of the system that was examined.

/// The value of a formula in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaValue {
    /// It holds, whatever the rest of the system is.
    True,
    /// It does not, whatever the rest of the system is.
    False,
    /// It depends on states that were not expanded.
    Open,
}

impl FormulaValue {
    /// A value that is known.
    pub fn of(value: bool) -> FormulaValue {
        if value {
            FormulaValue::True
        } else {
            FormulaValue::False
        }
    }

    /// `not`.
    pub fn negate(self) -> FormulaValue {
        match self {
            FormulaValue::True => FormulaValue::False,
            FormulaValue::False => FormulaValue::True,
            FormulaValue::Open => FormulaValue::Open,
        }
    }

    /// `or`: true dominates, then open.
    pub fn or(self, other: FormulaValue) -> FormulaValue {
        match (self, other) {
            (FormulaValue::True, _) | (_, FormulaValue::True) => FormulaValue::True,
            (FormulaValue::Open, _) | (_, FormulaValue::Open) => FormulaValue::Open,
            (FormulaValue::False, FormulaValue::False) => FormulaValue::False,
        }
    }

    /// `and`: false dominates, then open.
    pub fn and(self, other: FormulaValue) -> FormulaValue {
        self.negate().or(other.negate()).negate()
    }
}
