//! Does the implementation conform, and for which data?

use choros_data::{Term, Terms};
use choros_model::Verdict;

use super::verdicts::is_cut;
use super::{Present, silence};
use crate::{Answer, Block, GraphDrawing, NamedResult, SavedCertificate, SavedProof, Sizes, Stats};

/// The answer of `conform`.
#[derive(Debug, Clone)]
pub struct Conformance {
    /// The name of the implementation, or of the services it is composed of.
    pub implementation: String,
    /// The name of the specification.
    pub specification: String,
    /// The verdict; its condition is a term over the parameters of both sides.
    pub verdict: Verdict,
    /// The sizes of the implementation.
    pub stats: Stats,
    /// The equations, where they were asked for.
    pub equations: Vec<String>,
    /// The equations as a script for solvers, where it was asked for, or why there is none.
    pub script: Option<Result<String, String>>,
    /// What others can check, where it was asked for, or why there is none.
    pub proof: Option<Result<SavedProof, String>>,
    /// The same as a certificate, with the question and the models.
    pub certificate: Option<SavedCertificate>,
    /// What the verdict takes for granted.
    pub proviso: Option<String>,
    /// Both sides, for reports with pictures.
    pub drawings: Vec<GraphDrawing>,
}

impl Conformance {
    /// What it is about.
    pub fn name(&self) -> String {
        format!("{} against {}", self.implementation, self.specification)
    }

    /// For which data the implementation conforms; none where that was not settled.
    pub fn condition(&self) -> Option<Term> {
        match &self.verdict {
            Verdict::Holds(_) => Some(Term::TRUE),
            Verdict::HoldsIf(condition, _) => Some(*condition),
            Verdict::Fails(_) => Some(Term::FALSE),
            Verdict::Unknown(_) => None,
        }
    }
}

impl Present for Conformance {
    const VERB: &'static str = "conform";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        if is_about_nothing(&self.name()) {
            silence::doubt(&mut self.verdict);
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut blocks: Vec<Block> = self.equations.iter().cloned().map(Block::Line).collect();
        blocks.extend(self.script.as_ref().map(|script| match script {
            Ok(text) => Block::Picture {
                format: "smt2",
                text: text.clone(),
            },
            Err(reason) => Block::Line(format!("no script for solvers: {reason}")),
        }));
        vec![NamedResult {
            name: self.name(),
            answer: Some(Answer::of(&self.verdict, terms)),
            sizes: Sizes {
                stats: self.stats,
                complete: !is_cut(&self.verdict),
            },
            models: self.drawings,
            proviso: self.proviso,
            blocks,
            ..NamedResult::default()
        }]
    }
}
