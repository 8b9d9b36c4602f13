//! Interactions that make a choreography meet the conditions (2.17: data, branching and ordering additions).
//!
//! An addition is a message between two roles, data-free or carrying one variable, inserted
//!
//! - before a transition, on its branch: the guard moves to the addition, which is the first step of the branch now;
//! - before a state: before everything that leaves it;
//! - or after a transition.
//!
//! Small choreographies are searched exhaustively: with one addition, with two, … each time fixing the first broken
//! condition in every way that [`candidates`] knows and checking all conditions again.
//! What is found first is smallest among these (`proven`).
//! Larger ones are fixed condition by condition, and then every addition is left out on trial (`irreducible`).
//!
//! The result is checked again as a whole; what does not meet all conditions is not proposed.

mod candidates;
mod draft;
mod exact;
mod greedy;

use choros_base::{Budget, Span};
use choros_data::{Terms, Var};
use choros_model::stg::{Operation, Role, Stg};
use choros_smt::Solver;

use crate::conditions::examine;
use crate::reachability::contradiction::Oracle;
use crate::{AnalysisStop, Conditions, Mode};

use draft::{Draft, Fix, Place};

/// Additions and the choreography with them.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The additions, in the order in which they were found.
    pub additions: Vec<Addition>,
    /// The choreography with the additions; it meets all conditions.
    pub stg: Stg,
    /// How small the set is known to be.
    pub minimality: Minimality,
    draft: Draft,
    /// Of the original.
    variables: Vec<Var>,
}

impl Repair {
    /// The choreography with some of the additions only, by their positions; it need not meet the conditions.
    pub fn only(&self, kept: &[usize], terms: &mut Terms) -> Repair {
        let mut draft = self.draft.clone();
        for position in (0..self.additions.len()).rev() {
            if !kept.contains(&position) {
                draft = draft.without(position, terms);
            }
        }
        finish(&draft, Minimality::Unproven, &self.variables, terms)
    }

    /// The choreography with one more message, in all ways: between any two roles, before or after any transition or
    /// before a state, without data or with one of the variables.
    ///
    /// For criteria that are not conditions on states, so that no broken one says where to look.
    pub(crate) fn with_one_more(&self) -> Vec<Insertion> {
        let roles = self.stg.roles();
        let mut carried: Vec<Option<Var>> = vec![None];
        carried.extend(self.variables.iter().copied().map(Some));
        let mut found = Vec::new();
        for place in self.draft.places() {
            for &from in &roles {
                for &to in roles.iter().filter(|&&to| to != from) {
                    found.extend(carried.iter().map(|&carries| Insertion {
                        place,
                        from,
                        to,
                        carries,
                    }));
                }
            }
        }
        found
    }

    /// The choreography with one more message.
    pub(crate) fn and(&self, insertion: &Insertion, terms: &mut Terms) -> Repair {
        let mut draft = self.draft.clone();
        let class = match insertion.carries {
            Some(_) => Class::Data,
            None => Class::Ordering,
        };
        let fix = Fix {
            place: insertion.place,
            class,
            from: insertion.from,
            to: insertion.to,
            carries: insertion.carries,
            reason: "with it the projections do what the choreography says".to_owned(),
        };
        draft.insert(&fix, terms);
        finish(&draft, Minimality::Unproven, &self.variables, terms)
    }

    /// A choreography as it is, to which messages can be added.
    pub(crate) fn nothing(stg: &Stg, terms: &mut Terms) -> Repair {
        let variables = stg.variables(terms);
        finish(&Draft::of(stg), Minimality::Proven, &variables, terms)
    }
}

/// One more message and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Insertion {
    place: Place,
    from: Role,
    to: Role,
    carries: Option<Var>,
}

impl Insertion {
    /// Whether both go to the same place, so that their order matters.
    pub(crate) fn is_beside(&self, other: &Insertion) -> bool {
        self.place == other.place
    }
}

/// How small a set of additions is known to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Minimality {
    /// No smaller set exists among those that were considered, and all were.
    Proven,
    /// No addition can be left out.
    Irreducible,
    /// Nothing is known: there were too many additions to leave each out on trial.
    Unproven,
}

/// A message to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// Its operation, named for its class.
    pub operation: Operation,
    /// What it is for.
    pub class: Class,
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// The variable it carries.
    pub carries: Option<Var>,
    /// Before what it is inserted, in words.
    pub before: String,
    /// The broken condition that it fixes, in words.
    pub reason: String,
    /// The steps before which it is inserted, or behind which, where they are written.
    pub places: Vec<Span>,
    /// Whether it comes behind them.
    pub is_behind: bool,
}

/// What an addition is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `+cbr`: lets a receiver compute which branch data chose.
    ConditionalBranching,
    /// `+da`: lets a sender know what it needs.
    Data,
    /// `+br<i>`: tells a role that branch *i* was chosen.
    Branching(usize),
    /// `+or`: keeps two interactions in order.
    Ordering,
}

/// Proposes additions with which a graph of interactions without dead transitions meets the conditions.
///
/// `found` is what [`crate::conditions`] said of it.
/// `None` when no additions were found: some data are known to no one.
pub fn repair(
    stg: &Stg,
    mode: Mode,
    found: &Conditions,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Repair>, AnalysisStop> {
    let mut oracle = Oracle::new(solver);
    let start = Draft::of(stg);
    let variables = stg.variables(terms);
    if found.violations.is_empty() {
        return Ok(Some(Repair::nothing(stg, terms)));
    }
    let mut search = Search {
        mode,
        terms,
        oracle: &mut oracle,
        budget,
    };
    if stg.edges().len() <= SMALL
        && let Some(draft) = search.exact(&start)?
    {
        let repair = finish(&draft, Minimality::Proven, &variables, search.terms);
        return Ok(Some(repair));
    }
    let Some(draft) = search.greedy(&start)? else {
        return Ok(None);
    };
    let (draft, minimality) = search.reduce(draft)?;
    Ok(Some(finish(&draft, minimality, &variables, search.terms)))
}

/// Graphs with more edges are not searched exhaustively.
const SMALL: usize = 64;

/// What every search needs.
struct Search<'a, 's> {
    mode: Mode,
    terms: &'a mut Terms,
    oracle: &'a mut Oracle<'s>,
    budget: &'a Budget,
}

impl Search<'_, '_> {
    /// What the conditions say of a draft.
    fn examine(&mut self, draft: &Draft) -> Result<(Stg, Vec<usize>, Conditions), AnalysisStop> {
        let (stg, edges) = draft.build(self.terms);
        let added: Vec<bool> = edges.iter().map(|&edge| draft.is_added(edge)).collect();
        let (found, _) = examine(
            &stg,
            &added,
            self.mode,
            self.terms,
            self.oracle,
            self.budget,
        )?;
        Ok((stg, edges, found))
    }

    /// Leaves out what is not needed.
    fn reduce(&mut self, mut draft: Draft) -> Result<(Draft, Minimality), AnalysisStop> {
        // Each trial costs a check of the whole graph.
        if draft.additions.len() * draft.edge_count() > 1_000_000 {
            return Ok((draft, Minimality::Unproven));
        }
        let mut index = 0;
        while index < draft.additions.len() {
            let without = draft.without(index, self.terms);
            let (_, _, found) = self.examine(&without)?;
            if found.violations.is_empty() {
                draft = without
            } else {
                index += 1
            }
        }
        Ok((draft, Minimality::Irreducible))
    }
}

fn finish(draft: &Draft, minimality: Minimality, variables: &[Var], terms: &mut Terms) -> Repair {
    let (stg, _) = draft.build(terms);
    Repair {
        variables: variables.to_vec(),
        additions: draft.additions.clone(),
        stg,
        minimality,
        draft: draft.clone(),
    }
}

impl Minimality {
    /// The word in reports; none where nothing is known.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Minimality::Proven => Some("proven"),
            Minimality::Irreducible => Some("irreducible"),
            Minimality::Unproven => None,
        }
    }
}

impl Class {
    /// The stem of the operation's name.
    pub fn stem(self) -> String {
        match self {
            Class::ConditionalBranching => "cbr".to_owned(),
            Class::Data => "da".to_owned(),
            Class::Branching(branch) => format!("br{branch}"),
            Class::Ordering => "or".to_owned(),
        }
    }
}
