//! Formulas that hold because what they speak of never happens.
//!
//! `[γ] φ`, and `EX {γ}`, `EF {γ}` and `E[… U {γ} …]` under a negation, hold where no step satisfies `γ`.
//! If none does in any state that was examined, the formula says nothing about the model.
//! This is a simple case of the vacuity of Beer, Ben-David, Eisner and Rodeh: only such action formulas are replaced.

use choros_base::{Diagnostic, Names};

use super::diagnostics::vacuous_truth;
use super::formula::{Formula, NodeId, NodeKind, Quantifier};

/// Warnings of sub-formulas of a question that are satisfied only because nothing matches them.
pub fn vacuity_warnings(
    question: &str,
    formula: &Formula,
    vacuous: &[NodeId],
    names: &Names,
) -> Vec<Diagnostic> {
    let warnings = vacuous.iter().filter_map(|&node| {
        let node = formula.node(node);
        let actions = node.kind.binding_actions()?;
        let spelt = formula.print_actions(actions, names, &|_| None);
        let place = actions.atoms().first().map_or(node.span, |atom| atom.span);
        Some(vacuous_truth::diagnostic(place, question, &spelt))
    });
    warnings.collect()
}

/// The sub-formulas that are satisfied only because nothing matches them, outermost first.
///
/// Sub-formulas below such a one were never examined and are not listed.
pub fn unmatched(formula: &Formula, has_matched: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut found = Vec::new();
    // A sub-formula, and whether it is under an even number of negations.
    let mut pending = vec![(formula.root(), true)];
    while let Some((node, positive)) = pending.pop() {
        let kind = &formula.node(node).kind;
        let is_idle = match kind {
            NodeKind::Box(..) => positive,
            NodeKind::Next(Quantifier::Some, ..) | NodeKind::Diamond(..) => !positive,
            NodeKind::Eventually(Quantifier::Some, Some(_), _) => !positive,
            NodeKind::Until(until) => {
                until.last.is_some() && until.quantifier == Quantifier::Some && !positive
            }
            _ => false,
        };
        // Formulas that forbid an action outright, such as `not EF {fail} true`, speak of nothing more.
        let forbids = kind.parts().last().is_some_and(|&part| {
            formula.node(part).kind == NodeKind::Constant(!matches!(kind, NodeKind::Box(..)))
        });
        let forbids = forbids || formula.forbidding.contains(&node);
        if is_idle && !forbids && !has_matched(node) {
            found.push(node);
            continue;
        }
        let parts = kind.parts();
        for (index, &part) in parts.iter().enumerate().rev() {
            let flips = match kind {
                NodeKind::Not(_) => true,
                NodeKind::Implies(..) => index == 0,
                _ => false,
            };
            pending.push((part, positive != flips));
        }
    }
    found
}
