//! The words of verdicts.

/// The four verdicts, from good to bad as far as a summary is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Yes.
    Holds,
    /// Under a condition.
    Conditional,
    /// Not settled.
    Unknown,
    /// No.
    Fails,
}

impl Word {
    /// The word in reports.
    pub fn text(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Conditional => "conditional",
            Word::Unknown => "unknown",
            Word::Fails => "fails",
        }
    }
}
