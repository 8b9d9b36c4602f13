//! What a path looks like from outside.
//!
//! Two paths that differ in silent steps only, or in the order in which silent steps of parallel branches were taken,
//! are one test: the same messages carry the same values under the same condition, up to the names of symbols.

use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::label::TreeLabel;
use crate::tree::{Tree, TreeNodeId};

/// The events of a path and its condition, with its symbols numbered in the order in which they came.
pub(crate) type Outward = (Vec<TreeLabel>, Term);

/// What the path to a node looks like from outside.
pub(crate) fn outward(tree: &Tree, end: TreeNodeId, terms: &mut Terms) -> Outward {
    let mut renamed: FxHashMap<Var, Term> = FxHashMap::default();
    let mut labels = Vec::new();
    for id in tree.path(end) {
        match &tree.node(id).label {
            None | Some(TreeLabel::Silent) => {}
            Some(TreeLabel::Message(message)) => {
                let mut message = message.clone();
                for field in &mut message.fields {
                    if let Some(symbol) = field.fresh.take() {
                        let number = renamed.len();
                        let name = terms.names.intern(&format!("seen{number}"));
                        let seen = terms.variable(name, terms.variable_sort(symbol));
                        renamed.insert(symbol, terms.var(seen));
                    }
                    field.value = terms.substitute(field.value, &renamed);
                    field.term = field.value;
                }
                labels.push(TreeLabel::Message(message));
            }
            Some(other) => labels.push(other.clone()),
        }
    }
    let mut condition: Vec<Term> = Vec::new();
    for conjunct in tree.solved_condition(end) {
        let conjunct = terms.substitute(conjunct, &renamed);
        condition.push(conjunct);
    }
    // Branches may add the same conditions in another order.
    let condition = terms.and(condition);
    let condition = terms.simplify(condition);
    (labels, condition)
}
