//! Path conditions as SMT-LIB scripts.

use choros_data::Terms;
use choros_smt::{Reason, Script};

use crate::tree::{Tree, TreeNodeId};

impl Tree {
    /// The path condition of a node as the thesis writes it, every assignment an equation, as a script that is
    /// satisfiable if and only if the path can be taken.
    pub fn smt2(&self, node: TreeNodeId, terms: &Terms) -> Result<String, Reason> {
        let mut script = Script::default();
        let mut assertions = String::new();
        for conjunct in self.path_condition(node) {
            let text = script.term(terms, conjunct)?;
            assertions.push_str(&format!("(assert {text})\n"));
        }
        Ok(format!(
            "; node {}: satisfiable if and only if the path can be taken\n(set-logic ALL)\n{}{assertions}(check-sat)\n",
            node.0,
            script.declarations()
        ))
    }
}
