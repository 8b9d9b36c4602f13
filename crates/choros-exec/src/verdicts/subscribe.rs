//! Hearing the verdicts of testers in other processes.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::line::{EndOfVerdicts, VerdictEvent, read_line};
use crate::address::resolved;

/// Verdicts of several testers, as they come.
pub struct Subscription {
    receiver: Receiver<(usize, Result<VerdictEvent, String>)>,
    open: usize,
}

/// A line of verdicts is not longer than this.
const MAX_LINE_BYTES: u64 = 1 << 24;

/// Connects to testers, each in a thread of its own; a tester that is not there yet is waited for so long.
pub fn subscribe(
    addresses: &[String],
    patience: Duration,
    cancel: &Arc<AtomicBool>,
) -> Subscription {
    let (sender, receiver) = sync_channel(1024);
    for (number, address) in addresses.iter().enumerate() {
        let (address, sender, cancel) = (address.clone(), sender.clone(), cancel.clone());
        std::thread::spawn(move || {
            let result = listen(number, &address, patience, &cancel, &sender);
            let last = result.map(VerdictEvent::End);
            let _ = sender.send((number, last));
        });
    }
    Subscription {
        receiver,
        open: addresses.len(),
    }
}

impl Subscription {
    /// The next thing heard, and from which tester; none when all have ended.
    ///
    /// An error is the last thing that comes from a tester.
    pub fn next(&mut self, cancel: &AtomicBool) -> Option<(usize, Result<VerdictEvent, String>)> {
        while self.open > 0 && !cancel.load(Ordering::Relaxed) {
            match self.receiver.recv_timeout(Duration::from_millis(50)) {
                Ok((number, heard)) => {
                    if matches!(heard, Ok(VerdictEvent::End(_)) | Err(_)) {
                        self.open -= 1;
                    }
                    return Some((number, heard));
                }
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

fn listen(
    number: usize,
    address: &str,
    patience: Duration,
    cancel: &AtomicBool,
    sender: &SyncSender<(usize, Result<VerdictEvent, String>)>,
) -> Result<EndOfVerdicts, String> {
    let begun = Instant::now();
    let stream = loop {
        match resolved(address).and_then(TcpStream::connect) {
            Ok(stream) => break stream,
            Err(error) if begun.elapsed() > patience || cancel.load(Ordering::Relaxed) => {
                return Err(format!("`{address}` cannot be reached: {error}"));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    loop {
        line.clear();
        let count = (&mut reader)
            .take(MAX_LINE_BYTES)
            .read_line(&mut line)
            .map_err(|error| format!("`{address}`: {error}"))?;
        if count == 0 {
            return Err(format!("`{address}` broke off before its end"));
        }
        match read_line(&line) {
            Ok(None) => {}
            Ok(Some(VerdictEvent::End(last))) => return Ok(last),
            Ok(Some(heard)) => {
                if sender.send((number, Ok(heard))).is_err() {
                    return Ok(EndOfVerdicts::default());
                }
            }
            Err(message) => {
                return Err(format!(
                    "`{address}` sent something that is not a verdict: {message}"
                ));
            }
        }
    }
}
