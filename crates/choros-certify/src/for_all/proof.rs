//! What an answer for all data rests on.

use std::collections::BTreeMap;

use choros_base::Name;
use choros_data::{Term, Var};
use choros_query::socl::NodeId;

/// What an answer for all data rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForAllProof {
    /// When the formula is claimed to hold, and that it fails otherwise: *true*, *false*, or a condition over the
    /// parameters.
    pub condition: Term,
    /// Each is sound by itself; what one does not show of the start, another may.
    pub parts: Vec<ForAllPart>,
    /// Of a formula about all values of variables: values for which it is false where the condition is. The step of a
    /// choice is the number of a part.
    pub against: Vec<Witness>,
}

/// Claims, and what they may assume of runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForAllPart {
    /// What holds whenever a run is at a place, over the variables of the model; *true* for places that are missing.
    ///
    /// Places are the nodes of the graph, and after them the state that has ended.
    pub known: Vec<(u32, Term)>,
    pub claims: Vec<SetClaim>,
}

/// Where a sub-formula is true, or where it is false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetClaim {
    /// The sub-formula: a proposition, or an operator over steps or paths.
    pub node: NodeId,
    /// What its free correlation variables are.
    pub values: Vec<Given>,
    /// Whether it is true there.
    pub truth: bool,
    /// Sets of states. Where going on forever would not do, steps lead to an earlier stage, or decrease the rank.
    pub stages: Vec<Stage>,
}

/// What a correlation variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A text of a rule.
    Text(Name),
    /// Any value, which this variable stands for; it is not one of the model.
    Any(Var),
}

/// Sets with one rank.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// Compared from the left; without parts nothing decreases it.
    pub rank: Vec<RankPart>,
    /// Under fairness, where a run is to go on forever: the assumption that is served next.
    pub turn: u32,
    /// Under fairness, where going on forever would not do: the assumptions that help.
    pub helpful: Vec<Helpful>,
    /// At most one for each place. The last stage that has a place says what is claimed there.
    pub sets: Vec<ClaimedSet>,
}

/// Where a step of an assumption is possible: a run that does not take it is not fair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helpful {
    pub place: u32,
    /// The number of the assumption.
    pub assumption: u32,
    /// In which states.
    pub condition: Term,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RankPart {
    /// A number, which decreases by at least 1 from where it is at least 0.
    Number(Term),
    /// A number that decreases by at least another one from where it is at least 0; the other one is positive, and no
    /// step changes it.
    Falling(Term, Term),
    /// Numbers of places.
    Places(BTreeMap<u32, u32>),
}

/// The states at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedSet {
    pub place: u32,
    /// Over the variables of the model and those of the claim.
    pub condition: Term,
    /// How steps are chosen.
    pub witnesses: Vec<Witness>,
}

/// The values that a step is chosen with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Its position among the steps of the place: edges, then the end.
    pub step: u32,
    /// A term for each new value; without them, some values, which the solver must show to exist.
    pub values: Option<Vec<Term>>,
}
