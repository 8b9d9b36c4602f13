//! A whole log at once, for those who judge it when it is finished.

use std::fs::File;
use std::io::{self, Read};

use choros_bind::BindingTally;
use choros_model::observation::Observation;

use super::one_by_one::LogRecords;
use super::{LogOptions, RecordProblem};

/// What a log holds.
#[derive(Debug, Default)]
pub struct WholeLog {
    /// The observations, in the order of the log.
    pub observations: Vec<Observation<'static>>,
    /// What is wrong with records, the first ones only.
    pub problems: Vec<RecordProblem>,
    /// How many records have something wrong with them.
    pub flawed: u64,
    /// How many of them are not observations and were left out.
    pub left_out: u64,
    /// There are more observations than were asked for; the rest was not read.
    pub is_cut: bool,
    /// What became of the records, where a binding read them.
    pub tally: Option<BindingTally>,
}

/// More problems of one log tell nothing new.
const MAX_PROBLEMS: usize = 20;

/// Reads a log from a file, or from standard input where the path is `-`.
///
/// A record that is not an observation is counted and left out; the rest is read, up to `most` observations.
pub fn read_whole(path: &str, options: LogOptions, most: usize) -> io::Result<WholeLog> {
    let input: Box<dyn Read + Send> = match path {
        "-" => Box::new(io::stdin()),
        path => Box::new(File::open(path)?),
    };
    read_all(input, options, most)
}

/// Reads a log to its end, or up to this many observations.
pub fn read_all(
    input: Box<dyn Read + Send>,
    options: LogOptions,
    most: usize,
) -> io::Result<WholeLog> {
    let mut records = LogRecords::new(input, options);
    let mut observations = Vec::new();
    let mut is_cut = false;
    while let Some(observation) = records.next()? {
        if observations.len() >= most {
            is_cut = true;
            break;
        }
        observations.push(observation);
    }
    Ok(WholeLog {
        observations,
        is_cut,
        ..records.into_rest()
    })
}

impl WholeLog {
    pub(super) fn note(&mut self, problem: RecordProblem) {
        self.flawed += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}
