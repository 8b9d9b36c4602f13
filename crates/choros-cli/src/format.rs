//! The forms of a report.

use clap::ValueEnum;

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Text,
    /// One JSON object, for programs
    Json,
    /// JUnit XML, for CI servers
    Junit,
    /// SARIF 2.1.0, for editors and code-scanning services
    Sarif,
    /// One page with pictures, for browsers
    Html,
}
