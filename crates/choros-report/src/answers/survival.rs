//! Do roles survive faults?

use choros_data::Terms;
use choros_model::evidence::Table;
use choros_model::{Evidence, Verdict};
use serde::Serialize;

use super::{silence, verdicts::is_cut};
use crate::{Answer, Block, NamedResult, Sizes, Stats, VerdictKind};

/// What is known of roles under faults.
#[derive(Debug, Clone)]
pub struct Survived {
    pub name: String,
    pub verdict: Verdict,
    /// In a sentence.
    pub reason: String,
    /// The faults for which it is said: `for at most 2 losses`.
    pub proviso: String,
    /// The sizes of the roles put together under the faults.
    pub stats: Stats,
    /// One row for each fault, where all of them were asked about.
    pub rows: Vec<FaultRow>,
}

/// What is known of one fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// As it is asked about: `lose:Charged`.
    pub fault: String,
    /// The word of the verdict on all runs.
    pub safe: &'static str,
    /// The word of the verdict on whether the roles can always still end.
    pub recovers: &'static str,
    /// What goes wrong first, or why that is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
}

impl Survived {
    /// All faults, one row for each; it holds if every row that is asked for does.
    pub fn of_rows(name: String, rows: Vec<FaultRow>, recovers: bool) -> Survived {
        let words: Vec<&str> = rows
            .iter()
            .map(|it| if recovers { it.recovers } else { it.safe })
            .collect();
        let columns = ["fault", "safe", "recovers", "what goes wrong first"];
        let cells = rows.iter().map(|it| {
            let cells = [&it.fault, it.safe, it.recovers, &it.first];
            cells.map(str::to_owned).to_vec()
        });
        let table = Evidence::Table(Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: cells.collect(),
        });
        let fails = words.iter().filter(|&&it| it == "fails").count();
        let verdict = if fails > 0 {
            Verdict::Fails(table)
        } else if words.iter().any(|&it| it != "holds") {
            Verdict::Unknown(choros_model::Unknown {
                reason: "some faults were not settled".to_owned(),
                help: choros_model::Help::Other,
                evidence: Some(table),
            })
        } else {
            Verdict::Holds(table)
        };
        Survived {
            name,
            verdict,
            reason: format!("{fails} of {} faults are not survived", rows.len()),
            proviso: String::new(),
            stats: Stats::default(),
            rows,
        }
    }

    pub(super) fn doubt(&mut self) {
        silence::doubt(&mut self.verdict);
    }

    pub(super) fn outcome(self, terms: &Terms) -> NamedResult {
        let mut blocks = Vec::new();
        let answer = Answer::of(&self.verdict, terms);
        if !self.rows.is_empty() && answer.word == VerdictKind::Holds {
            // A plain yes shows no evidence, and here it is what was asked for.
            blocks.extend(
                answer
                    .evidence
                    .clone()
                    .map(|it| Block::Evidence(Box::new(it))),
            );
        }
        if answer.word == VerdictKind::Fails {
            blocks.push(Block::Line(format!("{}: {}", self.name, self.reason)));
        }
        let proviso = Some(self.proviso).filter(|it| !it.is_empty());
        NamedResult {
            proviso: proviso.filter(|_| answer.word == VerdictKind::Holds),
            answer: Some(answer),
            sizes: Sizes {
                complete: !is_cut(&self.verdict),
                stats: self.stats,
            },
            name: self.name,
            blocks,
            faults: self.rows,
            ..NamedResult::default()
        }
    }
}
