//! Times that a broken clock wrote: possible, and absurd among those around them.
//!
//! One record of the year 9000 among those of today would end every window of a monitor, and one of 1970 would be long
//! overdue when the next comes.
//! A time that is more than a year away from the one before, in either direction, is believed only if the next record
//! of the same service agrees with it: then the clock was set.
//! Otherwise it is an outlier; the order of the log says when it was seen, not before the record that precedes it and not
//! after the one that follows, and it counts as seen with the former.
//! Of the last record no one can tell, and it is left out.
//! The first record of a log is believed, because nothing comes before it.

use choros_model::observation::{Number, Observation};

use super::problem::{RecordFlaw, RecordProblem};

/// The clocks of a log.
#[derive(Debug, Default)]
pub(crate) struct Outliers {
    clocks: Vec<Clock>,
}

#[derive(Debug)]
struct Clock {
    service: String,
    latest: Number,
    /// A record whose time awaits the next one.
    doubted: Option<Observation<'static>>,
}

/// What becomes of records when one is strange, or follows a strange one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Strange {
    /// The record before, which comes first, and what is wrong with it.
    pub(crate) before: Option<(Observation<'static>, Option<RecordProblem>)>,
    /// This one is kept until the next comes; otherwise it is to be judged now.
    pub(crate) is_kept: bool,
}

/// A year of 366 days, in milliseconds.
const YEAR: i64 = 366 * 24 * 60 * 60 * 1000;

impl Outliers {
    /// Looks at the time of the next record; nothing is returned where nothing is strange.
    pub(crate) fn look(&mut self, seen: &Observation<'_>) -> Option<Strange> {
        let known = self.clocks.iter_mut().find(|it| *it.service == *seen.by);
        let Some(clock) = known else {
            if let Some(at) = &seen.at {
                self.clocks.push(Clock {
                    service: seen.by.to_string(),
                    latest: at.clone(),
                    doubted: None,
                });
            }
            return None;
        };
        let doubted = clock.doubted.take();
        let Some(at) = &seen.at else {
            let before = doubted.map(|it| clock.outlier(it));
            return before.map(|(seen, problem)| Strange {
                before: Some((seen, Some(problem))),
                is_kept: false,
            });
        };
        let agreed = |it: &Observation<'_>| it.at.as_ref().is_some_and(|it| is_near(it, at));
        let before = match doubted {
            Some(before) if agreed(&before) => {
                clock.latest = at.clone();
                Some((before, None))
            }
            Some(before) => {
                let (before, problem) = clock.outlier(before);
                Some((before, Some(problem)))
            }
            None => None,
        };
        let is_kept = !is_near(at, &clock.latest);
        if is_kept {
            clock.doubted = Some(seen.clone().into_owned());
        } else if *at > clock.latest {
            clock.latest = at.clone();
        }
        (is_kept || before.is_some()).then_some(Strange { before, is_kept })
    }

    /// Whether a record is kept.
    pub(crate) fn keeps(&self) -> bool {
        self.clocks.iter().any(|it| it.doubted.is_some())
    }

    /// The log is over: what is wrong with the records that are kept, which are left out.
    pub(crate) fn end(&mut self) -> Vec<RecordProblem> {
        let kept = self.clocks.iter_mut().filter_map(|it| it.doubted.take());
        kept.map(|seen| problem(&seen, true)).collect()
    }
}

impl Clock {
    fn outlier(&self, mut seen: Observation<'static>) -> (Observation<'static>, RecordProblem) {
        let problem = problem(&seen, false);
        seen.at = Some(self.latest.clone());
        (seen, problem)
    }
}

fn problem(seen: &Observation<'_>, is_last: bool) -> RecordProblem {
    RecordProblem {
        line: seen.line,
        flaw: RecordFlaw::Outlier {
            at: seen
                .at
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            is_last,
        },
    }
}

fn is_near(one: &Number, other: &Number) -> bool {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    high.minus(low) <= Number::from(YEAR)
}

#[cfg(test)]
mod tests {
    use std::io;

    use crate::log::{LogFormat, LogOptions, whole::read_all};

    const TODAY: i64 = 1_794_000_000_000;
    const YEAR_9000: i64 = 221_845_392_000_000;

    /// The times of a log as they are believed, and how many records have problems.
    fn believed(times: &[Option<i64>]) -> (Vec<Option<i64>>, u64) {
        let text: String = times
            .iter()
            .map(|at| {
                let at = at.map_or(String::new(), |at| format!("\"at\":{at},"));
                format!("{{{at}\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"A\"}}\n")
            })
            .collect();
        let options = LogOptions::new(LogFormat::JsonLines);
        let log = read_all(Box::new(io::Cursor::new(text)), options, 100).expect("a log");
        let number = |text: String| text.parse().expect("a number");
        let times = log.observations.iter();
        let times = times.map(|it| it.at.as_ref().map(|at| number(at.to_string())));
        (times.collect(), log.flawed)
    }

    #[test]
    fn one_absurd_time_counts_as_the_one_before() {
        let at = |offset: i64| Some(TODAY + offset);
        let others = [at(0), at(1), at(2)];
        assert_eq!(believed(&others), (others.to_vec(), 0));
        for absurd in [Some(YEAR_9000), Some(0)] {
            let log = [at(0), absurd, at(2), at(3)];
            assert_eq!(believed(&log), (vec![at(0), at(0), at(2), at(3)], 1));
            let log = [at(0), absurd, None, at(3)];
            assert_eq!(believed(&log), (vec![at(0), at(0), None, at(3)], 1));
            assert_eq!(believed(&[at(0), absurd]), (vec![at(0)], 1));
        }
        let log = [at(0), Some(0), Some(YEAR_9000), at(3)];
        assert_eq!(believed(&log), (vec![at(0), at(0), at(0), at(3)], 2));
    }

    #[test]
    fn a_clock_that_was_set_is_believed() {
        let log = [Some(5), Some(TODAY), Some(TODAY + 1), Some(6), Some(7)];
        assert_eq!(believed(&log), (log.to_vec(), 0));
    }
}
