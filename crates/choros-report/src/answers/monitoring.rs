//! Do the properties hold on these logs or streams?

use choros_data::Terms;
use choros_model::Observed;

use super::counted::{counted, listed};
use super::{FieldPresence, Present};
use crate::{Answer, Block, GraphDrawing, Growth, NamedResult, Report, Sizes, Stat, Stats};

/// The answer of `monitor`.
#[derive(Debug, Clone, Default)]
pub struct Monitoring {
    /// The verdicts: local properties first, then global ones.
    pub properties: Vec<PropertyVerdict>,
    /// The properties in another form, where that was asked for instead.
    pub forms: Vec<PropertyForm>,
    /// What was read.
    pub records: Records,
}

#[derive(Debug, Clone)]
pub struct PropertyVerdict {
    /// What the file calls it.
    pub name: String,
    /// The verdict; a *yes* says how many windows it stands on.
    pub verdict: Observed,
    /// Its windows; none of a global property, which rests on others.
    pub windows: Option<WindowCounts>,
    /// How its windows were decided one after the other.
    pub growth: Growth,
}

/// The windows of a property.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WindowCounts {
    /// Those that passed.
    pub pass: u64,
    /// Those that failed.
    pub fail: u64,
    /// Those that the end of the log cut.
    pub inconclusive: u64,
}

/// A property in another form.
#[derive(Debug, Clone)]
pub struct PropertyForm {
    /// What the file calls it.
    pub name: String,
    /// The automaton of one of its windows.
    pub automaton: Option<GraphDrawing>,
    /// The property as XQuery.
    pub xquery: Option<String>,
}

/// What was read, and how much of it says something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    /// Observations that were judged.
    pub judged: u64,
    /// Records that are not observations.
    pub left_out: u64,
    /// Records that have something wrong with them, those among them that were judged all the same.
    pub flawed: u64,
    /// Observations of messages that no property names, in earlier runs too where a state was saved.
    pub filtered: u64,
    /// Those of this run: each message with how often it was seen.
    pub unnamed: Vec<(String, u64)>,
    /// How often the parts of messages were there that properties name.
    pub parts: Vec<FieldPresence>,
}

impl Monitoring {
    /// The verdict on the property with this name.
    pub fn verdict(&self, name: &str) -> Option<&Observed> {
        let property = self.properties.iter().find(|it| it.name == name)?;
        Some(&property.verdict)
    }
}

impl Records {
    /// How many there were.
    pub fn read(&self) -> u64 {
        self.judged + self.left_out
    }

    fn remarks(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.flawed > 0 {
            let records = counted(self.flawed, "record has", "records have");
            notes.push(format!(
                "{records} problems; the answers cover only the records that could be read"
            ));
        }
        if self.left_out > 0 {
            notes.push(format!(
                "{} of {} could not be read",
                self.left_out,
                counted(self.read(), "record", "records")
            ));
        }
        notes.extend(self.parts.iter().filter_map(FieldPresence::remark));
        if !self.unnamed.is_empty() {
            let seen = self.unnamed.iter().map(|(_, count)| count).sum();
            notes.push(format!(
                "{} of messages that no property names: {}",
                counted(seen, "observation", "observations"),
                listed(&self.unnamed)
            ));
        }
        notes
    }
}

impl Present for Monitoring {
    const VERB: &'static str = "monitor";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let records = &self.records;
        let verdicts = self.properties.into_iter();
        let verdicts = verdicts.map(|it| it.outcome(records, terms));
        let forms = self.forms.into_iter().map(PropertyForm::outcome);
        verdicts.chain(forms).collect()
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        report.semantics.notes.extend(self.records.remarks());
        report.outcomes = self.outcomes(terms);
    }
}

impl PropertyVerdict {
    fn outcome(self, records: &Records, terms: &Terms) -> NamedResult {
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let stats = match self.windows {
            None => Stats::default(),
            Some(windows) => Stats::default()
                .with(Stat::Pass, count(windows.pass))
                .with(Stat::Fail, count(windows.fail))
                .with(Stat::Inconclusive, count(windows.inconclusive))
                .with(Stat::Observations, count(records.judged)),
        };
        let stats = match (self.windows, records.filtered) {
            (None, _) | (_, 0) => stats,
            (Some(_), filtered) => stats.with(Stat::Filtered, count(filtered)),
        };
        let plot = self.growth.plot();
        NamedResult {
            answer: Some(Answer::observed(&self.verdict, terms)),
            name: self.name,
            sizes: Sizes {
                stats,
                complete: true,
            },
            blocks: plot
                .map(|it| Block::Plot(Box::new(it)))
                .into_iter()
                .collect(),
            ..NamedResult::default()
        }
    }
}

impl PropertyForm {
    fn outcome(self) -> NamedResult {
        let automaton = self.automaton.map(|it| Block::Graph(Box::new(it)));
        let xquery = self.xquery.map(|text| Block::Picture {
            format: "xquery",
            text,
        });
        NamedResult {
            name: self.name,
            blocks: automaton.into_iter().chain(xquery).collect(),
            ..NamedResult::default()
        }
    }
}
