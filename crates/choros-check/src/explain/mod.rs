//! Why a formula holds or fails: the tree of sub-formulas with the path that settles each.

mod build;
mod cmc;
mod evidence;
mod numbering;
mod path;

pub use build::explain;
pub use cmc::cmc_text;
pub use evidence::{StepDetail, explanation_evidence};
pub use numbering::Numbering;

use choros_model::lts::ActionId;
use choros_query::socl::NodeId;

/// Why a sub-formula holds or fails in a state.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The sub-formula.
    pub node: NodeId,
    /// The sub-formula as text, its variables replaced by their values.
    pub formula: String,
    /// The state, as the unfolding numbers it.
    pub state: u32,
    /// Whether it holds there.
    pub holds: bool,
    /// Why.
    pub reason: ExplanationReason,
}

/// Why it is so.
#[derive(Debug, Clone)]
pub enum ExplanationReason {
    /// `true` and `false` need no reason.
    Constant,
    /// The state is or is not ready for something that has this proposition.
    Label(Option<ActionId>),
    /// By the parts of a connective that decide.
    Parts(Vec<Explanation>),
    /// The state has no steps.
    NoStep,
    /// By one step that satisfies the action formula or does not, and what holds or fails after it.
    Step(ExplainedStep, Vec<Explanation>),
    /// By all steps that satisfy the action formula, of `of` that there are.
    Steps {
        /// The steps that satisfy it, each with what follows.
        matching: Vec<(ExplainedStep, Vec<Explanation>)>,
        /// How many steps the state has.
        of: usize,
    },
    Path(ExplainedPath),
    /// By all paths; this many states were examined.
    Everywhere {
        /// The number of states on these paths.
        states: usize,
        /// What it looks like somewhere.
        example: Option<Box<Explanation>>,
    },
    /// Left out, because the explanation is long enough.
    Omitted,
}

/// A path that settles an operator over paths.
#[derive(Debug, Clone)]
pub struct ExplainedPath {
    pub steps: Vec<ExplainedStep>,
    pub end: PathEnd,
    /// What holds or fails at its end.
    pub parts: Vec<Explanation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// In a state that settles it by what holds or fails there.
    State,
    /// By its last step, which satisfies the action formula and leads to where the right side holds.
    Step,
    /// By its last step, which satisfies neither action formula, or leads to where the right side fails.
    Refused,
    /// In a state without steps.
    Stopped,
    /// Back in the state before the step with this position.
    Cycle(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedStep {
    /// Where it starts.
    pub from: u32,
    /// Its concrete label.
    pub action: ActionId,
    /// Its abstract label, as text; empty for an empty set.
    pub label: String,
    /// Where it ends.
    pub to: u32,
}
