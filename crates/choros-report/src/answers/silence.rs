//! Questions about models in which nothing is said.
//!
//! A part without messages is nothing unusual: a role that does nothing, one side of a choice, an operand in a script.
//! Where a whole file, or everything that a question is about, has not one message, there was nothing to judge.

use std::collections::BTreeSet;

use choros_base::has_errors;
use choros_model::{Help, Observed, Unknown, Verdict};

use super::{Answered, Present, RunNotes, Stop, unknown};
use crate::NamedResult;

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

    /// Where nothing was said of nothing, that is said.
    pub(crate) fn settle(&self, outcomes: &mut Vec<NamedResult>) {
        if self.is_whole() && outcomes.is_empty() {
            outcomes.push(unknown(self.names(), NOTHING_JUDGED.to_owned()));
        }
    }
}

impl<T: Present> Answered<T> {
    /// An answer and its run; what is made of messages cannot be made without any, and nothing holds of nothing.
    pub fn new(answer: Result<T, Stop>, run: RunNotes) -> Answered<T> {
        if has_errors(&run.findings) {
            return Answered { answer, run };
        }
        let answer = match answer {
            Ok(made) if run.silence.is_whole() && made.is_made_of_messages() => {
                Err(Stop::Unsettled {
                    name: run.silence.names(),
                    reason: "no message is exchanged, so there is nothing to show".to_owned(),
                })
            }
            Ok(mut answer) => {
                answer.doubt(&|name| run.silence.covers(name));
                Ok(answer)
            }
            stop => stop,
        };
        Answered { answer, run }
    }
}

/// What holds of nothing is not known to hold.
pub(super) fn doubt(verdict: &mut Verdict) {
    if matches!(verdict, Verdict::Holds(_) | Verdict::HoldsIf(..)) {
        *verdict = Verdict::Unknown(nothing_judged());
    }
}

/// The same about what was observed.
pub(super) fn doubt_observed(verdict: &mut Observed) {
    if !matches!(verdict, Observed::Fails { .. } | Observed::Unknown(_)) {
        *verdict = Observed::Unknown(nothing_judged());
    }
}

/// Why nothing is known of a model without messages.
pub(super) fn nothing_judged() -> Unknown {
    Unknown {
        reason: NOTHING_JUDGED.to_owned(),
        help: Help::NoBound,
        evidence: None,
    }
}
