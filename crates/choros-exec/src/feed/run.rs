//! The loop.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use choros_model::observation::Observation;
use choros_monitor::Watcher;

use crate::log::{NextRecord, RecordProblem};

use super::live::{Item, LiveFeed};
use super::source::{FileProgress, FileSource, Renewal};

/// Whether to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    On,
    Stop,
}

/// Who is told what happens.
pub trait Sink {
    /// An observation was read, and is judged next.
    fn saw(&mut self, _seen: &Observation<'_>) {}

    /// The monitor has judged an observation: its verdicts and remarks are new.
    fn judged(&mut self, monitor: &dyn Watcher, log: &str) -> io::Result<Flow>;

    /// A record of a log is none, or a strange one.
    fn problem(&mut self, log: &str, problem: &RecordProblem) -> Flow;

    /// A log, or a connection, cannot be read on.
    fn failed(&mut self, log: &str, error: &io::Error) -> Flow;

    /// A log was cut or replaced, and is read from its beginning now.
    fn renewed(&mut self, log: &str, renewal: Renewal) -> Flow;

    /// A moment at which everything up to here has been judged: time to flush, and to save when `is_due`.
    fn pause(
        &mut self,
        monitor: &dyn Watcher,
        reached: &[(String, FileProgress)],
        is_due: bool,
    ) -> io::Result<()>;
}

/// What is read, and how long.
pub struct FeedRun<'r> {
    pub files: Vec<FileSource>,
    /// Streams.
    pub live: Option<LiveFeed>,
    /// Files may grow: wait for more.
    pub follow: bool,
    /// Saves are due so often.
    pub save_every: Duration,
    /// Becomes true when the run is to stop.
    pub cancel: &'r AtomicBool,
}

/// Records of one file before the next file gets its turn.
const TURN: usize = 4096;
/// How long to wait for a file to grow.
const NAP: Duration = Duration::from_millis(20);

/// Feeds the monitor until everything has ended, or someone stops it.
///
/// The monitor does not learn of the end: whether the logs are over is for the caller to say.
pub fn run(
    run: &mut FeedRun<'_>,
    monitor: &mut dyn Watcher,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut is_open = vec![true; run.files.len()];
    let predecessors = predecessors(run);
    let mut is_live = run.live.is_some();
    let mut saved = Instant::now();
    loop {
        let mut has_read = false;
        for (number, file) in run.files.iter_mut().enumerate() {
            let must_wait = predecessors[number].is_some_and(|before| is_open[before]);
            if !is_open[number] || must_wait {
                continue;
            }
            if run.follow
                && let Ok(Some(renewal)) = file.rewritten()
                && sink.renewed(&file.path, renewal) == Flow::Stop
            {
                return pause(run, monitor, sink, true);
            }
            let before = file.reader.position();
            match turn(file, monitor, sink)? {
                Turn::Stopped => return pause(run, monitor, sink, true),
                Turn::More => has_read = true,
                Turn::End if run.follow => {
                    let is_growing = file.reader.position() != before;
                    let renewal = match file.renew(is_growing) {
                        Ok(renewal) => renewal,
                        Err(error) => {
                            is_open[number] = false;
                            match sink.failed(&file.path, &error) {
                                Flow::On => None,
                                Flow::Stop => return pause(run, monitor, sink, true),
                            }
                        }
                    };
                    if let Some(renewal) = renewal {
                        has_read = true;
                        if sink.renewed(&file.path, renewal) == Flow::Stop {
                            return pause(run, monitor, sink, true);
                        }
                    }
                }
                Turn::End | Turn::Failed => {
                    is_open[number] = false;
                    for problem in file.outliers.end() {
                        if sink.problem(&file.path, &problem) == Flow::Stop {
                            return pause(run, monitor, sink, true);
                        }
                    }
                }
            }
        }
        if is_live && let Some(live) = &run.live {
            let may_wait = !has_read && !is_open.contains(&true);
            loop {
                let batch = if may_wait && !has_read {
                    live.receiver
                        .recv_timeout(NAP)
                        .map_err(|error| match error {
                            RecvTimeoutError::Timeout => TryRecvError::Empty,
                            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                        })
                } else {
                    live.receiver.try_recv()
                };
                match batch {
                    Ok(batch) => {
                        has_read = true;
                        for item in batch.items {
                            if take(item, &batch.from, monitor, sink)? == Flow::Stop {
                                return pause(run, monitor, sink, true);
                            }
                        }
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        is_live = false;
                        break;
                    }
                }
                if run.cancel.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        let is_due = saved.elapsed() >= run.save_every;
        pause(run, monitor, sink, is_due)?;
        if is_due {
            saved = Instant::now();
        }
        let is_over = !is_live && !is_open.contains(&true);
        if is_over || run.cancel.load(Ordering::Relaxed) {
            return pause(run, monitor, sink, true);
        }
        if !has_read && !is_live {
            std::thread::sleep(NAP);
        }
    }
}

/// Of each file the one that is read to its end before: several logs of one service follow each other as they were
/// given, unless they grow, and then none of them ends.
fn predecessors(run: &FeedRun<'_>) -> Vec<Option<usize>> {
    let of_same_service = |number: usize| {
        let service = run.files[number].service();
        (0..number)
            .rev()
            .find(|&before| run.files[before].service() == service)
    };
    (0..run.files.len())
        .map(|number| of_same_service(number).filter(|_| !run.follow))
        .collect()
}

enum Turn {
    More,
    End,
    Failed,
    Stopped,
}

fn turn(file: &mut FileSource, monitor: &mut dyn Watcher, sink: &mut dyn Sink) -> io::Result<Turn> {
    for _ in 0..TURN {
        let position = file.reader.position();
        let flow = match file.reader.next() {
            NextRecord::Observation(seen, remark) => {
                let strange = file.outliers.look(&seen);
                let is_kept = strange.as_ref().is_some_and(|it| it.is_kept);
                let mut flow = Flow::On;
                if let Some((before, problem)) = strange.and_then(|it| it.before) {
                    flow = told(problem.as_ref(), &file.path, sink);
                    if flow == Flow::On {
                        flow = observe(&before, &file.path, monitor, sink)?;
                    }
                }
                if flow == Flow::On {
                    flow = told(remark.as_ref(), &file.path, sink);
                }
                if flow == Flow::On && !is_kept {
                    flow = observe(&seen, &file.path, monitor, sink)?;
                }
                file.kept_from = match (file.outliers.keeps(), file.kept_from) {
                    (false, _) => None,
                    (true, known) => known.or(Some(position)),
                };
                flow
            }
            NextRecord::Problem(problem) => sink.problem(&file.path, &problem),
            NextRecord::End => return Ok(Turn::End),
            NextRecord::Failed(error) => {
                return Ok(match sink.failed(&file.path, &error) {
                    Flow::On => Turn::Failed,
                    Flow::Stop => Turn::Stopped,
                });
            }
        };
        if flow == Flow::Stop {
            return Ok(Turn::Stopped);
        }
    }
    Ok(Turn::More)
}

fn told(problem: Option<&RecordProblem>, log: &str, sink: &mut dyn Sink) -> Flow {
    problem.map_or(Flow::On, |problem| sink.problem(log, problem))
}

fn take(
    item: Item,
    from: &str,
    monitor: &mut dyn Watcher,
    sink: &mut dyn Sink,
) -> io::Result<Flow> {
    match item {
        Item::Problem(problem) => Ok(sink.problem(from, &problem)),
        Item::Failed(error) => Ok(sink.failed(from, &error)),
        Item::Observation(seen, remark) => match told(remark.as_ref(), from, sink) {
            Flow::On => observe(&seen, from, monitor, sink),
            Flow::Stop => Ok(Flow::Stop),
        },
    }
}

fn observe(
    seen: &Observation<'_>,
    log: &str,
    monitor: &mut dyn Watcher,
    sink: &mut dyn Sink,
) -> io::Result<Flow> {
    sink.saw(seen);
    monitor.observe(seen);
    if monitor.verdicts().is_empty() && monitor.remarks().is_empty() {
        Ok(Flow::On)
    } else {
        sink.judged(monitor, log)
    }
}

fn pause(
    run: &mut FeedRun<'_>,
    monitor: &dyn Watcher,
    sink: &mut dyn Sink,
    is_due: bool,
) -> io::Result<()> {
    let reached: Vec<(String, FileProgress)> = if is_due {
        run.files
            .iter_mut()
            .map(|file| (file.path.clone(), file.reached()))
            .collect()
    } else {
        Vec::new()
    };
    sink.pause(monitor, &reached, is_due)
}
