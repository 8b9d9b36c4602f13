//! Do these logs follow the choreography?

use choros_data::Terms;
use choros_model::{Evidence, Observed};

use super::counted::{counted, listed};
use super::{Present, silence};
use crate::{
    Answer, Blame, Block, GraphDrawing, NamedResult, Overview, Plot, Report, Sizes, Stat, Stats,
};

/// The answer of `audit`.
#[derive(Debug, Clone, Default)]
pub struct Audit {
    /// One per observed role, then `global` if the model is one of all roles.
    pub parts: Vec<AuditedPart>,
    /// How many sessions there are.
    pub sessions: usize,
    /// How sessions were distinguished, in words.
    pub told_apart: String,
    /// Who is guilty where logs do not conform; none where no role is suspected.
    pub blame: Option<Blame>,
    /// Receptions left out because the network had delivered the message before.
    pub repeated: usize,
    /// How often the fields of the model were there.
    pub fields: Vec<FieldPresence>,
    /// Messages that the model does not speak of, with how often they were seen.
    pub filtered: Vec<(String, u64)>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// The model, for reports with pictures.
    pub drawings: Vec<GraphDrawing>,
}

/// The verdict on one role, or on all together.
#[derive(Debug, Clone)]
pub struct AuditedPart {
    /// The role, or `global`.
    pub name: String,
    /// The verdict; a *yes* says how many observations it stands on.
    pub verdict: Observed,
    /// Whether all runs came to their ends.
    pub finished: bool,
    /// How many observations it is about.
    pub observations: usize,
    /// How many observations were dropped because the model does not speak of them.
    pub filtered: usize,
    /// Sessions that conform.
    pub pass: usize,
    /// Sessions that do not.
    pub fail: usize,
    /// Sessions of which it is not known.
    pub inconclusive: usize,
    /// How many sessions conform and do not, after each.
    pub growth: Vec<[usize; 2]>,
}

/// How often a field was there in the records that should have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPresence {
    /// By its path in the record.
    pub field: String,
    /// The message that it is a field of, where fields are distinguished by that.
    pub message: Option<String>,
    /// In this many records.
    pub there: u64,
    /// Of so many.
    pub records: u64,
    /// The records have data at all, so that a field that is missing is worth a remark.
    pub is_expected: bool,
}

impl Audit {
    /// The verdict on a role, or `global`.
    pub fn verdict(&self, name: &str) -> Option<&Observed> {
        let part = self.parts.iter().find(|it| it.name == name)?;
        Some(&part.verdict)
    }

    fn remarks(&self) -> Vec<String> {
        let mut notes = vec![self.told_apart.clone()];
        notes.extend(self.notes.iter().cloned());
        notes.extend(self.blame.iter().flat_map(Blame::words));
        if self.repeated > 0 {
            let receptions = counted(self.repeated as u64, "reception", "receptions");
            notes.push(format!(
                "ignored {receptions} of messages that had already been delivered"
            ));
        }
        notes.extend(self.fields.iter().filter_map(FieldPresence::remark));
        if !self.filtered.is_empty() {
            let total = self.filtered.iter().map(|(_, count)| count).sum();
            notes.push(format!(
                "ignored {} of messages that are not in the model: {}",
                counted(total, "observation", "observations"),
                listed(&self.filtered)
            ));
        }
        for part in self.parts.iter().filter(|it| !it.finished) {
            if let Observed::Holds { evidence, .. } | Observed::Empty { evidence } = &part.verdict
                && let Some(Evidence::Trace(trace)) = evidence
            {
                notes.push(format!("`{}` {}", part.name, trace.conclusion));
            }
        }
        notes
    }
}

impl FieldPresence {
    /// What is worth saying about a field that was not always there.
    pub(super) fn remark(&self) -> Option<String> {
        let partly = self.there < self.records && self.is_expected;
        partly.then(|| {
            let of = match &self.message {
                Some(message) => format!(" of `{message}`"),
                None => String::new(),
            };
            format!(
                "`{}`{of} was in {} of {} that should have it",
                self.field,
                self.there,
                counted(self.records, "record", "records")
            )
        })
    }
}

impl Present for Audit {
    const VERB: &'static str = "audit";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        for part in &mut self.parts {
            if is_about_nothing(&part.name) {
                silence::doubt_observed(&mut part.verdict);
            }
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let sessions = self.sessions;
        let parts = self.parts.into_iter();
        let mut outcomes: Vec<NamedResult> = parts.map(|it| it.outcome(sessions, terms)).collect();
        if let Some(last) = outcomes.last_mut() {
            last.models = self.drawings;
        }
        outcomes
    }

    fn overview() -> Overview {
        Overview {
            incomplete: "(unfinished)",
            ..Overview::default()
        }
    }

    fn show(mut self, terms: &Terms, report: &mut Report) {
        report.semantics.notes.extend(self.remarks());
        report.blame = self.blame.take().map(Box::new);
        report.outcomes = self.outcomes(terms);
    }
}

impl AuditedPart {
    fn outcome(self, sessions: usize, terms: &Terms) -> NamedResult {
        let mut stats = Stats::default()
            .with(Stat::Observations, self.observations)
            .with(Stat::Filtered, self.filtered);
        if sessions > 1 {
            stats = stats
                .with(Stat::Pass, self.pass)
                .with(Stat::Fail, self.fail)
                .with(Stat::Inconclusive, self.inconclusive);
        }
        let curve = |place: usize| {
            let counts = (1..).zip(&self.growth);
            counts
                .map(|(session, it)| (session, it[place] as u64))
                .collect()
        };
        let curves = vec![
            ("conform", false, curve(0)),
            ("do not conform", true, curve(1)),
        ];
        let plot = Plot::of_verdicts("sessions", "session", curves);
        NamedResult {
            answer: Some(Answer::observed(&self.verdict, terms)),
            name: self.name,
            sizes: Sizes {
                stats,
                complete: self.finished,
            },
            blocks: plot
                .map(|it| Block::Plot(Box::new(it)))
                .into_iter()
                .collect(),
            ..NamedResult::default()
        }
    }
}
