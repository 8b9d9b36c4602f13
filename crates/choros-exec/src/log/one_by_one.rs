//! A log of any length, for those who hold little of it.

use std::collections::VecDeque;
use std::io::{self, Read};

use choros_model::observation::Observation;

use super::outlier::Outliers;
use super::{LogOptions, LogReader, NextRecord, WholeLog};

/// Whether a log can be read from its beginning as often as one likes: a pipe and standard input cannot.
pub fn can_be_read_again(path: &str) -> bool {
    path != "-" && std::fs::metadata(path).is_ok_and(|it| it.is_file())
}

/// The observations of a log one by one, and in the end what else it holds.
pub struct LogRecords {
    reader: LogReader,
    outliers: Outliers,
    /// Observations that come next.
    ready: VecDeque<Observation<'static>>,
    rest: WholeLog,
    is_over: bool,
}

impl LogRecords {
    /// Reads from the beginning.
    pub fn new(input: Box<dyn Read + Send>, options: LogOptions) -> LogRecords {
        LogRecords {
            reader: LogReader::new(input, options),
            outliers: Outliers::default(),
            ready: VecDeque::new(),
            rest: WholeLog::default(),
            is_over: false,
        }
    }

    /// The next observation; none at the end.
    ///
    /// A record that is not an observation is counted and left out.
    #[allow(clippy::should_implement_trait)] // It may fail.
    pub fn next(&mut self) -> io::Result<Option<Observation<'static>>> {
        while self.ready.is_empty() && !self.is_over {
            match self.reader.next() {
                NextRecord::End => self.end(),
                NextRecord::Failed(error) => return Err(error),
                NextRecord::Problem(problem) => {
                    self.rest.left_out += 1;
                    self.rest.note(problem);
                }
                NextRecord::Observation(seen, remark) => {
                    let strange = self.outliers.look(&seen);
                    let is_kept = strange.as_ref().is_some_and(|it| it.is_kept);
                    if let Some((before, problem)) = strange.and_then(|it| it.before) {
                        self.ready.push_back(before);
                        problem.into_iter().for_each(|it| self.rest.note(it));
                    }
                    if !is_kept {
                        self.ready.push_back(seen.into_owned());
                    }
                    remark.into_iter().for_each(|it| self.rest.note(it));
                }
            }
        }
        Ok(self.ready.pop_front())
    }

    fn end(&mut self) {
        self.is_over = true;
        for problem in self.outliers.end() {
            self.rest.left_out += 1;
            self.rest.note(problem);
        }
        self.rest.tally = self.reader.tally().cloned();
        // What may be a message and could not be told is missing from the log.
        self.rest.left_out += self.rest.tally.as_ref().map_or(0, |it| it.gaps);
    }

    /// What the log holds beside the observations that were taken; all of it is known only at the end.
    pub fn into_rest(self) -> WholeLog {
        self.rest
    }
}
