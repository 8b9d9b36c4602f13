//! The actions and propositions that a model has, and those of a formula that it does not have.

use choros_base::{Diagnostic, Name, Names, nearest};
use rustc_hash::FxHashSet;

use crate::abstraction::{Rule, Subject};
use crate::socl::diagnostics::unknown_action;
use crate::socl::{Actions, Atom, Formula, NodeKind};

/// The types of the actions and propositions that steps and states of a model can have.
#[derive(Debug, Clone, Default)]
pub struct Alphabet {
    /// Of steps.
    pub actions: FxHashSet<Name>,
    /// Of states.
    pub propositions: FxHashSet<Name>,
}

impl Alphabet {
    /// What rules can make, whatever the model does.
    pub fn of_rules(rules: &[Rule]) -> Alphabet {
        let mut found = Alphabet::default();
        for rule in rules {
            let known = match rule.subject {
                Subject::Action => &mut found.actions,
                Subject::State => &mut found.propositions,
            };
            known.insert(rule.template.kind);
        }
        found
    }

    /// Warnings of actions and propositions of a formula that nothing in the model has.
    pub fn warnings(&self, formula: &Formula, names: &Names) -> Vec<Diagnostic> {
        let (mut warnings, mut seen) = (Vec::new(), FxHashSet::default());
        let mut warn = |atom: &Atom, known: &FxHashSet<Name>, what: &str| {
            if !known.contains(&atom.kind) && seen.insert(atom.kind) {
                let text = names.text(atom.kind);
                let mut others: Vec<&str> = known.iter().map(|&it| names.text(it)).collect();
                others.sort_unstable();
                let similar = nearest(text, others);
                let found = unknown_action::diagnostic(atom.name_span, text, what, similar);
                warnings.push(found);
            }
        };
        for (_, node) in formula.nodes() {
            if let NodeKind::Proposition(atom) = &node.kind {
                warn(atom, &self.propositions, "state");
            }
            let steps = match &node.kind {
                NodeKind::Until(until) => Some(&until.steps),
                _ => None,
            };
            let actions = node.kind.binding_actions().into_iter().chain(steps);
            for atom in actions.flat_map(Actions::atoms) {
                warn(atom, &self.actions, "step");
            }
        }
        warnings.sort_by_key(|it| it.primary().map(|it| it.range().start));
        warnings
    }
}
