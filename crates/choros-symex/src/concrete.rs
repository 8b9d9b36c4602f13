//! Concrete values for a test case: one run that takes its path.

use choros_data::{Assignment, NoValue, Term, Terms, Value, Var};

use crate::execute::any_value;
use crate::tree::{Tree, TreeNodeId};

impl Tree {
    /// Values of all symbols that are not computed, such that the run takes the path to a node.
    ///
    /// They are the values that were found when the tree was built; symbols that do not matter get any.
    /// Our own evaluator has examined every conjunct of the path condition before they are given out.
    /// There are none where a symbol of an uninterpreted sort does not matter, or the path has a condition with
    /// quantifiers that no one but the solver can check.
    pub fn concrete(&self, node: TreeNodeId, terms: &Terms) -> Option<Assignment> {
        let mut values: Assignment = self.node(node).witness.as_deref()?.clone();
        for conjunct in self.solved_condition(node) {
            if !self.holds(conjunct, &mut values, terms)? {
                return None;
            }
        }
        Some(values)
    }

    /// The value of a term over free symbols; symbols without a value get any.
    pub fn value(&self, term: Term, values: &mut Assignment, terms: &Terms) -> Option<Value> {
        loop {
            match terms.evaluate(term, values) {
                Ok(value) => return Some(value),
                Err(NoValue::Unassigned(symbol)) => give_any(symbol, values, terms)?,
                Err(NoValue::Undefined | NoValue::Quantified) => return None,
            }
        }
    }

    fn holds(&self, conjunct: Term, values: &mut Assignment, terms: &Terms) -> Option<bool> {
        self.value(conjunct, values, terms)
            .map(|value| value == Value::Bool(true))
    }
}

fn give_any(symbol: Var, values: &mut Assignment, terms: &Terms) -> Option<()> {
    let value = any_value(terms.variable_sort(symbol), terms)?;
    values.insert(symbol, value);
    Some(())
}
