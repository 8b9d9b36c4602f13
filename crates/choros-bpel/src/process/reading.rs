//! Where Bentakouk's thesis and the standard differ.

use choros_base::Choice;

/// Which of the two decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reading {
    /// The standard: a message with another identity is not delivered, and its faults are raised.
    #[default]
    Standard,
    /// The thesis: a message with another identity breaks the correlation, variables hold something from the start,
    /// and calls may stay without an answer.
    Thesis,
}

impl Choice for Reading {
    const CHOICES: &'static [(&'static str, Reading, &'static str)] = &[
        (
            "standard",
            Reading::Standard,
            "WS-BPEL 2.0: a message with another identity is not delivered, and standard faults are raised",
        ),
        (
            "thesis",
            Reading::Thesis,
            "Bentakouk's thesis: a message with another identity raises bpel:correlationViolation",
        ),
    ];
}
