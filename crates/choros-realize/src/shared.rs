//! Parameters that all roles know.

use choros_data::Terms;
use choros_model::stg::{Renaming, Stg};

/// The parameters of a choreography, by which all roles mean the same.
pub(crate) struct Shared {
    /// From the roles' names for them.
    pub(crate) renaming: Renaming,
    pub(crate) names: Vec<String>,
}

impl Shared {
    pub(crate) fn of(
        choreography: &Stg,
        composed: &Stg,
        terms: &mut Terms,
    ) -> Result<Shared, &'static str> {
        let parameters = choreography.parameters(terms);
        let mut shared = Shared {
            renaming: Renaming::default(),
            names: Vec::new(),
        };
        if parameters.is_empty() {
            return Ok(shared);
        }
        let written = choreography.edges().iter().any(|edge| {
            let bound = edge.event.bound_variables();
            let assigned = edge.updates.iter().map(|update| update.variable);
            bound
                .chain(assigned)
                .any(|variable| parameters.contains(&variable))
        });
        if written {
            return Err(
                "a parameter gets a new value on the way, and the roles may know different ones",
            );
        }
        let variables = composed.variables(terms);
        for &variable in &variables {
            let name = terms.variable_text(variable).to_owned();
            let Some((stem, _)) = name.split_once('@') else {
                continue;
            };
            let meant = parameters
                .iter()
                .find(|&&parameter| terms.variable_text(parameter) == stem);
            if let Some(&parameter) = meant
                && terms.variable_sort(parameter) == terms.variable_sort(variable)
            {
                shared.renaming.variables.insert(variable, parameter);
            }
        }
        let known: Vec<_> = variables
            .iter()
            .map(|it| shared.renaming.variables.get(it).unwrap_or(it))
            .collect();
        shared.names = parameters
            .iter()
            .filter(|parameter| known.contains(parameter))
            .map(|&parameter| terms.variable_text(parameter).to_owned())
            .collect();
        Ok(shared)
    }
}
