//! Questions about models in which nothing is said.
//!
//! A part without messages is nothing unusual: a role that does nothing, one side of a choice, an operand in a script.
//! Where a whole file, or everything that a question is about, has not one message, there was nothing to judge.

use std::collections::BTreeSet;

use choros_base::has_errors;

use super::{Answered, Present, RunNotes, Stop, unknown};
use crate::{Answer, NamedResult, VerdictKind};

/// Whether the models that a run opened exchange messages.
#[derive(Debug, Clone, Default)]
pub struct Silence {
    silent: BTreeSet<String>,
    speaking: BTreeSet<String>,
}

const NOTHING_JUDGED: &str = "no message is exchanged, so nothing was judged";

impl Silence {
    /// A file was opened: `names` are those of its components, or its path.
    pub fn opened(&mut self, names: impl IntoIterator<Item = String>, has_messages: bool) {
        if has_messages {
            self.speaking.extend(names);
        } else {
            self.silent.extend(names);
        }
    }

    /// Adds what a part of the run opened.
    pub fn absorb(&mut self, part: Silence) {
        self.silent.extend(part.silent);
        self.speaking.extend(part.speaking);
    }

    /// Whether nothing was opened but models without messages.
    fn is_whole(&self) -> bool {
        self.speaking.is_empty() && !self.silent.is_empty()
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.silent.iter().map(String::as_str).collect();
        names.join(", ")
    }

    /// Whether an answer of this name is about nothing.
    fn covers(&self, name: &str) -> bool {
        self.is_whole() || (self.silent.contains(name) && !self.speaking.contains(name))
    }

    /// What holds of nothing is not known to hold; what fails has evidence.
    pub(crate) fn settle(&self, outcomes: &mut Vec<NamedResult>) {
        if self.is_whole() && outcomes.is_empty() {
            outcomes.push(unknown(self.names(), NOTHING_JUDGED.to_owned()));
        }
        let silent = outcomes.iter_mut().filter(|it| self.covers(&it.name));
        for answer in silent.filter_map(|it| it.answer.as_mut()) {
            if matches!(answer.word, VerdictKind::Holds | VerdictKind::Conditional) {
                *answer = Answer {
                    word: VerdictKind::Unknown,
                    condition: None,
                    reason: Some(NOTHING_JUDGED.to_owned()),
                    evidence: None,
                };
            }
        }
    }
}

impl<T: Present> Answered<T> {
    /// An answer and its run; what is made of messages cannot be made without any.
    pub fn new(answer: Result<T, Stop>, run: RunNotes) -> Answered<T> {
        let is_about_nothing = run.silence.is_whole() && !has_errors(&run.findings);
        let answer = match answer {
            Ok(made) if is_about_nothing && made.is_made_of_messages() => Err(Stop::Unsettled {
                name: run.silence.names(),
                reason: "no message is exchanged, so there is nothing to show".to_owned(),
            }),
            answer => answer,
        };
        Answered { answer, run }
    }
}
