#![doc = include_str!("../README.md")]

mod answer;
mod capabilities;
mod commands;
mod documents;
mod execution;
mod features;
mod findings;
mod jobs;
mod memory;
mod position;
mod protocol;
mod repairs;
mod requests;
mod server;
mod tests_view;
mod transport;
mod uri;
mod verbs;

use std::io::{BufReader, stdin, stdout};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, spawn};

use serde_json::Value;

pub use memory::MemoryLimit;
use server::Event;
pub use transport::Input;
pub use verbs::{VerbContext, VerbResult, Verbs};

/// Serves the editor at standard input and output until it leaves; whether it took leave before.
///
/// A program that embeds the server may give it all verbs of a command; without, it has some of its own.
/// Work that takes more memory than the limit is stopped; if that does not help, the server ends.
pub fn serve_stdio(verbs: Option<Arc<dyn Verbs>>, memory: Option<MemoryLimit>) -> bool {
    let (inputs, outputs, server) = start_with(verbs, memory);
    // It ends with the process: nothing else interrupts a thread that waits for input.
    spawn(move || transport::read_all(BufReader::new(stdin()), &|input| inputs.send(input)));
    transport::write_all(stdout().lock(), &outputs);
    server.join().unwrap_or(false)
}

/// Starts a server that is talked to in memory: where it listens, what it says, and whether it ended in order.
pub fn start() -> (Inputs, Receiver<Value>, JoinHandle<bool>) {
    start_with(None, None)
}

/// The same with the verbs of a command and a limit on memory.
pub fn start_with(
    verbs: Option<Arc<dyn Verbs>>,
    memory: Option<MemoryLimit>,
) -> (Inputs, Receiver<Value>, JoinHandle<bool>) {
    let (events, incoming) = channel();
    let (out, outputs) = channel();
    let inputs = Inputs(events.clone());
    let server = spawn(move || server::serve(&incoming, events, out, verbs, memory));
    (inputs, outputs, server)
}

/// Where a server listens.
#[derive(Clone)]
pub struct Inputs(Sender<Event>);

impl Inputs {
    /// Says something; false when no one listens any more.
    pub fn send(&self, input: Input) -> bool {
        self.0.send(Event::Input(input)).is_ok()
    }
}
