#![doc = include_str!("../README.md")]

mod capabilities;
mod commands;
mod documents;
mod features;
mod findings;
mod jobs;
mod position;
mod protocol;
mod requests;
mod server;
mod transport;
mod uri;

use std::io::{BufReader, stdin, stdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, spawn};

use serde_json::Value;

use server::Event;
pub use transport::Input;

/// Serves the editor at standard input and output until it leaves; whether it took leave before.
pub fn serve_stdio() -> bool {
    let (inputs, outputs, server) = start();
    // It ends with the process: nothing else interrupts a thread that waits for input.
    spawn(move || transport::read_all(BufReader::new(stdin()), &|input| inputs.send(input)));
    transport::write_all(stdout().lock(), &outputs);
    server.join().unwrap_or(false)
}

/// Starts a server that is talked to in memory: where it listens, what it says, and whether it ended in order.
pub fn start() -> (Inputs, Receiver<Value>, JoinHandle<bool>) {
    let (events, incoming) = channel();
    let (out, outputs) = channel();
    let inputs = Inputs(events.clone());
    let server = spawn(move || server::serve(&incoming, events, out));
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
