//! Where a choreography branches, and who or what decides (3.4.3 of Nguyen's thesis).
//!
//! A *branching* is a node with at least two ways on, of which at most one is termination.
//! Two readings are ours:
//!
//! - Edges that form an interleaving diamond (either first, with the same end, and neither reads or writes what the
//!   other writes) are steps of a parallel and no alternatives. The published counts for the train station services
//!   come out only so. What is left is grouped: edges that are in conflict, directly or through others, make one
//!   branching, in which guards have to exclude each other but for those of a diamond (a parallel on one branch of a
//!   condition). Messages that a repair has added on the sides of a diamond do not turn the parallel into a choice.
//! - Termination that stays possible after an edge is no alternative to that edge.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, EdgeId, Message, NodeId, Role, Stg};
use choros_smt::SolverError;
use rustc_hash::FxHashSet;

use crate::Mode;
use crate::reachability::contradiction::{Oracle, Together};
use crate::roles::Roles;

/// Alternatives at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branching {
    pub node: NodeId,
    /// The interactions among the alternatives, in the order of edges.
    pub branches: Vec<EdgeId>,
    /// Whether termination is an alternative too.
    pub may_end: bool,
    /// Who or what decides.
    pub decision: Decision,
    /// Whether data decide at least between alternatives with different guards: these exclude each other, and someone
    /// decides among those with the same.
    pub conditional: bool,
}

/// How alternatives are decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// *Conditional*: the guards exclude each other pairwise, so data decide.
    Data,
    /// *Unconditional*: this role, the dominant initiator, must decide and tell the others.
    Role(Role),
    /// The solver could not tell whether guards exclude each other; if not, this role decides. Its reason.
    Undecided(Role, String),
}

/// The branchings of a graph, in the order of nodes, and whether a diamond was left out.
pub(crate) fn branchings(
    stg: &Stg,
    added: &[bool],
    mode: Mode,
    roles: &Roles,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<(Vec<Branching>, bool), SolverError> {
    let mut found = Vec::new();
    let mut diamonds = false;
    if roles.all().is_empty() {
        return Ok((found, diamonds));
    }
    for node in stg.node_ids() {
        let edges: Vec<EdgeId> = stg.outgoing(node).map(|(id, _)| id).collect();
        let ends: Vec<Term> = stg
            .node(node)
            .terminations
            .iter()
            .map(|termination| termination.guard)
            .collect();
        if edges.is_empty() || edges.len() + usize::from(!ends.is_empty()) < 2 {
            continue;
        }
        let beside = diamonds_at(stg, added, &edges, terms);
        diamonds |= !beside.is_empty();
        for branches in conflicts(&edges, &beside) {
            let may_end = !ends.is_empty()
                && branches
                    .iter()
                    .any(|&id| !ends_as_before(stg, stg.edge(id), &ends));
            if branches.len() + usize::from(may_end) < 2 {
                continue;
            }
            let mut alternatives: Vec<[Term; 2]> = Vec::new();
            for (index, &left) in branches.iter().enumerate() {
                let others = branches[index + 1..].iter();
                let others = others.filter(|&&right| !beside.contains(&(left, right)));
                let own = stg.edge(left).guard;
                alternatives.extend(others.map(|&right| [own, stg.edge(right).guard]));
            }
            if may_end {
                let end = terms.or(ends.iter().copied());
                alternatives.extend(branches.iter().map(|&id| [stg.edge(id).guard, end]));
            }
            let dominant = dominant(stg, &branches, mode, roles);
            let decision = match exclusive(&alternatives, terms, oracle)? {
                Together::Impossible => Decision::Data,
                Together::Possible => Decision::Role(dominant),
                Together::Undecided(reason) => Decision::Undecided(dominant, reason),
            };
            let conditional = match decision {
                Decision::Data => true,
                _ => {
                    alternatives.retain(|[left, right]| left != right);
                    !alternatives.is_empty()
                        && exclusive(&alternatives, terms, oracle)? == Together::Impossible
                }
            };
            found.push(Branching {
                node,
                branches,
                may_end,
                decision,
                conditional,
            });
        }
    }
    Ok((found, diamonds))
}

/// The pairs of edges that are steps of a parallel.
fn diamonds_at(
    stg: &Stg,
    added: &[bool],
    edges: &[EdgeId],
    terms: &Terms,
) -> FxHashSet<(EdgeId, EdgeId)> {
    let mut found = FxHashSet::default();
    for (index, &left) in edges.iter().enumerate() {
        for &right in &edges[index + 1..] {
            if is_diamond(stg, added, left, right, terms) {
                found.insert((left, right));
            }
        }
    }
    found
}

/// Groups of edges that exclude each other, in the order of their first edges.
fn conflicts(edges: &[EdgeId], beside: &FxHashSet<(EdgeId, EdgeId)>) -> Vec<Vec<EdgeId>> {
    let mut group: Vec<usize> = (0..edges.len()).collect();
    for left in 0..edges.len() {
        for right in left + 1..edges.len() {
            if group[left] != group[right] && !beside.contains(&(edges[left], edges[right])) {
                let (kept, gone) = (group[left], group[right]);
                for entry in group.iter_mut().filter(|entry| **entry == gone) {
                    *entry = kept;
                }
            }
        }
    }
    let mut groups: Vec<(usize, Vec<EdgeId>)> = Vec::new();
    for (&edge, &number) in edges.iter().zip(&group) {
        match groups.iter_mut().find(|(known, _)| *known == number) {
            Some((_, members)) => members.push(edge),
            None => groups.push((number, vec![edge])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Whether two edges can happen in either order, with the same end.
fn is_diamond(stg: &Stg, added: &[bool], left: EdgeId, right: EdgeId, terms: &Terms) -> bool {
    let (left, right) = (behind(stg, added, left), behind(stg, added, right));
    // A message that was added before an edge has taken over its guard; and a condition that both have is met once
    // either has happened.
    let moved = added.contains(&true) || left.guard == right.guard;
    let same = |one: &Edge, other: &Edge| {
        let unguarded = one.guard == Term::TRUE || other.guard == Term::TRUE;
        one.event == other.event
            && one.updates == other.updates
            && (one.guard == other.guard || (moved && unguarded))
    };
    if same(left, right) {
        return false;
    }
    let after = |edge: &Edge| skip(stg, added, edge.target);
    let closes = stg
        .outgoing(after(left))
        .filter(|(_, edge)| same(edge, right))
        .any(|(_, first)| {
            stg.outgoing(after(right))
                .any(|(_, second)| same(second, left) && after(second) == after(first))
        });
    closes && is_independent(left, right, terms) && is_independent(right, left, terms)
}

/// The edge itself, or the first one after it that was not added.
fn behind<'a>(stg: &'a Stg, added: &[bool], id: EdgeId) -> &'a Edge {
    let mut edge = stg.edge(id);
    if added.get(id.index()) == Some(&true)
        && let Some((_, next)) = stg.outgoing(skip(stg, added, edge.target)).next()
    {
        edge = next;
    }
    edge
}

/// The node after all messages that were added right after a node.
fn skip(stg: &Stg, added: &[bool], mut node: NodeId) -> NodeId {
    // Each step takes another edge that was added, so there are no more steps than edges.
    for _ in 0..added.len() {
        let mut leaving = stg.outgoing(node);
        match (leaving.next(), leaving.next()) {
            (Some((id, edge)), None) if added[id.index()] => node = edge.target,
            _ => break,
        }
    }
    node
}

/// Whether an edge writes nothing that another reads or writes.
fn is_independent(one: &Edge, other: &Edge, terms: &Terms) -> bool {
    let written = |edge: &Edge| {
        let updates = edge.updates.iter().map(|update| update.variable);
        edge.event
            .bound_variables()
            .chain(updates)
            .collect::<Vec<Var>>()
    };
    let changed = written(one);
    if changed.is_empty() {
        return true;
    }
    let values = other.updates.iter().map(|update| update.value);
    let mut read = std::iter::once(other.guard)
        .chain(other.event.free_terms())
        .chain(values);
    let is_changed = |variable: &Var| changed.contains(variable);
    !read.any(|term| terms.free_variables(term).iter().any(is_changed))
        && !written(other).iter().any(is_changed)
}

/// Whether all ways to terminate before an edge are there after it.
fn ends_as_before(stg: &Stg, edge: &Edge, ends: &[Term]) -> bool {
    let behind = &stg.node(edge.target).terminations;
    ends.iter().all(|&guard| {
        behind
            .iter()
            .any(|termination| termination.guard == guard || termination.guard == Term::TRUE)
    })
}

/// The role that can start most of the branches; among equals the one that sends most of them, then the one that
/// comes first on them: names, and what happens elsewhere, must not matter.
fn dominant(stg: &Stg, branches: &[EdgeId], mode: Mode, roles: &Roles) -> Role {
    let messages: Vec<&Message> = branches
        .iter()
        .filter_map(|&id| stg.edge(id).event.message())
        .collect();
    let weight = |role: Role| {
        let starts = messages.iter().filter(|it| mode.initiates(role, it));
        let sends = messages.iter().filter(|it| it.from == role);
        (starts.count(), sends.count())
    };
    let mut candidates = messages.iter().flat_map(|it| [it.from, it.to]);
    // Silent steps alone start no branch, no matter which role is asked.
    let mut best = candidates.next().unwrap_or(roles.all()[0]);
    for role in candidates {
        if weight(role) > weight(best) {
            best = role;
        }
    }
    best
}

/// Whether the guards of each pair are impossible together.
fn exclusive(
    alternatives: &[[Term; 2]],
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Result<Together, SolverError> {
    if alternatives.contains(&[Term::TRUE; 2]) {
        return Ok(Together::Possible);
    }
    let mut answer = Together::Impossible;
    for guards in alternatives {
        match oracle.together(terms, guards)? {
            Together::Possible => return Ok(Together::Possible),
            Together::Impossible => {}
            undecided => answer = undecided,
        }
    }
    Ok(answer)
}
