//! Values of correlation variables.

use choros_query::socl::Variable;

use crate::symbolic::Datum;

/// Each variable and its value.
pub(crate) type Environment = Vec<(Variable, Datum)>;

/// The value of a variable.
pub(crate) fn value(environment: &Environment, variable: Variable) -> Option<Datum> {
    let found = environment.iter().find(|(other, _)| *other == variable);
    found.map(|it| it.1)
}
