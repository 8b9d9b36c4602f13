//! Verdicts for testers in other processes.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::line::{EndOfVerdicts, end_line};
use crate::address::resolved;

/// Hands every line to everyone who connects, from the first line that is still kept.
pub struct Publisher {
    feed: Arc<Feed>,
    address: String,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Feed {
    lines: Mutex<Lines>,
    changed: Condvar,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Lines {
    kept: VecDeque<Arc<str>>,
    /// The number of the first line that is kept.
    first: u64,
    bytes: usize,
    /// What is said at the end, once it has come.
    end: Option<Arc<str>>,
    /// Listeners that have had everything.
    served: usize,
    listening: usize,
}

/// This many bytes are kept for those who come late or read slowly.
const MAX_BYTES: usize = 8 << 20;

impl Publisher {
    /// Listens at an address; port 0 takes any free one.
    pub fn bind(address: &str) -> io::Result<Publisher> {
        let listener = TcpListener::bind(resolved(address)?)?;
        let address = listener.local_addr()?.to_string();
        listener.set_nonblocking(true)?;
        let feed = Arc::new(Feed::default());
        let shared = feed.clone();
        let acceptor = std::thread::spawn(move || {
            while !shared.is_over.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        let shared = shared.clone();
                        shared.lock().listening += 1;
                        std::thread::spawn(move || {
                            let had_all = shared.serve(stream).is_ok();
                            let mut lines = shared.lock();
                            lines.listening -= 1;
                            lines.served += usize::from(had_all);
                            shared.changed.notify_all();
                        });
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(20)),
                }
            }
        });
        Ok(Publisher {
            feed,
            address,
            acceptor: Some(acceptor),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Hands out a line.
    pub fn publish(&self, line: &str) {
        let mut lines = self.feed.lock();
        lines.bytes += line.len();
        lines.kept.push_back(line.into());
        while lines.bytes > MAX_BYTES
            && let Some(oldest) = lines.kept.pop_front()
        {
            lines.bytes -= oldest.len();
            lines.first += 1;
        }
        drop(lines);
        self.feed.changed.notify_all();
    }

    /// Says that no more will come, and the last words, and waits until someone has had everything and no one is
    /// still reading.
    pub fn close(mut self, last: &EndOfVerdicts, cancel: &AtomicBool) {
        self.feed.lock().end = Some(end_line(last).into());
        self.feed.changed.notify_all();
        let mut lines = self.feed.lock();
        while (lines.served == 0 || lines.listening > 0) && !cancel.load(Ordering::Relaxed) {
            let wait = Duration::from_millis(50);
            let waited = self.feed.changed.wait_timeout(lines, wait);
            lines = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(lines);
        self.feed.is_over.store(true, Ordering::Relaxed);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

impl Feed {
    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(Duration::from_secs(30)))?;
        let mut next = 0;
        loop {
            let mut batch = String::new();
            let mut is_last = false;
            {
                let mut lines = self.lock();
                while next >= lines.first + lines.kept.len() as u64 && lines.end.is_none() {
                    if self.is_over.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    let wait = Duration::from_millis(200);
                    let waited = self.changed.wait_timeout(lines, wait);
                    lines = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                if next < lines.first {
                    batch.push_str(&format!("{{\"lost\":{}}}\n", lines.first - next));
                    next = lines.first;
                }
                let from = (next - lines.first) as usize;
                for line in lines.kept.iter().skip(from).take(1000) {
                    batch.push_str(line);
                    next += 1;
                }
                if let Some(end) = &lines.end
                    && next == lines.first + lines.kept.len() as u64
                {
                    batch.push_str(end);
                    is_last = true;
                }
            }
            stream.write_all(batch.as_bytes())?;
            if is_last {
                return stream.flush();
            }
        }
    }
}
