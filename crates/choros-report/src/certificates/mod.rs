//! What certificates hold, as `choros-certify` checks it: written to the saved form and read back.

mod conformance;
mod for_all;
mod formula;
mod machines;
mod realization;
mod words;

/// Why a saved proof cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofMistake {
    /// Something in it makes no sense.
    Malformed(String),
    /// It is about other models.
    Foreign(String),
}

impl std::fmt::Display for ProofMistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (ProofMistake::Malformed(text) | ProofMistake::Foreign(text)) = self;
        f.write_str(text)
    }
}

fn malformed(text: impl Into<String>) -> ProofMistake {
    ProofMistake::Malformed(text.into())
}
