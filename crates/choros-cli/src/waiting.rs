//! A line on the terminal for runs that take longer than two seconds.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use choros::Events;
use choros::base::Measure;

use crate::listener::Listener;
use crate::progress::SharedProgress;

/// Shows progress on standard error until it is dropped; nothing where standard error is not a terminal.
pub(crate) struct Waiting {
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How long a run may take in silence.
const SILENCE: Duration = Duration::from_secs(2);
const BEAT: Duration = Duration::from_millis(250);

impl Waiting {
    pub(crate) fn new(
        progress: SharedProgress,
        events: Events,
        listener: Option<Listener>,
    ) -> Waiting {
        if let Some(listener) = listener {
            return Waiting::told(events, listener);
        }
        if !io::stderr().is_terminal() {
            return Waiting { line: None };
        }
        let (stop, stopped) = channel();
        let handle = std::thread::spawn(move || {
            let started = Instant::now();
            let mut shown = false;
            let mut pause = SILENCE;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = BEAT;
                shown = true;
                let doing = progress.lock().doing.clone();
                let line = line(&doing, events.measure(), started.elapsed());
                let mut out = io::stderr().lock();
                let _ = write!(out, "\r\x1b[K{line}").and_then(|()| out.flush());
            }
            if shown {
                let mut out = io::stderr().lock();
                let _ = write!(out, "\r\x1b[K").and_then(|()| out.flush());
            }
        });
        Waiting {
            line: Some((stop, handle)),
        }
    }

    /// Says how far the work is to a page.
    fn told(events: Events, listener: Listener) -> Waiting {
        let (stop, stopped) = channel();
        let handle = std::thread::spawn(move || {
            while stopped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                listener.measured(events.measure());
            }
        });
        Waiting {
            line: Some((stop, handle)),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((stop, handle)) = self.line.take() {
            drop(stop);
            let _ = handle.join();
        }
    }
}

/// How many characters the bar has.
const BAR: u64 = 20;

fn line(now: &str, measure: Measure, elapsed: Duration) -> String {
    let what = if now.is_empty() { "working" } else { now };
    let mut what: String = what.chars().take(60).collect();
    if !measure.part.is_empty() {
        what = format!("{what}: {}", measure.part);
    }
    let far = match (measure.total, measure.done) {
        (Some(total), done) => {
            // Some steps are done more than once; nothing is whole before it is over.
            let done = done.min(total.saturating_sub(1));
            let full = (done * BAR / total) as usize;
            let (full, empty) = ("#".repeat(full), ".".repeat(BAR as usize - full));
            format!(" [{full}{empty}] {} %", done * 100 / total)
        }
        (None, 0) => " …".to_owned(),
        (None, done) => format!(" … {done}"),
    };
    format!(
        "{what}{far}, {} s (Ctrl-C shows what is known)",
        elapsed.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Measure = Measure {
        part: "",
        done: 0,
        total: None,
    };

    #[test]
    fn the_line_says_what_and_how_long() {
        assert_eq!(
            line("checking `shop`", NOTHING, Duration::from_millis(3_900)),
            "checking `shop` …, 3 s (Ctrl-C shows what is known)"
        );
        assert!(line("", NOTHING, SILENCE).starts_with("working"));
    }

    #[test]
    fn the_line_says_how_far() {
        let measure = Measure {
            part: "solving",
            done: 1_250,
            total: Some(5_000),
        };
        assert_eq!(
            line("comparing", measure, SILENCE),
            "comparing: solving [#####...............] 25 %, 2 s (Ctrl-C shows what is known)"
        );
        let counted = Measure {
            total: None,
            ..measure
        };
        assert!(line("comparing", counted, SILENCE).starts_with("comparing: solving … 1250, 2 s"));
        // Done twice over is still not over.
        let again = Measure {
            done: 12_000,
            ..measure
        };
        assert!(line("comparing", again, SILENCE).contains("###.] 99 %"));
    }
}
