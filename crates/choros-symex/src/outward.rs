//! What a path looks like from outside.
//!
//! Two paths that differ in silent steps only, or in the order in which silent steps of parallel branches were taken,
//! are one test: the same messages carry the same values under the same condition, up to the names of symbols.

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::FxHashMap;

use crate::label::TreeLabel;
use crate::tree::{Tree, TreeNodeId};

/// The events of a path and its condition, with its symbols numbered in the order in which they came.
pub(crate) type Outward = (Vec<TreeLabel>, Term);

/// What the path to a node looks like from outside.
pub(crate) fn outward(tree: &Tree, end: TreeNodeId, terms: &mut Terms) -> Outward {
    let mut renamed = unseen(tree, end, terms);
    let mut shown = 0;
    let mut labels = Vec::new();
    for id in tree.path(end) {
        match &tree.node(id).label {
            None | Some(TreeLabel::Silent) => {}
            Some(TreeLabel::Message(message)) => {
                let mut message = message.clone();
                for field in &mut message.fields {
                    if let Some(symbol) = field.fresh.take() {
                        let name = terms.names.intern(&format!("seen{shown}"));
                        shown += 1;
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
        let conjunct = terms.simplify(conjunct);
        match terms.kind(conjunct) {
            TermKind::Apply(Op::And, parts) => condition.extend(parts),
            _ => condition.push(conjunct),
        }
    }
    // Branches may add the same conditions in another order.
    condition.sort_by_cached_key(|it| terms.print(*it));
    condition.dedup();
    let condition = terms.and(condition);
    let condition = terms.simplify(condition);
    (labels, condition)
}

/// Names of symbols that do not depend on the order of silent steps: the second value that came for `x` is `x~1`.
/// Those that a message shows get a better one.
fn unseen(tree: &Tree, end: TreeNodeId, terms: &mut Terms) -> FxHashMap<Var, Term> {
    let received = tree.received(end);
    let symbols = received.iter().flat_map(|(variable, symbols)| {
        let counted = symbols.iter().enumerate();
        counted.map(move |(count, symbol)| (*variable, count, *symbol))
    });
    let named = symbols.map(|(variable, count, symbol)| {
        let name = format!("{}~{count}", terms.variable_text(variable));
        let name = terms.names.intern(&name);
        let named = terms.variable(name, terms.variable_sort(symbol));
        (symbol, terms.var(named))
    });
    named.collect()
}
