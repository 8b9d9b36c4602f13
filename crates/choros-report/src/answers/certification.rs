//! Does a certificate show what it claims?

use choros_data::Terms;
use choros_model::Verdict;

use super::verdicts::is_cut;
use super::{Present, silence};
use crate::{Answer, Block, NamedResult, Sizes};

/// The answer of `certify`.
#[derive(Debug, Clone)]
pub struct Certification {
    /// Which of several claims of a certificate it is, from 1.
    pub number: Option<usize>,
    /// The claim, as a sentence.
    pub claim: String,
    /// Whether the certificate shows it: *fails* names the first part that does not hold.
    pub verdict: Verdict,
}

impl Certification {
    /// What it is called in a report.
    fn name(&self) -> String {
        match self.number {
            Some(number) => format!("claim {number}"),
            None => self.claim.clone(),
        }
    }
}

impl Present for Certification {
    const VERB: &'static str = "certify";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        if is_about_nothing(&self.name()) {
            silence::doubt(&mut self.verdict);
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        // In a report about one thing its name is not shown, and here it says what holds.
        let claim = Block::Line(format!("claim: {}", self.claim));
        vec![NamedResult {
            name: self.name(),
            blocks: vec![claim],
            sizes: Sizes {
                complete: !is_cut(&self.verdict),
                ..Sizes::default()
            },
            answer: Some(Answer::of(&self.verdict, terms)),
            ..NamedResult::default()
        }]
    }
}
