//! The forms of a report.

use clap::ValueEnum;

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: one object
    Json,
    /// For continuous-integration servers
    Junit,
    /// For editors and code-scanning services: SARIF 2.1.0
    Sarif,
    /// One page with pictures, for a browser
    Html,
}
