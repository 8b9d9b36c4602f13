//! How a monitor judges.

/// What a user may turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Only messages that some property names count.
    pub related_only: bool,
    /// The end of the log ends windows: what was expected and not seen has failed.
    pub strict_end: bool,
    /// Observations that come up to this many milliseconds late are put in order.
    pub slack: Option<u64>,
    /// No property holds more open windows; the oldest are given up as inconclusive.
    pub most_windows: usize,
    /// Which verdicts carry the observations of their window.
    pub keep: KeepObservations,
}

/// Which verdicts carry the observations of their window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepObservations {
    /// None.
    Nothing,
    /// The first ones of each outcome of each property, so many.
    Samples(u64),
    /// All of them.
    All,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            related_only: false,
            strict_end: false,
            slack: None,
            most_windows: 1_000_000,
            keep: KeepObservations::All,
        }
    }
}
