//! Who runs a verb: someone at a terminal, or a program that has the command inside.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use choros::base::{SourceMap, Sources};
use choros::report::Report;
use choros::{Events, Secrets};

/// Who runs a verb.
#[derive(Clone)]
pub(crate) enum Caller {
    /// Someone at a terminal, or a script.
    Terminal {
        /// For the report of a run that is cut off.
        verb: &'static str,
    },
    /// A program, which takes the answer as a value.
    #[cfg_attr(
        not(feature = "lsp"),
        expect(dead_code, reason = "the language server is one")
    )]
    Program(Program),
}

/// A program that has the command inside.
#[derive(Clone)]
pub(crate) struct Program {
    /// Where texts come from, given the folders that models may refer to.
    pub(crate) sources: Arc<dyn Fn(Vec<PathBuf>) -> Box<dyn Sources> + Send + Sync>,
    /// Becomes true when the program wants no answer any more.
    pub(crate) cancel: Arc<AtomicBool>,
    /// Is told what happens.
    pub(crate) events: Events,
    /// What must not be shown.
    pub(crate) secrets: Secrets,
    /// What the verb said.
    said: Arc<Mutex<Said>>,
}

/// What a verb said to a program.
#[derive(Default)]
pub(crate) struct Said {
    /// What would stand on the terminal.
    pub(crate) text: String,
    /// The answer, and the texts that it speaks of.
    pub(crate) report: Option<(Report, SourceMap)>,
}

#[cfg_attr(
    not(feature = "lsp"),
    expect(dead_code, reason = "the language server is one")
)]
impl Program {
    pub(crate) fn new(
        sources: Arc<dyn Fn(Vec<PathBuf>) -> Box<dyn Sources> + Send + Sync>,
        cancel: Arc<AtomicBool>,
        events: Events,
        secrets: Secrets,
    ) -> Program {
        Program {
            sources,
            cancel,
            events,
            secrets,
            said: Arc::default(),
        }
    }

    /// Takes what was said.
    pub(crate) fn heard(&self) -> Said {
        std::mem::take(&mut *self.lock())
    }
}

impl Program {
    fn lock(&self) -> std::sync::MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something.
    pub(crate) fn say(&self, text: &str) {
        self.lock().text.push_str(text);
    }

    /// Gives the answer.
    pub(crate) fn answer(&self, report: &Report, sources: &SourceMap) {
        self.lock().report = Some((report.clone(), sources.clone()));
    }
}
