//! The verbs of the command that the server is a part of: all of them, with all their options.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use choros::base::{SourceMap, Sources};
use choros::report::Report;
use choros::{Events, Secrets};
use serde_json::Value;

/// What a command can be asked, as its command line takes it.
pub trait Verbs: Send + Sync {
    /// The verbs and their options, for editors that make forms and menus of them.
    ///
    /// A list of objects with `verb`, `about` and `options`; an option has `name`, `help`, `required`, `many`,
    /// `takes` (the word for its value, nothing for a switch), `values` (what it may be, if that is a short list) and
    /// `default`.
    fn declarations(&self) -> Value;

    /// Runs a verb: its name, then what would follow it on the command line.
    fn run(&self, words: &[String], world: VerbContext) -> VerbResult;
}

/// What a verb meets in place of a terminal and a disk.
#[derive(Clone)]
pub struct VerbContext {
    /// Where texts come from, given the folders that models may refer to.
    pub sources: Arc<dyn Fn(Vec<PathBuf>) -> Box<dyn Sources> + Send + Sync>,
    /// Becomes true when no one wants the answer any more.
    pub cancel: Arc<AtomicBool>,
    /// Is told what happens.
    pub events: Events,
    /// What must not be shown.
    pub secrets: Secrets,
}

/// What became of a run.
#[derive(Debug, Default)]
pub struct VerbResult {
    /// As the command exits.
    pub status: u8,
    /// What would stand on the terminal.
    pub text: String,
    /// The answer, and the texts that it speaks of; none where the words made no sense.
    pub report: Option<(Report, SourceMap)>,
}
