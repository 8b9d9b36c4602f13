#![doc = include_str!("../README.md")]

mod answers;
mod assets;
mod checks;
mod files;
mod forms;
mod frames;
mod gallery;
mod job;
mod language;
mod respond;
mod server;
mod socket;
mod state;
mod window;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use forms::{Field, FieldKind, Form};
pub use gallery::Example;

/// What a page is made of.
pub struct Page {
    /// The folder whose files it shows.
    pub folder: PathBuf,
    /// The command that answers: every question starts it once.
    pub command: PathBuf,
    /// The questions that can be asked, with their options.
    pub forms: Vec<Form>,
    /// Models to look at.
    pub gallery: &'static [Example],
    /// Options and the values they get unless a form says otherwise, such as bounds on memory.
    pub defaults: Vec<(String, String)>,
    /// Words that the language server of a window is started with, after `lsp`.
    pub language_words: Vec<String>,
    /// How many answers are worked on at a time.
    pub at_a_time: usize,
}

/// Serves a page on this computer alone until it is told to stop.
///
/// # Errors
///
/// Where nothing can be listened on, or the folder is not there.
pub fn serve(
    page: Page,
    port: u16,
    stop: &Arc<AtomicBool>,
    listening: impl FnOnce(SocketAddr, &str),
) -> std::io::Result<()> {
    server::serve(page, port, stop, listening)
}
