//! Values of variables that messages bind.

use choros_base::Diagnostic;
use choros_codes::diagnostics::wrong_domain;
use choros_data::{Sort, Value, Var, read_term};
use choros_model::stg::Stg;
use rustc_hash::FxHashMap;

use crate::Workspace;

impl Workspace<'_> {
    /// The values that variables take which messages bind: a name and `0..3` or `1, 2`.
    pub fn domains(
        &mut self,
        stg: &Stg,
        asked: &[(String, String)],
        findings: &mut Vec<Diagnostic>,
    ) -> FxHashMap<Var, Vec<Value>> {
        let mut domains: FxHashMap<Var, Vec<Value>> = FxHashMap::default();
        let bound: Vec<Var> = stg
            .edges()
            .iter()
            .flat_map(|edge| edge.event.bound_variables())
            .collect();
        for (name, text) in asked {
            let variables: Vec<Var> = bound
                .iter()
                .copied()
                .filter(|&variable| self.terms.variable_text(variable) == name)
                .collect();
            let Some(&first) = variables.first() else {
                let known: Vec<&str> = bound
                    .iter()
                    .map(|&variable| self.terms.variable_text(variable))
                    .collect();
                findings.push(wrong_domain::no_variable(name, &known));
                continue;
            };
            let sort = self.terms.variable_sort(first);
            let parts = match range(text, sort) {
                Some(parts) => parts,
                None => text.split(',').map(|part| part.trim().to_owned()).collect(),
            };
            let mut values = Vec::new();
            for part in parts {
                let source = wrong_domain::source_of(name);
                let term = read_term(
                    &mut self.terms,
                    &mut self.sources,
                    &source,
                    &part,
                    &[],
                    Some(sort),
                );
                match term {
                    Ok(term) => match self.terms.evaluate(term, &FxHashMap::default()) {
                        Ok(value) => values.push(value),
                        Err(_) => findings.push(wrong_domain::no_value(name, &part)),
                    },
                    Err(mut found) => findings.append(&mut found),
                }
            }
            for variable in variables {
                domains.insert(variable, values.clone());
            }
        }
        domains
    }
}

/// `0..3` means 0, 1, 2, 3.
fn range(text: &str, sort: Sort) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let is_sensible = sort.is_number() && last.checked_sub(first)? < 10_000;
    is_sensible.then(|| (first..=last).map(|number| number.to_string()).collect())
}
