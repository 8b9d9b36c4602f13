//! Do roles survive faults?

use choros_data::Terms;
use choros_model::evidence::Table;
use choros_model::{Evidence, Verdict};

use super::{silence, verdicts::is_cut};
use crate::{Answer, Block, FaultRow, NamedResult, Sizes, Stats, VerdictKind};

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

    /// How to see the run of a row, where one has a run.
    pub fn advice(rows: &[FaultRow]) -> Option<String> {
        let mut rows = rows.iter();
        let first = rows.find(|it| it.safe == "fails" || it.recovers == "fails")?;
        let recovers = if first.safe == "fails" {
            ""
        } else {
            " --recovers"
        };
        Some(format!(
            "`--faults {}{recovers}` shows the run of a row as a chart",
            first.fault
        ))
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
