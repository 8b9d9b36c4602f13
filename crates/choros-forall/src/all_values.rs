//! Formulas about all values of some variables, which are rigid from the start.
//!
//! The sort of such a variable is that of the data with which the formula compares it.

use choros_data::{Sort, Var};
use choros_query::socl::{Actions, Argument, Atom, NodeKind, Variable};

use crate::environment::Environment;
use crate::evaluate::Evaluator;
use crate::stop::Stop;
use crate::symbolic::{Datum, Substitution};

impl Evaluator<'_, '_> {
    /// The variables for all values of which the formula is asked: what they are at the start, and their names.
    pub(crate) fn for_all(&mut self) -> Result<(Environment, Vec<Var>), Stop> {
        let (mut outer, mut variables) = (Environment::new(), Vec::new());
        for &variable in self.formula.for_all() {
            // If no data are compared with it, any sort will do.
            let sort = self.sort_of(variable)?.unwrap_or(Sort::INT);
            let rigid = self.rigid(variable, sort);
            variables.push(rigid);
            outer.push((variable, Datum::Term(self.prover.terms.var(rigid))));
        }
        Ok((outer, variables))
    }

    /// The sort of the data with which a variable is compared; `None` if there are none.
    fn sort_of(&self, variable: Variable) -> Result<Option<Sort>, Stop> {
        let mut found: Option<Sort> = None;
        for atom in self.atoms() {
            let mut places = atom.arguments.iter();
            let Some(place) = places.position(|it| *it == Argument::Use(variable)) else {
                continue;
            };
            let steps = self.graph.steps.iter().flatten();
            let labels = steps.flat_map(|it| it.actions.iter().chain(&it.propositions));
            for label in labels.filter(|it| it.kind == atom.kind) {
                let refused = |what: &str| {
                    let text = self.formula.variable(variable, self.names);
                    Stop::Unsupported(format!("the formula compares `${text}` with {what}"))
                };
                match label.arguments.get(place) {
                    None => {}
                    Some(Datum::Text(_)) => return Err(refused("texts of abstraction rules")),
                    Some(Datum::Term(term)) => {
                        let sort = self.prover.terms.sort_of(*term);
                        if found.is_some_and(|it| it != sort) {
                            return Err(refused("data of several sorts"));
                        }
                        found = Some(sort);
                    }
                }
            }
        }
        Ok(found)
    }

    fn atoms(&self) -> Vec<&Atom> {
        let mut found = Vec::new();
        for (_, node) in self.formula.nodes() {
            if let NodeKind::Proposition(atom) = &node.kind {
                found.push(atom);
            }
            let steps = match &node.kind {
                NodeKind::Until(until) => Some(&until.steps),
                _ => None,
            };
            let actions = node.kind.binding_actions().into_iter().chain(steps);
            found.extend(actions.flat_map(Actions::atoms));
        }
        found
    }

    /// The values that were chosen, in words.
    pub(crate) fn chosen(&self, outer: &Environment, rigid: &Substitution) -> String {
        let mut values = Vec::new();
        for (variable, datum) in outer {
            let Datum::Term(term) = datum else { continue };
            let value = self.prover.terms.as_variable(*term);
            if let Some(value) = value.and_then(|it| rigid.get(&it)) {
                let text = self.formula.variable(*variable, self.names);
                values.push(format!("${text} = {}", self.prover.terms.print(*value)));
            }
        }
        match values[..] {
            [] => String::new(),
            _ => format!(", with {}", values.join(", ")),
        }
    }
}
