//! Which formulas about one session hold of it among others iff they hold of it alone.
//!
//! A formula is about one session: its actions are steps of this session, and steps of the others are passed over.
//! The README has the argument, operator by operator.

use choros_base::Names;
use choros_model::stg::{NodeId, Stg};
use choros_query::socl::{Formula, NodeKind, Quantifier};

/// Whether the answer for one session is the answer for one among many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CarriesOver {
    /// It is, whatever the others do.
    Yes,
    /// It is if no session that can continue waits forever for the others.
    WithFairness,
    /// It need not be, because of this operator.
    No(&'static str),
}

/// How a formula about one session of a graph carries over to many.
pub fn carries_over(formula: &Formula, names: &Names, stg: &Stg) -> CarriesOver {
    let mut found = CarriesOver::Yes;
    for (_, node) in formula.nodes() {
        match &node.kind {
            NodeKind::Next(Quantifier::All, ..) => {
                return CarriesOver::No(
                    "`AX` is about the next step, which may be another session's",
                );
            }
            kind if names_end(kind, names) => {
                return CarriesOver::No("`end` is the end of all sessions");
            }
            NodeKind::Proposition(_) => {
                return CarriesOver::No("it asks about propositions");
            }
            NodeKind::Always(Quantifier::Some, _) | NodeKind::Eventually(Quantifier::All, ..) => {
                found = CarriesOver::WithFairness;
            }
            NodeKind::Until(until) => {
                let needs = match until.quantifier {
                    Quantifier::Some => until.weak,
                    Quantifier::All => !until.weak,
                };
                if needs {
                    found = CarriesOver::WithFairness;
                }
            }
            NodeKind::Constant(_)
            | NodeKind::State(_)
            | NodeKind::Not(_)
            | NodeKind::And(_)
            | NodeKind::Or(_)
            | NodeKind::Implies(..)
            | NodeKind::Next(Quantifier::Some, ..)
            | NodeKind::Diamond(..)
            | NodeKind::Box(..)
            | NodeKind::Always(Quantifier::All, _)
            | NodeKind::Eventually(Quantifier::Some, ..) => {}
        }
    }
    if found == CarriesOver::Yes {
        return found;
    }
    let may_stay =
        |it: NodeId| !stg.node(it).terminations.is_empty() && stg.outgoing(it).next().is_some();
    if stg.node_ids().any(may_stay) {
        return CarriesOver::No(
            "a session that may end or continue can end only when the others do",
        );
    }
    // Sessions that come to an end leave no one waiting forever.
    if has_cycle(stg) {
        found
    } else {
        CarriesOver::Yes
    }
}

/// Whether a part of a formula is about the end of all sessions.
fn names_end(kind: &NodeKind, names: &Names) -> bool {
    let mut actions: Vec<_> = kind.binding_actions().into_iter().collect();
    if let NodeKind::Until(until) = kind {
        actions.push(&until.steps);
    }
    let mut atoms = actions.into_iter().flat_map(|it| it.atoms());
    atoms.any(|atom| names.text(atom.kind) == "end")
}

/// Whether a run may go round.
pub(crate) fn has_cycle(stg: &Stg) -> bool {
    let mut entering = vec![0usize; stg.nodes().len()];
    for edge in stg.edges() {
        entering[edge.target.index()] += 1;
    }
    let mut work: Vec<NodeId> = stg
        .node_ids()
        .filter(|it| entering[it.index()] == 0)
        .collect();
    let mut left = stg.nodes().len();
    while let Some(node) = work.pop() {
        left -= 1;
        for (_, edge) in stg.outgoing(node) {
            entering[edge.target.index()] -= 1;
            if entering[edge.target.index()] == 0 {
                work.push(edge.target);
            }
        }
    }
    left > 0
}
