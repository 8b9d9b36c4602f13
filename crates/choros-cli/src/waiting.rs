//! A line on the terminal for runs that take longer than two seconds.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use choros::Progress;

/// Shows progress on standard error until it is dropped; nothing where standard error is no terminal.
pub(crate) struct Waiting {
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How long a run may take in silence.
const SILENCE: Duration = Duration::from_secs(2);
const BEAT: Duration = Duration::from_millis(250);

impl Waiting {
    pub(crate) fn new(progress: Progress) -> Waiting {
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
                let line = line(&progress.now(), started.elapsed());
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
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((stop, handle)) = self.line.take() {
            drop(stop);
            let _ = handle.join();
        }
    }
}

fn line(now: &str, elapsed: Duration) -> String {
    let what = if now.is_empty() { "working" } else { now };
    let what: String = what.chars().take(60).collect();
    format!(
        "{what} … {} s (Ctrl-C shows what is known)",
        elapsed.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_and_how_long() {
        assert_eq!(
            line("checking `shop`", Duration::from_millis(3_900)),
            "checking `shop` … 3 s (Ctrl-C shows what is known)"
        );
        assert!(line("", SILENCE).starts_with("working"));
    }
}
