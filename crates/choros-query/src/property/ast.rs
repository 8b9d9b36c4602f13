//! What a property says.

use choros_base::Span;
use choros_data::{Term, Var};
use choros_model::observation::Correlation;
use choros_model::stg::Direction;

/// The properties of one file.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    /// Those about one log.
    pub local: Vec<Property>,
    /// Those about verdicts on several logs.
    pub global: Vec<GlobalProperty>,
}

/// A local property (Definition 15): whenever the context is seen, within the window one of the consequences must be
/// seen, or none may.
#[derive(Debug, Clone)]
pub struct Property {
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// The service whose log it is about; none means every log.
    pub service: Option<String>,
    /// Messages that must be seen one directly after the other.
    pub context: Vec<CandidateEvent>,
    /// Only messages that agree on this with the first of the context can continue with it or answer it.
    pub correlation: Option<Correlation>,
    /// How long a consequence is looked for.
    pub window: Window,
    /// Messages are counted within their session.
    pub per_session: bool,
    /// Whether the consequence must or must not be seen.
    pub sense: Sense,
    /// Alternatives.
    pub consequence: Vec<CandidateEvent>,
}

/// How long a consequence is looked for after the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// This many messages.
    Messages(u64),
    /// This many milliseconds, by the times of the log.
    Milliseconds(u64),
}

/// Whether a property is positive or negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// One of the consequences must be seen.
    Expect,
    /// None of them may.
    Never,
}

/// A candidate event (Definition 14): a pattern for one message.
#[derive(Debug, Clone)]
pub struct CandidateEvent {
    /// The operation; none is any.
    pub operation: Option<String>,
    /// The sender; none is any.
    pub from: Option<String>,
    /// The receiver; none is any.
    pub to: Option<String>,
    /// Sent or received; none is either.
    pub direction: Option<Direction>,
    /// The values that it must have, and the variables that hold them from then on.
    pub bindings: Vec<BoundField>,
    /// What must be true of them.
    pub condition: Option<Condition>,
    /// Where it stands.
    pub span: Span,
}

/// A value of a message and the variable that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundField {
    /// Which value.
    pub part: Part,
    /// The variable's name.
    pub variable: String,
    /// The variable in the store of terms; none until conditions were read.
    pub var: Option<Var>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// A value of its data, by path.
    Data(String),
    /// Its time in milliseconds.
    At,
    /// Its identity.
    Id,
    Session,
    /// Its sender.
    From,
    /// Its receiver.
    To,
    Operation,
}

/// What must be true of the values bound so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// As a term; none where it has mistakes, which have been reported.
    pub term: Option<Term>,
    /// Where it stands.
    pub span: Span,
}

/// A global property (Definition 16): if all these local properties pass, one of those must, or none may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalProperty {
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Names of local properties that must all pass for the question to arise.
    pub when: Vec<String>,
    /// Whether one of the others must, or none may pass.
    pub sense: Sense,
    /// Names of local properties.
    pub then: Vec<String>,
}

impl Part {
    /// The part of the envelope with this name.
    pub(super) fn envelope(name: &str) -> Option<Part> {
        Some(match name {
            "at" => Part::At,
            "id" => Part::Id,
            "session" => Part::Session,
            "from" => Part::From,
            "to" => Part::To,
            "op" => Part::Operation,
            _ => return None,
        })
    }

    /// How it is written: parts of the envelope after a dot, values of the data by their path.
    pub fn text(&self) -> String {
        match self {
            Part::Data(path) => super::print::path_text(path),
            Part::At => ".at".to_owned(),
            Part::Id => ".id".to_owned(),
            Part::Session => ".session".to_owned(),
            Part::From => ".from".to_owned(),
            Part::To => ".to".to_owned(),
            Part::Operation => ".op".to_owned(),
        }
    }
}

impl Property {
    /// All candidate events: those of the context, then those of the consequence.
    pub fn events(&self) -> impl Iterator<Item = &CandidateEvent> {
        self.context.iter().chain(&self.consequence)
    }

    /// The paths of data that it reads, each once, in the order of reading.
    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        let mut add = |path: &String| {
            if !paths.contains(path) {
                paths.push(path.clone());
            }
        };
        if let Some(Correlation::Path(path)) = &self.correlation {
            add(path);
        }
        for event in self.events() {
            for binding in &event.bindings {
                if let Part::Data(path) = &binding.part {
                    add(path);
                }
            }
        }
        paths
    }
}

impl Properties {
    /// The local property with this name.
    pub fn local(&self, name: &str) -> Option<&Property> {
        self.local.iter().find(|property| property.name == name)
    }
}
