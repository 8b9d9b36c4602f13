//! Sequence diagrams: what the roles do together, as people draw it.
//!
//! A diagram keeps the structure of the text, which a graph has lost: a choice is a frame with a section per branch,
//! a loop is a frame around its body.
//! It is for looking at; questions are asked of the graph.

/// Lifelines, messages between them, and frames around messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    /// What it shows.
    pub name: String,
    /// The lifelines, from left to right.
    pub roles: Vec<String>,
    /// From top to bottom; frames nest.
    pub rows: Vec<DiagramRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagramRow {
    /// A message, between the lifelines at these positions.
    Message {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The message with its data, as it is written.
        text: String,
    },
    /// A remark over these lifelines, or over all of them.
    Note {
        /// The positions of the lifelines; empty for all.
        over: Vec<usize>,
        /// The remark.
        text: String,
    },
    /// A role's timer.
    Timer {
        /// The position of the lifeline.
        at: usize,
        /// What becomes of it.
        event: TimerEvent,
        /// How long it runs.
        text: String,
    },
    /// A frame begins, with its first section.
    Open(Frame, String),
    /// The next section of the innermost frame begins.
    Section(String),
    /// The innermost frame ends.
    Close,
}

/// What a frame says about its sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frame {
    /// One of them happens.
    Alternatives,
    /// It happens or is left out.
    Option,
    /// It happens again and again.
    Loop,
    /// They happen side by side.
    Parallel,
    /// It happens under a condition, and otherwise nothing continues.
    When,
    /// The first happens, and at any time before its end one of the others instead of the rest.
    Interruptible,
    /// Steps one after the other, and how each is undone.
    Saga,
    /// The first begins in time, or the second happens; others answer what comes too late.
    Timeout,
}

/// What becomes of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimerEvent {
    Starts,
    /// Its time is over.
    Over,
    /// The role does nothing until it is over.
    Waits,
}

impl TimerEvent {
    /// The timer as people read it on a lifeline.
    pub fn text(self, time: &str) -> String {
        match self {
            TimerEvent::Starts => format!("timer {time}"),
            TimerEvent::Over => format!("{time} over"),
            TimerEvent::Waits => format!("wait {time}"),
        }
    }
}

impl Frame {
    /// The word in the corner of the frame.
    pub fn word(self) -> &'static str {
        match self {
            Frame::Alternatives => "alt",
            Frame::Option => "opt",
            Frame::Loop => "loop",
            Frame::Parallel => "par",
            Frame::When => "when",
            Frame::Interruptible => "try",
            Frame::Timeout => "timeout",
            Frame::Saga => "saga",
        }
    }
}

impl Diagram {
    /// The position of a lifeline, which is added at the right where it is missing.
    pub fn role(&mut self, role: &str) -> usize {
        let known = self.roles.iter().position(|it| it == role);
        known.unwrap_or_else(|| {
            self.roles.push(role.to_owned());
            self.roles.len() - 1
        })
    }

    /// How deep frames nest.
    pub fn depth(&self) -> usize {
        let (mut depth, mut deepest) = (0_usize, 0);
        for row in &self.rows {
            match row {
                DiagramRow::Open(..) => depth += 1,
                DiagramRow::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        deepest
    }
}
