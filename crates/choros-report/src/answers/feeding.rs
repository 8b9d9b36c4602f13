//! What was put into a stream?

use choros_data::Terms;

use super::Present;
use crate::{Answer, Block, NamedResult, Report, Sizes, Stat, Stats};

/// The answer of `feed`: how much was published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedAnswer {
    /// Observations that were published.
    pub observations: u64,
    /// Those that were in the stream already.
    pub known: u64,
    /// Messages that carry them.
    pub messages: u64,
    /// Records that are not observations.
    pub left_out: u64,
    pub partitions: u32,
    /// By what observations are divided.
    pub divided_by: String,
    /// What else was published, in words.
    pub others: Vec<String>,
}

impl Present for FeedAnswer {
    const VERB: &'static str = "feed";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let known = match self.known {
            0 => String::new(),
            count => format!("; {count} were in the stream already"),
        };
        let line = format!(
            "{} observations in {} messages, in {} partitions by {}{known}",
            self.observations, self.messages, self.partitions, self.divided_by
        );
        let mut blocks = vec![Block::Line(line)];
        blocks.extend(self.others.iter().cloned().map(Block::Line));
        let is_nothing = self.observations + self.known == 0 && self.others.is_empty();
        let observations = usize::try_from(self.observations).unwrap_or(usize::MAX);
        vec![NamedResult {
            name: "feed".to_owned(),
            sizes: Sizes {
                stats: Stats::default().with(Stat::Observations, observations),
                complete: self.left_out == 0,
            },
            blocks,
            answer: is_nothing
                .then(|| Answer::unknown("no observation was read, so nothing was published")),
            ..NamedResult::default()
        }]
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        report.outcomes = self.outcomes(terms);
    }
}
