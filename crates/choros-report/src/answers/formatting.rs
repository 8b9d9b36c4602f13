//! What is the one form of it?

use choros_data::Terms;

use super::Present;
use crate::{Answer, Block, NamedResult, VerdictKind};

/// The answer of `fmt` about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatting {
    /// The file.
    pub path: String,
    /// What became of it.
    pub form: FormattingResult,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormattingResult {
    /// It was asked whether it has its form.
    Asked {
        /// Whether it has.
        has_form: bool,
    },
    /// It has its form.
    Same,
    /// This text takes its place.
    Changed(String),
    /// This was made out of it, and the file stays as it is.
    Shown {
        /// The language of the text.
        format: &'static str,
        /// What the file should hold.
        text: String,
    },
}

impl Present for Formatting {
    const VERB: &'static str = "fmt";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let line = |text: &str| Block::Line(text.to_owned());
        let (block, word) = match self.form {
            FormattingResult::Asked { has_form: true } => {
                (line("is formatted"), Some(VerdictKind::Holds))
            }
            FormattingResult::Asked { has_form: false } => {
                (line("would change"), Some(VerdictKind::Fails))
            }
            FormattingResult::Same => (line("is formatted"), None),
            FormattingResult::Changed(_) => (line("formatted"), None),
            FormattingResult::Shown { format, text } => (Block::Picture { format, text }, None),
        };
        vec![NamedResult {
            name: self.path,
            answer: word.map(|word| Answer {
                word,
                condition: None,
                reason: None,
                evidence: None,
            }),
            blocks: vec![block],
            ..NamedResult::default()
        }]
    }
}
