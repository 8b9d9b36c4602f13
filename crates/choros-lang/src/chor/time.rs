//! Time in programs: durations, `wait`, `timeout`, `within` and `late`.

use choros_base::Span;

use super::ast::{Block, StatementId};
use crate::ast::Reference;

/// `3s`, or `3` of a unit that the model leaves open.
#[derive(Debug, Clone, Copy)]
pub struct Duration {
    /// How many units.
    pub count: u32,
    /// `None` where the model counts in a unit of its own.
    pub unit: Option<Unit>,
    /// Where it stands.
    pub span: Span,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
}

/// `wait 3s at order`
#[derive(Debug, Clone, Copy)]
pub struct Wait {
    /// How long.
    pub duration: Duration,
    /// The role whose clock measures it, where it is named.
    pub at: Option<Reference>,
}

/// `timeout 3s at order { … } else { … } late Charged { … }`, the same for one message:
/// `payment -> order: Charged within 3s else { … }`, or with further attempts:
/// `retry 3 times every 1s at order { … } else { … } late Charged { … }`.
#[derive(Debug, Clone)]
pub struct Timeout {
    /// How it is written.
    pub form: TimeoutForm,
    /// How long the measuring role waits.
    pub limit: Duration,
    /// The role whose clock measures it, where it is named.
    pub at: Option<Reference>,
    /// What has to begin in time.
    pub body: Block,
    /// What happens otherwise.
    pub otherwise: Block,
    /// What becomes of messages that come too late.
    pub late: Vec<Late>,
}

/// How a timeout is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutForm {
    /// `timeout 3s { … } else { … }`
    Block,
    /// `payment -> order: Charged within 3s else { … }`: the body is one message.
    Message,
    /// `retry 3 times every 3s { … } else { … }`: the first message of the body is sent so often at most.
    Retry(u32),
}

/// `late Charged { … }`
#[derive(Debug, Clone)]
pub struct Late {
    /// The message that may come too late.
    pub operation: Reference,
    /// How it is answered; an empty block ignores it.
    pub answer: Block,
}

impl Unit {
    pub const ALL: [Unit; 4] = [Unit::Millisecond, Unit::Second, Unit::Minute, Unit::Hour];

    /// The word after the number.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Millisecond => "ms",
            Unit::Second => "s",
            Unit::Minute => "min",
            Unit::Hour => "h",
        }
    }

    /// How many milliseconds it has.
    pub fn milliseconds(self) -> u64 {
        match self {
            Unit::Millisecond => 1,
            Unit::Second => 1_000,
            Unit::Minute => 60_000,
            Unit::Hour => 3_600_000,
        }
    }
}

impl Duration {
    /// In milliseconds, or in the units of the model.
    pub fn amount(self) -> u64 {
        u64::from(self.count) * self.unit.map_or(1, Unit::milliseconds)
    }

    /// As it is written.
    pub fn text(self) -> String {
        format!("{}{}", self.count, self.unit.map_or("", Unit::word))
    }
}

impl Wait {
    /// As it is written; `name` is the text of the role.
    pub fn text(self, name: impl FnOnce(Reference) -> String) -> String {
        let at = self.at.map(name);
        let at = at.map_or_else(String::new, |role| format!(" at {role}"));
        format!("wait {}{at}", self.duration.text())
    }
}

impl Timeout {
    /// The first block in braces.
    pub(super) fn header_block(&self) -> &Block {
        match self.form {
            TimeoutForm::Block | TimeoutForm::Retry(_) => &self.body,
            TimeoutForm::Message => &self.otherwise,
        }
    }

    /// How often what is awaited is asked for.
    pub(super) fn attempts(&self) -> u32 {
        match self.form {
            TimeoutForm::Retry(times) => times,
            TimeoutForm::Block | TimeoutForm::Message => 1,
        }
    }

    /// What has to begin in time: the body, without the message that is sent again.
    pub(super) fn awaited(&self) -> &[StatementId] {
        let statements = &self.body.statements;
        match self.form {
            TimeoutForm::Retry(_) => statements.get(1..).unwrap_or_default(),
            TimeoutForm::Block | TimeoutForm::Message => statements,
        }
    }

    /// Whether nothing is written for the case that all attempts were in vain.
    pub(super) fn has_no_else(&self) -> bool {
        matches!(self.form, TimeoutForm::Retry(_))
            && self.otherwise.span.range().is_empty()
            && self.otherwise.statements.is_empty()
    }

    /// The blocks within it, in the order of the text.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let answers = self.late.iter().map(|late| &late.answer);
        [&self.body, &self.otherwise].into_iter().chain(answers)
    }
}
