//! What does this diagnostic mean?

use choros_base::CodeInfo;
use choros_report::{Block, Outcome, Report};

/// The documentation of a code, as a report.
pub fn explain(info: &CodeInfo) -> Report {
    Report {
        verb: "explain",
        outcomes: vec![Outcome {
            name: info.code.to_owned(),
            blocks: vec![
                Block::Line(info.name.to_owned()),
                Block::Picture {
                    format: "markdown",
                    text: info.documentation.to_owned(),
                },
            ],
            ..Outcome::default()
        }],
        ..Report::default()
    }
}
