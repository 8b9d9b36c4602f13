//! What a log may lack: the hypothesis under which it is judged.
//!
//! A log is rarely all that its role saw.
//! A *completion* is what the role may really have seen: the log with more messages, where its hypothesis lets them
//! be.
//! Logs do not conform if no completion does; so a hypothesis decides what *fails* means, and the report names it.

/// What a log may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hypothesis {
    /// It was cut: what is missing came after everything in it.
    Cut,
    /// It began late, and may have been cut: what is missing came before everything in it, or after.
    Late,
    /// It has gaps: anything may be missing anywhere.
    Gaps,
}

impl Hypothesis {
    /// The hypothesis in a word.
    pub fn word(self) -> &'static str {
        match self {
            Hypothesis::Cut => "cut",
            Hypothesis::Late => "late",
            Hypothesis::Gaps => "gaps",
        }
    }

    /// The hypothesis with this name.
    pub fn named(word: &str) -> Option<Hypothesis> {
        [Hypothesis::Cut, Hypothesis::Late, Hypothesis::Gaps]
            .into_iter()
            .find(|it| it.word() == word)
    }
}

/// Where a log may lack messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lack {
    pub(crate) beginning: bool,
    pub(crate) gaps: bool,
    pub(crate) end: bool,
}

impl Lack {
    /// A run that has come to its end was not cut.
    pub(crate) fn of(hypothesis: Hypothesis, finished: bool) -> Lack {
        Lack {
            beginning: hypothesis == Hypothesis::Late,
            gaps: hypothesis == Hypothesis::Gaps,
            end: !finished,
        }
    }

    /// Whether anything may be missing.
    pub(crate) fn anything(self) -> bool {
        self.beginning || self.gaps || self.end
    }
}
