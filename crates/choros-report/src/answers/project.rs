//! What a project asks, answered item by item.

use choros_base::Diagnostic;
use choros_data::Terms;

use super::{
    Answered, Conformance, Parts, Present, Realizability, RunNotes, Soundness, Verification,
};
use crate::{NamedResult, Report};

/// The answers to what a project names.
#[derive(Debug, Clone, Default)]
pub struct ProjectAnswers {
    /// One per item, in the order of the file.
    pub items: Vec<ProjectItem>,
    /// Findings with these codes count as errors.
    pub deny_codes: Vec<&'static str>,
}

/// What one item asks.
#[derive(Debug, Clone)]
pub struct ProjectItem {
    /// What the file calls it.
    pub name: String,
    /// What its verb found.
    pub answer: ItemAnswer,
}

/// The answer to an item, by its verb.
#[derive(Debug, Clone)]
pub enum ItemAnswer {
    /// Is it sound?
    Check(Answered<Parts<Soundness>>),
    /// Can the roles realise it?
    Realize(Answered<Parts<Realizability>>),
    /// Does it conform?
    Conform(Box<Answered<Conformance>>),
    /// Do the formulas hold?
    Verify(Answered<Verification>),
    /// It was not asked: the findings of the run say why.
    NotAsked(RunNotes),
}

impl ItemAnswer {
    /// What the run left beside the answer.
    pub fn run(&self) -> &RunNotes {
        match self {
            ItemAnswer::Check(answered) => &answered.run,
            ItemAnswer::Realize(answered) => &answered.run,
            ItemAnswer::Conform(answered) => &answered.run,
            ItemAnswer::Verify(answered) => &answered.run,
            ItemAnswer::NotAsked(run) => run,
        }
    }

    fn report(self, terms: &Terms) -> Report {
        match self {
            ItemAnswer::Check(answered) => answered.report(terms),
            ItemAnswer::Realize(answered) => answered.report(terms),
            ItemAnswer::Conform(answered) => answered.report(terms),
            ItemAnswer::Verify(answered) => answered.report(terms),
            ItemAnswer::NotAsked(run) => run.report(ProjectAnswers::VERB),
        }
    }
}

impl Present for ProjectAnswers {
    const VERB: &'static str = "check";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut report = Report::default();
        self.show(terms, &mut report);
        report.outcomes
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        report.deny_codes = self.deny_codes;
        for item in self.items {
            report.add_part(item.answer.report(terms), &item.name);
        }
    }
}

impl RunNotes {
    /// Adds what a part of the run left; two parts may read the same file.
    pub fn absorb(&mut self, part: &RunNotes) {
        let is_new = |it: &&Diagnostic| !self.findings.contains(it);
        let new: Vec<Diagnostic> = part.findings.iter().filter(is_new).cloned().collect();
        self.findings.extend(new);
        self.semantics.absorb(part.semantics.clone());
        self.silence.absorb(part.silence.clone());
    }
}
