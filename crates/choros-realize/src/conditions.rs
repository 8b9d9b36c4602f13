//! Realizability by conditions: ordering, data and branching (sections 3.4.1 to 3.4.3 of Nguyen's thesis).
//!
//! A choreography is realizable by this criterion iff no condition is violated, that is iff no interaction would have
//! to be added.
//! Whether the projections really behave as the choreography is another question, which the semantic criterion
//! (Definition 7) answers; neither implies the other, and reports show both.
//!
//! - **Ordering**: every pair of consecutive interactions satisfies the table of 3.4.1 ([`Mode::connected`]).
//! - **Data**: the sender of an interaction knows the variables of its guard and of what it carries.
//! - **Branching**: where guards exclude each other pairwise, data decide, and the receiver of a guarded branch must
//!   know the variables of the guard, unless on every branch, the first thing it does is receive that does not just
//!   terminate. Otherwise the dominant initiator decides, and on each branch that is not mere termination it must
//!   tell every other role that takes part in anything later, unless that role is the receiver of the branch's first
//!   interaction or receives something later on that branch.

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, EdgeId, Message, Stg};
use choros_smt::Solver;
use rustc_hash::FxHashSet;

use crate::branching::{Branching, Decision, branchings};
use crate::knowledge::Knowledge;
use crate::outlook::Outlook;
use crate::reachability::contradiction::Oracle;
use crate::roles::Roles;
use crate::violation::Violation;
use crate::{AnalysisStop, Mode};

/// What the conditions say of a graph.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The broken conditions: data, then branching, then ordering, each in the order of the graph.
    pub violations: Vec<Violation>,
    /// Violations that are none if guards exclude each other which the solver could not decide.
    pub doubtful: Vec<(Violation, String)>,
    /// The branchings, and what decides them.
    pub branchings: Vec<Branching>,
    /// Whether interleavings were found, which are not taken for branchings.
    pub interleaves: bool,
    /// Whether roles measure time, of which the conditions know nothing; then the violations are races.
    pub timed: bool,
}

/// Checks the conditions on a graph of interactions without dead transitions.
pub fn conditions(
    stg: &Stg,
    mode: Mode,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Conditions, AnalysisStop> {
    let mut oracle = Oracle::new(solver);
    Ok(examine(stg, &[], mode, terms, &mut oracle, budget)?.0)
}

/// The same with an oracle that may have been asked before, for a graph of which some edges were added by a repair;
/// and who knows what in it.
pub(crate) fn examine(
    stg: &Stg,
    added: &[bool],
    mode: Mode,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    budget: &Budget,
) -> Result<(Conditions, Knowledge), AnalysisStop> {
    let roles = Roles::of(stg);
    let view = View {
        stg,
        mode,
        knowledge: Knowledge::of(stg, &roles, terms),
        outlook: Outlook::of(stg, &roles),
        roles,
    };
    let (branchings, interleaves) = branchings(stg, added, mode, &view.roles, terms, oracle)?;
    let mut found = Conditions {
        interleaves,
        ..Conditions::default()
    };
    view.data(terms, &mut found, budget)?;
    for branching in &branchings {
        budget.spend()?;
        match &branching.decision {
            Decision::Data => found.violations.extend(view.conditional(branching, terms)),
            Decision::Role(_) => found.violations.extend(view.unconditional(branching)),
            Decision::Undecided(_, reason) => {
                let doubtful = view.unconditional(branching).into_iter();
                found
                    .doubtful
                    .extend(doubtful.map(|violation| (violation, reason.clone())));
            }
        }
    }
    view.ordering(&mut found, budget)?;
    found.branchings = branchings;
    Ok((found, view.knowledge))
}

/// A graph and what is known about it.
struct View<'a> {
    stg: &'a Stg,
    mode: Mode,
    roles: Roles,
    knowledge: Knowledge,
    outlook: Outlook,
}

impl View<'_> {
    fn data(
        &self,
        terms: &Terms,
        found: &mut Conditions,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        for (index, edge) in self.stg.edges().iter().enumerate() {
            budget.spend()?;
            let Some(message) = edge.event.message() else {
                continue;
            };
            for variable in read_by(edge, terms) {
                let (node, sender) = (edge.source, message.from);
                if !self.knowledge.knows(node, sender, variable, &self.roles) {
                    found.violations.push(Violation::UnknownData {
                        edge: EdgeId(index as u32),
                        role: sender,
                        variable,
                        owners: self.knowledge.owners(node, variable, &self.roles),
                    });
                }
            }
        }
        Ok(())
    }

    fn conditional(&self, branching: &Branching, terms: &Terms) -> Vec<Violation> {
        let mut violations: Vec<Violation> = Vec::new();
        let mut judged = FxHashSet::default();
        for &branch in &branching.branches {
            let edge = self.stg.edge(branch);
            let Some(message) = edge.event.message() else {
                continue;
            };
            let role = message.to;
            let by_event = branching.branches.iter().all(|&other| {
                let other = self.stg.edge(other);
                self.outlook.starts_with_reception(other, role, &self.roles)
            });
            if by_event {
                continue;
            }
            for variable in terms.free_variables(edge.guard) {
                let node = branching.node;
                if !self.knowledge.knows(node, role, variable, &self.roles)
                    && judged.insert((role, variable))
                {
                    violations.push(Violation::UnknownCondition {
                        node,
                        branch,
                        role,
                        variable,
                        owners: self.knowledge.owners(node, variable, &self.roles),
                    });
                }
            }
        }
        violations
    }

    fn unconditional(&self, branching: &Branching) -> Vec<Violation> {
        let dominant = match branching.decision {
            Decision::Role(role) | Decision::Undecided(role, _) => role,
            Decision::Data => return Vec::new(),
        };
        let mut violations = Vec::new();
        for &branch in &branching.branches {
            let edge = self.stg.edge(branch);
            for &role in self.roles.all() {
                if role != dominant
                    && self.outlook.acts(branching.node, role, &self.roles)
                    && !self.outlook.receives(edge, role, &self.roles)
                {
                    violations.push(Violation::Uninformed {
                        node: branching.node,
                        branch,
                        role,
                        dominant,
                    });
                }
            }
        }
        violations
    }

    fn ordering(&self, found: &mut Conditions, budget: &Budget) -> Result<(), StopReason> {
        let mut incoming: Vec<Vec<(EdgeId, &Message)>> = vec![Vec::new(); self.stg.nodes().len()];
        for (index, edge) in self.stg.edges().iter().enumerate() {
            if let Some(message) = edge.event.message() {
                incoming[edge.target.index()].push((EdgeId(index as u32), message));
            }
        }
        for (index, edge) in self.stg.edges().iter().enumerate() {
            budget.spend()?;
            let Some(second) = edge.event.message() else {
                continue;
            };
            for &(first, message) in &incoming[edge.source.index()] {
                if !self.mode.connected(message, second) {
                    found.violations.push(Violation::Unordered {
                        first,
                        second: EdgeId(index as u32),
                        mode: self.mode,
                    });
                }
            }
        }
        Ok(())
    }
}

/// The variables that the sender of an edge must know, in order of first occurrence: names must not matter.
fn read_by(edge: &Edge, terms: &Terms) -> Vec<Var> {
    let mut variables: Vec<Var> = Vec::new();
    for term in std::iter::once(edge.guard).chain(edge.event.free_terms()) {
        if term == Term::TRUE {
            continue;
        }
        for variable in terms.free_variables(term) {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
    }
    variables
}
