//! A question that is being answered: the command itself, in a process of its own.
//!
//! What explodes there does not take the page with it, a bound on memory is the process's own, and stopping always
//! succeeds.
//! The process stops by itself once its standard input is closed, which also happens where this server is killed.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A question that is being answered; dropping it stops the work.
pub(crate) struct Job {
    stopped: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    process: Arc<Mutex<Option<Running>>>,
}

struct Running {
    child: Child,
    input: Option<ChildStdin>,
}

/// What is heard of a job.
pub(crate) enum JobEvent {
    /// Others are answered first.
    Waiting,
    /// An event, as the command tells it.
    Event(Value, usize),
    /// It is over: the exit code if there is one, and what was said on standard error.
    Over(Option<i32>, String),
}

/// How long a process has to stop by itself.
const GRACE: Duration = Duration::from_secs(3);
/// An event that is longer ends the process.
const MAX_EVENT_BYTES: u64 = 64 * 1024 * 1024;
const MAX_COMPLAINT_BYTES: u64 = 64 * 1024;

impl Job {
    /// Starts the command with these words in a folder.
    pub(crate) fn start(
        command: &Path,
        words: Vec<String>,
        folder: &Path,
        lanes: &Arc<Lanes>,
        mut tell: impl FnMut(JobEvent) + Send + 'static,
    ) -> Job {
        let job = Job {
            stopped: Arc::default(),
            over: Arc::default(),
            process: Arc::default(),
        };
        let mut command = Command::new(command);
        command
            .args(words)
            .current_dir(folder)
            .env("CHOROS_EVENTS", "json")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (stopped, process, lanes) = (job.stopped.clone(), job.process.clone(), lanes.clone());
        let done = job.over.clone();
        std::thread::spawn(move || {
            if lanes.are_full() {
                tell(JobEvent::Waiting);
            }
            if !lanes.enter(&stopped) {
                done.store(true, Ordering::SeqCst);
                return tell(JobEvent::Over(None, "stopped before it began".to_owned()));
            }
            let over = run(&mut command, &stopped, &process, &mut tell);
            lanes.leave();
            done.store(true, Ordering::SeqCst);
            tell(over);
        });
        job
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Asks it to stop with what it knows; it is ended if it does not.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(running) = process.as_mut() else {
            return;
        };
        if running.input.take().is_none() {
            return;
        }
        let process = self.process.clone();
        std::thread::spawn(move || {
            let until = Instant::now() + GRACE;
            while Instant::now() < until {
                std::thread::sleep(Duration::from_millis(50));
                if process
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .is_none()
                {
                    return;
                }
            }
            let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(running) = process.as_mut() {
                let _ = running.child.kill();
            }
        });
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(
    command: &mut Command,
    stopped: &AtomicBool,
    process: &Mutex<Option<Running>>,
    tell: &mut impl FnMut(JobEvent),
) -> JobEvent {
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            return JobEvent::Over(None, format!("the command cannot be started: {error}"));
        }
    };
    let (input, output, complaints) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    {
        let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have stopped it before there was anything to stop.
        let input = input.filter(|_| !stopped.load(Ordering::SeqCst));
        *process = Some(Running { child, input });
    }
    let complaints = std::thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut from) = complaints {
            let _ = from
                .by_ref()
                .take(MAX_COMPLAINT_BYTES)
                .read_to_end(&mut said);
            let _ = std::io::copy(&mut from, &mut std::io::sink());
        }
        String::from_utf8_lossy(&said).into_owned()
    });
    if let Some(output) = output {
        hear(output, tell);
    }
    // The process has closed its output: it ends, or it is ended.
    let status = {
        let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
        process.take().and_then(|mut it| {
            drop(it.input.take());
            let until = Instant::now() + GRACE;
            while Instant::now() < until {
                if let Ok(Some(status)) = it.child.try_wait() {
                    return Some(status);
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            let _ = it.child.kill();
            it.child.wait().ok()
        })
    };
    let said = complaints.join().unwrap_or_default();
    JobEvent::Over(status.and_then(|it| it.code()), said)
}

/// Tells what a process says, line by line.
fn hear(output: impl Read, tell: &mut impl FnMut(JobEvent)) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output
            .by_ref()
            .take(MAX_EVENT_BYTES)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') {
            return;
        }
        if let Ok(event) = serde_json::from_slice(&line) {
            tell(JobEvent::Event(event, line.len()));
        }
    }
}

/// How many processes work at a time.
pub(crate) struct Lanes {
    free: Mutex<usize>,
    left: Condvar,
}

impl Lanes {
    pub(crate) fn new(count: usize) -> Lanes {
        Lanes {
            free: Mutex::new(count.max(1)),
            left: Condvar::new(),
        }
    }

    fn are_full(&self) -> bool {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) == 0
    }

    /// Waits for a lane; false if the work was stopped before.
    fn enter(&self, stopped: &AtomicBool) -> bool {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 && !stopped.load(Ordering::SeqCst) {
            let waited = self.left.wait_timeout(free, Duration::from_millis(200));
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if stopped.load(Ordering::SeqCst) {
            return false;
        }
        *free -= 1;
        true
    }

    fn leave(&self) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.left.notify_one();
    }
}
