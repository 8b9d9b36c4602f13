//! Observations that come when they come: standard input, and connections.
//!
//! Each is read in a thread of its own, so that no one waits for the slowest; what was read continues in batches as soon
//! as nothing more is there at the moment.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use choros_model::observation::Observation;

use crate::address::resolved;
use crate::log::outlier::Outliers;
use crate::log::{LogOptions, LogReader, NextRecord, RecordProblem};

use super::http;

/// What a thread has read.
pub(super) struct Batch {
    pub(super) from: Arc<str>,
    pub(super) items: Vec<Item>,
}

pub(super) enum Item {
    Observation(Observation<'static>, Option<RecordProblem>),
    Problem(RecordProblem),
    Failed(io::Error),
}

/// Observations that come when they come.
pub struct LiveFeed {
    pub(super) receiver: Receiver<Batch>,
    /// The address of the listener.
    pub address: Option<String>,
    is_over: Arc<AtomicBool>,
}

impl Drop for LiveFeed {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

const BATCH: usize = 1024;

/// Reads standard input.
pub fn standard_input(options: LogOptions) -> LiveFeed {
    let (sender, receiver) = sync_channel(4);
    std::thread::spawn(move || {
        forward(
            Box::new(io::stdin()),
            options,
            "standard input".into(),
            &sender,
        );
    });
    LiveFeed {
        receiver,
        address: None,
        is_over: Arc::default(),
    }
}

/// Listens for connections that send lines, as they are or posted over HTTP; ends after this many connections, or never.
pub fn listen(
    address: &str,
    options: LogOptions,
    connections: Option<usize>,
) -> io::Result<LiveFeed> {
    let listener = TcpListener::bind(resolved(address)?)?;
    let address = listener.local_addr()?.to_string();
    listener.set_nonblocking(true)?;
    let (sender, receiver) = sync_channel(8);
    let is_over = Arc::new(AtomicBool::new(false));
    let flag = is_over.clone();
    std::thread::spawn(move || {
        let mut accepted = 0;
        while !flag.load(Ordering::Relaxed) && connections.is_none_or(|most| accepted < most) {
            match listener.accept() {
                Ok((stream, from)) => {
                    accepted += 1;
                    let (options, sender) = (options.clone(), sender.clone());
                    std::thread::spawn(move || {
                        connection(stream, &from.to_string(), options, &sender);
                    });
                }
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        // The channel closes when the last connection has ended and this sender is gone.
    });
    Ok(LiveFeed {
        receiver,
        address: Some(address),
        is_over,
    })
}

fn connection(stream: TcpStream, from: &str, options: LogOptions, sender: &SyncSender<Batch>) {
    let name: Arc<str> = from.into();
    let fail = |error: io::Error| {
        let _ = sender.send(Batch {
            from: name.clone(),
            items: vec![Item::Failed(error)],
        });
    };
    if let Err(error) = stream.set_nonblocking(false) {
        return fail(error);
    }
    let answer = stream.try_clone();
    let mut input = BufReader::new(stream);
    let is_http = match input.fill_buf() {
        Ok(bytes) => {
            bytes.starts_with(b"POST ") || bytes.starts_with(b"PUT ") || bytes.starts_with(b"GET ")
        }
        Err(error) => return fail(error),
    };
    if !is_http {
        forward(Box::new(input), options, name.clone(), sender);
        return;
    }
    let status = match http::head(input) {
        Ok(body) => {
            // The sender learns whether all of it could be read.
            if forward(Box::new(body), options, name.clone(), sender) {
                "204 No Content"
            } else {
                "400 Bad Request"
            }
        }
        Err(error) => {
            fail(error);
            "400 Bad Request"
        }
    };
    if let Ok(mut answer) = answer {
        let text = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let _ = answer.write_all(text.as_bytes());
    }
}

/// Reads to the end, and hands on what was read; *false* if the end could not be reached.
fn forward(
    input: Box<dyn Read + Send>,
    options: LogOptions,
    from: Arc<str>,
    sender: &SyncSender<Batch>,
) -> bool {
    let mut reader = LogReader::new(input, options);
    let mut outliers = Outliers::default();
    let mut items = Vec::new();
    let mut is_whole = true;
    loop {
        let is_end = match reader.next() {
            NextRecord::Observation(seen, remark) => {
                let strange = outliers.look(&seen);
                let is_kept = strange.as_ref().is_some_and(|it| it.is_kept);
                if let Some((before, problem)) = strange.and_then(|it| it.before) {
                    items.push(Item::Observation(before, problem));
                }
                if is_kept {
                    items.extend(remark.map(Item::Problem))
                } else {
                    items.push(Item::Observation(seen.into_owned(), remark))
                }
                false
            }
            NextRecord::Problem(problem) => {
                items.push(Item::Problem(problem));
                false
            }
            NextRecord::Failed(error) => {
                items.push(Item::Failed(error));
                is_whole = false;
                true
            }
            NextRecord::End => true,
        };
        if is_end {
            items.extend(outliers.end().into_iter().map(Item::Problem));
        }
        if is_end || items.len() >= BATCH || !reader.is_ready() {
            let batch = Batch {
                from: from.clone(),
                items: std::mem::take(&mut items),
            };
            if sender.send(batch).is_err() || is_end {
                return is_whole;
            }
        }
    }
}
