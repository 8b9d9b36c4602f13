//! `knows(role, x)` at a place of the graph that was split by what roles know.

use choros_base::Name;
use choros_data::{Term, Var};
use choros_model::stg::Role;
use choros_query::socl::Operand;

use crate::bounds::Bounds;
use crate::environment::Environment;
use crate::evaluate::Evaluator;
use crate::state::Reading;
use crate::stop::Stop;

impl Evaluator<'_, '_> {
    /// Whether a role knows something at a place.
    pub(crate) fn knows(
        &mut self,
        role: Name,
        what: Operand,
        place: usize,
        environment: &Environment,
    ) -> Result<Bounds, Stop> {
        // The role was found when the graph was split.
        let name = self.names.text(role);
        let terms = &*self.prover.terms;
        let mine = |it: &(usize, &(Role, Var))| terms.names.text(it.1.0.0) == name;
        let own: Vec<(usize, Var)> = self
            .knowledge
            .pairs
            .iter()
            .enumerate()
            .filter(mine)
            .map(|(index, pair)| (index, pair.1))
            .collect();
        let known: Vec<Vec<bool>> = match self.knowledge.nodes.get(place) {
            Some(here) => vec![here.clone()],
            // After the end it is what it was at the node where the run ended.
            None => {
                let nodes = self.graph.stg.nodes().iter().zip(&self.knowledge.nodes);
                let ending = nodes.filter(|(node, _)| !node.terminations.is_empty());
                ending.map(|(_, known)| known.clone()).collect()
            }
        };
        let mut bounds: Vec<Bounds> = Vec::new();
        for known in known {
            let condition = match what {
                Operand::Word(name) => {
                    let text = self.names.text(name);
                    let named = own
                        .iter()
                        .filter(|it| self.prover.terms.variable_text(it.1) == text);
                    let named: Vec<usize> = named.map(|it| it.0).collect();
                    if named.is_empty() {
                        let text = format!("no variable of the model is called `{text}`");
                        return Err(Stop::Unsupported(text));
                    }
                    let knows = named.iter().any(|&it| known[it]);
                    self.prover.terms.bool(knows)
                }
                Operand::Variable(_) | Operand::Part(..) => {
                    let reading = Reading {
                        names: self.names,
                        environment,
                        variables: &self.graph.variables,
                    };
                    let Some(wanted) = reading.wanted(what, self.prover.terms)? else {
                        let what = "the formula asks who knows a value of no sort";
                        return Err(Stop::Unsupported(what.to_owned()));
                    };
                    let terms = &mut *self.prover.terms;
                    let sort = terms.sort_of(wanted);
                    let mut some: Vec<Term> = Vec::new();
                    for &(index, variable) in &own {
                        if known[index] && terms.variable_sort(variable) == sort {
                            let holder = terms.var(variable);
                            some.push(terms.equal(holder, wanted));
                        }
                    }
                    terms.or(some)
                }
                Operand::Quoted(_) => {
                    let what = "the formula asks who knows a text; ask for a variable";
                    return Err(Stop::Unsupported(what.to_owned()));
                }
            };
            bounds.push(Bounds::exactly(condition));
        }
        let terms = &mut *self.prover.terms;
        let low = Bounds::and(&bounds, terms).low;
        let high = Bounds::or(&bounds, terms).high;
        Ok(Bounds { low, high })
    }
}
