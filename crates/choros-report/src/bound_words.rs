//! How the command line calls the bounds of searches.

use choros_model::lts::Cut;
use choros_model::{Bound, Unknown};

/// The option that raises a bound.
pub fn option_of(bound: Bound) -> String {
    let (option, value) = match bound {
        Bound::States(value) => ("--max-states", value),
        Bound::Depth(value) => ("--depth", value),
        Bound::Places(value) => ("--bound", value),
        Bound::SolverBudget(value) => ("--solver-budget", value),
    };
    match value {
        Some(value) => format!("{option} {value}"),
        None => option.to_owned(),
    }
}

/// Why something was not settled, and what would help.
pub fn with_advice(reason: &str, bound: Option<Bound>) -> String {
    match bound {
        Some(bound) => format!("{reason} (raise it with {})", option_of(bound)),
        None => reason.to_owned(),
    }
}

/// The same of an answer.
pub fn unknown_text(unknown: &Unknown) -> String {
    with_advice(&unknown.reason, unknown.bound())
}

/// The same of what is missing.
pub fn cut_text(cut: &Cut) -> String {
    with_advice(&cut.reason, cut.bound)
}

/// How an answer about a graph whose data are cut to some values is to be read.
pub const LIMITED_DATA: &str =
    "data are limited to the values of --param and --domain and of finite sorts";
