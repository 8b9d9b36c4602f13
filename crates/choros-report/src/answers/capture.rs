//! What do the services say to each other?

use choros_data::Terms;

use super::Present;
use crate::{Answer, Block, NamedResult, Report, Sizes, Stat, Stats};

/// The answer of `capture`: how much was seen, and what of it was not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CaptureAnswer {
    /// Requests that were forwarded.
    pub requests: u64,
    /// Those that got no answer.
    pub unanswered: u64,
    /// Bodies that were too long to be kept.
    pub truncated: u64,
    /// Bodies that could not be read.
    pub unread: u64,
    /// Connections that went over to another protocol.
    pub upgrades: u64,
    /// Lines that were made.
    pub observations: u64,
    /// Lines that could not be written or sent.
    pub lost: u64,
}

impl Present for CaptureAnswer {
    const VERB: &'static str = "capture";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let mut line = format!(
            "{} requests, {} without an answer; {} bodies truncated, {} not read",
            self.requests, self.unanswered, self.truncated, self.unread
        );
        if self.upgrades > 0 {
            line.push_str(&format!(
                "; {} connections switched to another protocol, which is not recorded",
                self.upgrades
            ));
        }
        let observations = usize::try_from(self.observations).unwrap_or(usize::MAX);
        vec![NamedResult {
            name: "capture".to_owned(),
            sizes: Sizes {
                stats: Stats::default().with(Stat::Observations, observations),
                complete: self.truncated + self.unread + self.lost == 0,
            },
            blocks: vec![Block::Line(line)],
            answer: (self.observations == 0).then(|| {
                Answer::unknown(
                    "no message was seen, so the log is empty: did the traffic come here?",
                )
            }),
            ..NamedResult::default()
        }]
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        if self.lost > 0 {
            report.world_failed = Some(format!(
                "{} of the lines could not be written or sent",
                self.lost
            ));
        }
        report.outcomes = self.outcomes(terms);
    }
}
