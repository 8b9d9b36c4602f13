//! Values for everything on a path: one run that takes it.

use choros_data::{Assignment, Term, Terms};
use choros_smt::{Satisfiability, Solver};
use rustc_hash::FxHashSet;

use super::path::{Edge, SymbolicPath, SymbolicStep};

impl SymbolicPath {
    /// Values of the symbols that matter, such that the run takes the path, and sends what an edge says.
    ///
    /// There are none where no solver finds them.
    pub fn concrete(
        &self,
        edge: Option<&Edge>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Option<Assignment> {
        let mut conditions: Vec<Term> = self.conditions.clone();
        let mut sent = edge.iter().flat_map(|edge| &edge.sent);
        let mut variables = Vec::new();
        for step in &self.steps {
            let (SymbolicStep::Send(message) | SymbolicStep::Expect(message)) = step else {
                continue;
            };
            for &value in &message.values {
                variables.extend(terms.free_variables(value));
            }
            if let SymbolicStep::Send(message) = step
                && let Some(sent) = sent.next()
            {
                for (&term, value) in message.values.iter().zip(&sent.values) {
                    let value = terms.constant(value.clone());
                    conditions.push(terms.equal(term, value));
                }
            }
        }
        for &condition in &conditions {
            variables.extend(terms.free_variables(condition));
        }
        let mut seen = FxHashSet::default();
        variables.retain(|&variable| seen.insert(variable));
        match solver.satisfiable(terms, &conditions) {
            Ok(Satisfiability::Sat) => solver.model(terms, &variables),
            _ => None,
        }
    }
}
