//! Is it sound?

use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::Stg;

use super::Present;
use crate::{
    Answer, Block, GraphDrawing, MachineSafety, NamedResult, Sizes, Stats, StuckPlace, VerdictKind,
};

/// The answer of `check` about one component or file.
#[derive(Debug, Clone)]
pub struct Soundness {
    /// Its name, or its path.
    pub name: String,
    /// What was found out.
    pub standing: Standing,
    /// Its sizes, and how much of it is dead or stuck.
    pub stats: Stats,
    /// Whether no bound cut the search.
    pub complete: bool,
    /// Its parameters with their sorts.
    pub parameters: Vec<(String, String)>,
    /// The states in which nothing goes on for some data.
    pub stuck: Vec<StuckPlace>,
    /// What is said of machines beside the answer.
    pub safety: Option<MachineSafety>,
    /// What is worth knowing about a sound model, such as who decides.
    pub remarks: Vec<String>,
    /// It, with what is dead marked, for reports with pictures.
    pub drawings: Vec<GraphDrawing>,
}

/// How much is known of it.
#[derive(Debug, Clone)]
pub enum Standing {
    /// It has no mistakes; nothing else was asked.
    Read,
    /// It keeps the rules of its language, which is all that is asked of it.
    WellFormed,
    /// No run does what it asks for, and all were looked at: there is nothing to show.
    Refuted,
    /// Its runs, or its form, were judged.
    Judged(Verdict),
}

impl Soundness {
    /// An answer without sizes.
    pub fn new(name: impl Into<String>, standing: Standing) -> Soundness {
        Soundness {
            name: name.into(),
            standing,
            stats: Stats::default(),
            complete: true,
            parameters: Vec::new(),
            stuck: Vec::new(),
            safety: None,
            remarks: Vec::new(),
            drawings: Vec::new(),
        }
    }

    /// The verdict, where something was judged.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.standing {
            Standing::Judged(verdict) => Some(verdict),
            Standing::Read | Standing::WellFormed | Standing::Refuted => None,
        }
    }

    /// The parameters of a graph with their sorts.
    pub fn parameters_of(stg: &Stg, terms: &Terms) -> Vec<(String, String)> {
        let parameters = stg.parameters(terms).into_iter();
        parameters
            .map(|parameter| {
                let sort = terms.sort_text(terms.variable_sort(parameter));
                (terms.variable_text(parameter).to_owned(), sort)
            })
            .collect()
    }
}

impl Present for Soundness {
    const VERB: &'static str = "check";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let bare = |word| {
            Some(Answer {
                word,
                condition: None,
                reason: None,
                evidence: None,
            })
        };
        let answer = match &self.standing {
            Standing::Read => None,
            Standing::WellFormed => bare(VerdictKind::Holds),
            Standing::Refuted => bare(VerdictKind::Fails),
            Standing::Judged(verdict) => Some(Answer::of(verdict, terms)),
        };
        vec![NamedResult {
            name: self.name,
            answer,
            sizes: Sizes {
                stats: self.stats,
                complete: self.complete,
            },
            parameters: self.parameters,
            stuck: self.stuck,
            safety: self.safety.map(Box::new),
            blocks: self.remarks.into_iter().map(Block::Line).collect(),
            models: self.drawings,
            ..NamedResult::default()
        }]
    }
}
