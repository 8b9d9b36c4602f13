//! A whole log at once, for those who judge it when it is finished.

use std::fs::File;
use std::io::{self, Read};

use choros_bind::BindingTally;
use choros_model::observation::Observation;

use super::outlier::Outliers;
use super::{LogOptions, LogReader, NextRecord, RecordProblem};

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
    let mut reader = LogReader::new(input, options);
    let mut outliers = Outliers::default();
    let mut log = WholeLog::default();
    loop {
        match reader.next() {
            NextRecord::End => {
                for problem in outliers.end() {
                    log.left_out += 1;
                    log.note(problem);
                }
                log.tally = reader.tally().cloned();
                // What may be a message and could not be told is missing from the log.
                log.left_out += log.tally.as_ref().map_or(0, |it| it.gaps);
                return Ok(log);
            }
            NextRecord::Failed(error) => return Err(error),
            NextRecord::Problem(problem) => {
                log.left_out += 1;
                log.note(problem);
            }
            NextRecord::Observation(..) if log.observations.len() >= most => {
                log.is_cut = true;
                return Ok(log);
            }
            NextRecord::Observation(seen, remark) => {
                let strange = outliers.look(&seen);
                let is_kept = strange.as_ref().is_some_and(|it| it.is_kept);
                if let Some((before, problem)) = strange.and_then(|it| it.before) {
                    log.observations.push(before);
                    problem.into_iter().for_each(|it| log.note(it));
                }
                if !is_kept {
                    log.observations.push(seen.into_owned());
                }
                remark.into_iter().for_each(|it| log.note(it));
            }
        }
    }
}

impl WholeLog {
    fn note(&mut self, problem: RecordProblem) {
        self.flawed += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}
