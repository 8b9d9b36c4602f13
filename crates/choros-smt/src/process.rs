//! A solver's process: text in, one S-expression out, never waited for without end.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::sexpr::Scanner;
use crate::{Limits, SolverError};

/// How much longer than its own bound a process may take before it is taken to ignore it.
const GRACE: Duration = Duration::from_millis(500);

/// How often the wish to stop is examined while waiting.
const PATIENCE: Duration = Duration::from_millis(20);

/// What fits into a pipe that is being read for certain, so that writing it cannot block.
const FITS: usize = 32 * 1024;

/// A running solver; killed and reaped when dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    unread: Vec<u8>,
}

/// Why no answer came.
#[derive(Debug)]
pub(crate) enum Silence {
    /// It ended.
    Died,
    /// It took too long.
    Late,
    /// Someone asked to stop.
    Cancelled,
}

impl Process {
    pub(crate) fn start(program: &str, arguments: &[String]) -> Result<Process, SolverError> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| SolverError::Start {
                program: program.to_owned(),
                source,
            })?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let (sender, output) = channel();
        // The thread ends with the process, whose end of the pipe it reads.
        std::thread::spawn(move || {
            let Some(mut stdout) = stdout else { return };
            let mut buffer = [0; 16 * 1024];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Process {
            child,
            stdin,
            output,
            unread: Vec::new(),
        })
    }

    /// Sends commands and waits for this many answers.
    pub(crate) fn ask(
        &mut self,
        commands: &str,
        answers: usize,
        limits: &Limits,
    ) -> Result<Vec<String>, Silence> {
        let deadline = Instant::now() + limits.patience() + GRACE;
        self.send(commands.as_bytes().to_vec(), deadline, limits)?;
        let mut found = Vec::with_capacity(answers);
        for _ in 0..answers {
            found.push(self.answer(deadline, limits)?);
        }
        Ok(found)
    }

    fn send(&mut self, bytes: Vec<u8>, deadline: Instant, limits: &Limits) -> Result<(), Silence> {
        let mut stdin = self.stdin.take().ok_or(Silence::Died)?;
        if bytes.len() <= FITS {
            stdin.write_all(&bytes).map_err(|_| Silence::Died)?;
            self.stdin = Some(stdin);
            return Ok(());
        }
        // More than the pipe holds: a solver that stopped reading must not stop us.
        let (sender, written) = channel();
        std::thread::spawn(move || {
            if stdin.write_all(&bytes).is_ok() {
                let _ = sender.send(stdin);
            }
        });
        self.stdin = Some(wait_for(&written, deadline, limits)?);
        Ok(())
    }

    /// The next whole S-expression.
    fn answer(&mut self, deadline: Instant, limits: &Limits) -> Result<String, Silence> {
        let mut scanner = Scanner::default();
        let mut scanned = 0;
        loop {
            while let Some(&byte) = self.unread.get(scanned) {
                scanned += 1;
                if scanner.completes(byte) {
                    let answer: Vec<u8> = self.unread.drain(..scanned).collect();
                    return Ok(String::from_utf8_lossy(&answer).trim().to_owned());
                }
            }
            let more = wait_for(&self.output, deadline, limits)?;
            self.unread.extend_from_slice(&more);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Errors mean that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait_for<T>(receiver: &Receiver<T>, deadline: Instant, limits: &Limits) -> Result<T, Silence> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let slice = match &limits.cancel {
            Some(cancel) if cancel.load(Ordering::Relaxed) => return Err(Silence::Cancelled),
            Some(_) => left.min(PATIENCE),
            None => left,
        };
        match receiver.recv_timeout(slice) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Died),
            Err(RecvTimeoutError::Timeout) if left <= slice => return Err(Silence::Late),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_hangs_is_given_up_and_killed() {
        let mut process =
            Process::start("sleep", &["1000".to_owned()]).expect("every Unix has sleep");
        let id = process.child.id();
        let limits = Limits {
            milliseconds: Some(1),
            ..Limits::default()
        };
        let silence = process.ask("(check-sat)\n", 1, &limits);
        assert!(matches!(silence, Err(Silence::Late)));
        drop(process);
        assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
    }

    #[test]
    fn a_process_that_stops_reading_does_not_block_us() {
        let mut process =
            Process::start("sleep", &["1000".to_owned()]).expect("every Unix has sleep");
        let limits = Limits {
            milliseconds: Some(1),
            ..Limits::default()
        };
        let silence = process.ask(&" ".repeat(1_000_000), 1, &limits);
        assert!(matches!(silence, Err(Silence::Late)));
    }

    #[test]
    fn a_process_that_ends_is_noticed() {
        let mut process = Process::start("true", &[]).expect("every Unix has true");
        let silence = process.ask("(check-sat)\n", 1, &Limits::default());
        assert!(matches!(silence, Err(Silence::Died)));
    }

    #[test]
    fn answers_are_taken_one_by_one() {
        let mut process = Process::start("cat", &[]).expect("every Unix has cat");
        let answers = process
            .ask("sat\n((x \"a b\"))\n", 2, &Limits::default())
            .expect("two answers");
        assert_eq!(answers, ["sat", "((x \"a b\"))"]);
    }
}
