//! What convinces a sceptic: a closed algebra that engines compose and reports render.
//!
//! Evidence is made once per answer, so it is plain text and numbers that need no store to be read, saved or
//! replayed; spans link it back to the source.
//! No engine is named here: an engine that needs another shape composes it from these.

use choros_base::Span;

use crate::direction::Direction;

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// A run, step by step, with concrete values.
    Trace(Trace),
    /// An explanation whose parts have explanations.
    Tree(Tree),
    /// A situation: where each part of a system stands and what waits in its channels.
    Configuration(Configuration),
    /// Pairs of states with the condition under which they are related.
    Relation(Vec<RelatedStates>),
    /// A formula and the sentences that contradict or support each other in it.
    Condition(ConditionEvidence),
    /// Rows and columns.
    Table(Table),
    /// Parts of a model that are to be pointed at.
    GraphMark(GraphMark),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// Values of parameters and variables before the first step.
    pub start: Vec<Binding>,
    pub steps: Vec<Step>,
    /// Where it departs from what was expected, if it does.
    pub departure: Departure,
    /// What is wrong or right after the last step.
    pub conclusion: String,
}

/// Where a run departs from what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Departure {
    /// What must not happen.
    pub wrong: WrongEvent,
    /// What was expected instead of it, or next where nothing came; one of these.
    pub expected: Vec<Expected>,
    /// The variables whose values decide it.
    pub decisive: Vec<String>,
}

/// An event that a model allows where a run departs from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub event: StepEvent,
    /// The condition under which it is allowed, where the run does not say whether it holds.
    pub guard: Option<String>,
}

impl From<StepEvent> for Expected {
    fn from(event: StepEvent) -> Expected {
        Expected { event, guard: None }
    }
}

/// The event of a run that must not happen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WrongEvent {
    /// None, or it is not known which.
    #[default]
    Nothing,
    /// What happened at the end of the run.
    LastStep,
    /// What happened at the end of the run may be wrong: that is not known.
    Unclear,
    /// One that can follow the last step.
    Next(Box<StepEvent>),
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub event: StepEvent,
    /// The guard that let it through, where there is one.
    pub guard: Option<String>,
    /// Values it gave to variables.
    pub bindings: Vec<Binding>,
    /// Labels of the states before and after.
    pub states: Option<(String, String)>,
    /// Where it is written.
    pub origin: Option<Span>,
}

/// What happened in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepEvent {
    /// Something unseen.
    Silent,
    Termination,
    /// A message, with the values it carried.
    Message {
        operation: String,
        /// Sender.
        from: String,
        /// Receiver.
        to: String,
        /// Whose view it is.
        direction: Direction,
        /// Label (may be empty) and value of each field.
        fields: Vec<(String, String)>,
    },
    /// The network or a role goes wrong, or a role notices it.
    Fault(FaultStep),
    /// Anything else, in words.
    Other(String),
}

/// What goes wrong in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultStep {
    /// A message in transit vanishes, arrives twice, or overtakes others.
    Message {
        what: MessageFault,
        operation: String,
        from: String,
        to: String,
    },
    /// A role stops forever.
    Crash { role: String },
    /// A role notices that another has crashed.
    Noticed { crashed: String, by: String },
}

/// What happens to a message in transit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFault {
    Lost,
    Doubled,
    Overtakes,
}

impl MessageFault {
    /// `lost`, `doubled`, `overtaking`.
    pub fn word(self) -> &'static str {
        match self {
            MessageFault::Lost => "lost",
            MessageFault::Doubled => "doubled",
            MessageFault::Overtakes => "overtaking",
        }
    }
}

impl FaultStep {
    /// `lost: payment -> order: Charged`, `crash: payment`.
    pub fn text(&self) -> String {
        match self {
            FaultStep::Message {
                what,
                operation,
                from,
                to,
            } => format!("{}: {from} -> {to}: {operation}", what.word()),
            FaultStep::Crash { role } => format!("crash: {role}"),
            FaultStep::Noticed { crashed, by } => format!("{by} notices: {crashed} has crashed"),
        }
    }
}

/// A variable and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub variable: String,
    /// Its value, printed.
    pub value: String,
}

/// An explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// What is explained.
    pub claim: String,
    /// Where it is written.
    pub origin: Option<Span>,
    /// Evidence for the claim itself.
    pub evidence: Option<Box<Evidence>>,
    /// Why it is so.
    pub because: Vec<Tree>,
}

/// A situation of a system.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configuration {
    /// Each part and where it stands.
    pub parts: Vec<(String, String)>,
    /// Each channel and what waits in it.
    pub channels: Vec<(String, Vec<String>)>,
}

/// Two states and when they are related.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedStates {
    /// State of the first system.
    pub left: String,
    /// State of the second.
    pub right: String,
    /// The condition, printed.
    pub condition: String,
}

/// A formula and what it is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionEvidence {
    /// The formula, printed.
    pub formula: String,
    /// The sentences that decide it, each with its place.
    pub sentences: Vec<(String, Option<Span>)>,
}

/// Rows and columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Headings.
    pub columns: Vec<String>,
    /// Cells, one row after the other, each as long as the headings.
    pub rows: Vec<Vec<String>>,
}

/// Parts of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GraphMark {
    pub model: String,
    /// Labels of nodes.
    pub nodes: Vec<String>,
    /// Edges as `source –event→ target`, with their place and why they are marked.
    pub edges: Vec<MarkedEdge>,
}

/// An edge that is pointed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedEdge {
    /// Label of its source.
    pub source: String,
    /// Label of its target.
    pub target: String,
    /// Guard and event, printed.
    pub label: String,
    /// Where it is written.
    pub origin: Option<Span>,
    /// Why it is marked.
    pub because: Vec<Evidence>,
}

impl Evidence {
    /// The word for it in reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Evidence::Trace(_) => "trace",
            Evidence::Tree(_) => "tree",
            Evidence::Configuration(_) => "configuration",
            Evidence::Relation(_) => "relation",
            Evidence::Condition(_) => "condition",
            Evidence::Table(_) => "table",
            Evidence::GraphMark(_) => "graph",
        }
    }
}
