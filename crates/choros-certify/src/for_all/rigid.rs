//! Formulas about all values of some variables.

use choros_base::Names;
use choros_data::{Sort, Terms, Var};
use choros_query::socl::{Actions, Argument, Atom, Formula, NodeKind, Variable};

use super::graph::OpenGraph;
use super::reading::{Datum, Environment};
use crate::flaw::Flaw;

/// What stands for the values of the variables for all of which a formula is claimed.
///
/// Each ranges over the sort of the data that the formula compares with it, or over the integers if there are none. If
/// these are of several sorts, or texts, no sort has all values.
pub(super) fn rigid(
    formula: &Formula,
    graph: &OpenGraph<'_>,
    names: &Names,
    terms: &mut Terms,
) -> Result<(Environment, Vec<Var>), Flaw> {
    let (mut environment, mut own) = (Environment::new(), Vec::new());
    for &variable in formula.for_all() {
        let sort = sort_of(variable, formula, graph, names, terms)?.unwrap_or(Sort::INT);
        let name = terms.names.fresh("any");
        let stands = terms.variable(name, sort);
        own.push(stands);
        environment.push((variable, Datum::Term(terms.var(stands))));
    }
    Ok((environment, own))
}

fn sort_of(
    variable: Variable,
    formula: &Formula,
    graph: &OpenGraph<'_>,
    names: &Names,
    terms: &Terms,
) -> Result<Option<Sort>, Flaw> {
    let mut found = None;
    for atom in atoms(formula) {
        for (at, _) in atom
            .arguments
            .iter()
            .enumerate()
            .filter(|it| *it.1 == Argument::Use(variable))
        {
            let steps = graph.steps.iter().flatten();
            let labels = steps.flat_map(|it| it.actions.iter().chain(&it.propositions));
            for label in labels.filter(|it| it.kind == atom.kind) {
                let sort = match label.arguments.get(at) {
                    None => continue,
                    Some(Datum::Term(term)) => Some(terms.sort_of(*term)),
                    Some(Datum::Text(_)) => None,
                };
                if sort.is_none() || found.is_some_and(|it| Some(it) != sort) {
                    let text = formula.variable(variable, names);
                    let text = format!("`${text}` is compared with data of several kinds");
                    return Err(Flaw::open(text, None));
                }
                found = sort;
            }
        }
    }
    Ok(found)
}

/// Whatever a formula compares with labels.
fn atoms(formula: &Formula) -> Vec<&Atom> {
    let mut found = Vec::new();
    for (_, node) in formula.nodes() {
        match &node.kind {
            NodeKind::Proposition(atom) => found.push(atom),
            NodeKind::Next(_, actions, _)
            | NodeKind::Diamond(actions, _)
            | NodeKind::Box(actions, _) => found.extend(Actions::atoms(actions)),
            NodeKind::Eventually(_, last, _) => {
                found.extend(last.iter().flat_map(Actions::atoms));
            }
            NodeKind::Until(until) => {
                found.extend(until.steps.atoms());
                found.extend(until.last.iter().flat_map(Actions::atoms));
            }
            _ => {}
        }
    }
    found
}
