//! The words of verdicts.

/// The four verdicts, from good to bad as far as a summary is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    /// Yes.
    Holds,
    /// Under a condition.
    Conditional,
    /// Not settled.
    Unknown,
    /// No.
    Fails,
}

impl VerdictKind {
    /// The word in reports.
    pub fn text(self) -> &'static str {
        match self {
            VerdictKind::Holds => "holds",
            VerdictKind::Conditional => "conditional",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Fails => "fails",
        }
    }
}
