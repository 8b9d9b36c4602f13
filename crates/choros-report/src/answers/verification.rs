//! Do formulas hold, and why?

use choros_data::Terms;
use choros_model::Verdict;

use super::verdicts::is_cut;
use super::{Present, silence};
use crate::{Answer, Block, NamedResult, Overview, Sizes, Stat, Stats};

/// The answer of `verify`: one question after the other.
#[derive(Debug, Clone, Default)]
pub struct Verification {
    /// The questions, in the order asked.
    pub questions: Vec<AnsweredQuestion>,
}

#[derive(Debug, Clone)]
pub struct AnsweredQuestion {
    /// Its name, or the formula itself.
    pub name: String,
    /// The formula, where it was asked in words.
    pub reading: Option<String>,
    /// What the answer takes for granted.
    pub proviso: Option<String>,
    /// Whether it holds, and why.
    pub verdict: Verdict,
    /// States that were examined.
    pub states: u64,
    /// Transitions that were examined.
    pub transitions: u64,
    /// The explanation in another style, instead of the evidence.
    pub explanation: Option<String>,
}

impl Verification {
    /// The verdict of the question with this name.
    pub fn verdict(&self, name: &str) -> Option<&Verdict> {
        let question = self.questions.iter().find(|it| it.name == name)?;
        Some(&question.verdict)
    }
}

impl Present for Verification {
    const VERB: &'static str = "verify";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        for question in &mut self.questions {
            if is_about_nothing(&question.name) {
                silence::doubt(&mut question.verdict);
            }
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let questions = self.questions.into_iter();
        questions.map(|it| it.outcome(terms)).collect()
    }

    fn overview() -> Overview {
        Overview {
            verdicts: true,
            ..Overview::default()
        }
    }
}

impl AnsweredQuestion {
    /// An answer for all data; nodes and edges of the graph are its sizes.
    pub fn for_all(name: String, verdict: Verdict, (nodes, edges): (u64, u64)) -> Self {
        AnsweredQuestion {
            name,
            reading: None,
            proviso: None,
            verdict,
            states: nodes,
            transitions: edges,
            explanation: None,
        }
    }

    fn outcome(self, terms: &Terms) -> NamedResult {
        let mut answer = Answer::of(&self.verdict, terms);
        let complete = !is_cut(&self.verdict);
        let mut blocks = Vec::new();
        if let Some(text) = self.explanation {
            answer.evidence = None;
            blocks.push(Block::Picture {
                format: "text",
                text,
            });
        }
        NamedResult {
            name: self.name,
            reading: self.reading,
            proviso: self.proviso,
            answer: Some(answer),
            sizes: Sizes {
                stats: Stats::default()
                    .with(Stat::States, self.states as usize)
                    .with(Stat::Transitions, self.transitions as usize),
                complete,
            },
            blocks,
            ..NamedResult::default()
        }
    }
}
