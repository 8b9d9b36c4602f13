//! Whether a property fits a model (Definitions 18 to 20 of Nguyen's thesis).
//!
//! A local property is correct for a model of its service iff no trace of the model gives Fail and some trace gives
//! Pass; a property whose context never occurs is therefore incorrect.
//! Algorithm 9 of the thesis is *not* used: it misses violations that happen for some data only, or on another branch
//! than the one that satisfies the property.
//! Here a violation is searched for directly: a run on which the context is seen and none of the next d messages
//! validates a consequence, data included.

mod global;
mod local;
mod models;
mod validate;
mod walk;

use choros_base::Budget;
use choros_data::{Assignment, Terms, Value, Var};
use choros_model::evidence::{Evidence, Trace, Tree};
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::run::replay;
use choros_model::stg::{Direction, Stg};
use choros_model::{Bound, Unknown, Verdict};
use choros_query::property::{Part, Properties, Property, Window};
use choros_smt::{Satisfiability, Solver, SolverError};

pub use models::{check_properties, reading_of};

use global::check_global;
use local::check_local;

use crate::Config;
use crate::naive::{self, NaiveWindow};

/// How far runs are examined.
#[derive(Debug, Clone)]
pub struct CorrectnessBounds {
    /// No run is followed beyond this many messages.
    pub depth: usize,
    /// Steps in all.
    pub budget: Budget,
}

/// Runs may not continue silently for longer.
const MAX_SILENT: usize = 64;

/// What a property asks that a model cannot answer.
fn beyond_models(property: &Property) -> Option<&'static str> {
    if matches!(property.window, Window::Milliseconds(_)) {
        return Some("a model has no time, and the property has a window in time");
    }
    if matches!(
        property.correlation,
        Some(choros_model::observation::Correlation::Id)
    ) {
        return Some("the messages of a model have no identities");
    }
    for event in property.events() {
        for binding in &event.bindings {
            match binding.part {
                Part::At => return Some("a model has no time, and the property uses `at`"),
                Part::Id => return Some("the messages of a model have no identities"),
                Part::Session => return Some("a run of a model is one session without a name"),
                _ => {}
            }
        }
    }
    None
}

fn unknown(reason: impl Into<String>, bound: Option<Bound>) -> Verdict {
    Verdict::Unknown(Unknown {
        reason: reason.into(),
        help: bound.into(),
        evidence: None,
    })
}

/// Whether conditions can be true together: values if so, none if not, a reason if no one knows.
fn solve(
    conditions: &[choros_data::Term],
    variables: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Solved, SolverError> {
    Ok(match solver.satisfiable(terms, conditions)? {
        Satisfiability::Unsat => Solved::No,
        Satisfiability::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Satisfiability::Sat => match solver.model(terms, variables) {
            Some(values) => Solved::Yes(values),
            None => Solved::Unknown("the solver's solution has no values".to_owned()),
        },
    })
}

enum Solved {
    Yes(Assignment),
    No,
    Unknown(String),
}

/// A run with values, replayed on the naive semantics; none where it cannot be believed.
fn concrete(
    stg: &Stg,
    place: &walk::Place,
    values: &Assignment,
    parameters: &[Var],
    terms: &Terms,
) -> Option<Trace> {
    let start: Assignment = parameters
        .iter()
        .filter_map(|parameter| {
            values
                .get(parameter)
                .map(|value| (*parameter, value.clone()))
        })
        .collect();
    let choices = walk::choices(place, values)?;
    replay(stg, start, &choices, terms)
        .ok()
        .map(|(_, trace)| trace)
}

/// The windows that the naive monitor sees on a run, judged as a log.
fn judged(
    properties: &[&Property],
    place: &walk::Place,
    values: &Assignment,
    terms: &Terms,
) -> Option<Vec<NaiveWindow>> {
    let mut log: Vec<Observation<'static>> = Vec::new();
    for seen in &place.messages {
        let text = |name| terms.names.text(name).to_owned();
        let directions: &[Direction] = match seen.direction {
            Direction::Interaction => &[Direction::Send, Direction::Receive],
            Direction::Send => &[Direction::Send],
            Direction::Receive => &[Direction::Receive],
        };
        for &direction in directions {
            let mut observation = Observation::new(
                text(seen.operation),
                text(seen.from),
                text(seen.to),
                direction,
            );
            observation.session = Some("run".into());
            for (label, term) in &seen.fields {
                let value = terms.evaluate(*term, values).ok()?;
                let label = label.map_or("value".to_owned(), text);
                put(&mut observation, label, &value, terms)?;
            }
            log.push(observation);
        }
    }
    let properties = Properties {
        local: properties
            .iter()
            .map(|&property| property.clone())
            .collect(),
        global: Vec::new(),
    };
    naive::judge(&properties, terms, &Config::default(), &log).ok()
}

/// Puts a value of a model at a path, field by field.
fn put(
    observation: &mut Observation<'static>,
    path: String,
    value: &Value,
    terms: &Terms,
) -> Option<()> {
    let datum = match value {
        Value::Bool(value) => Datum::Bool(*value),
        Value::Int(value) => Datum::Number(Number::from(
            choros_model::observation::Rational::from_integer(value.clone()),
        )),
        Value::Real(value) => Datum::Number(Number::from(value.clone())),
        Value::String(text) => Datum::Text(text.to_string().into()),
        Value::Atom { name, .. } => Datum::Text(terms.names.text(*name).to_owned().into()),
        Value::Record { sort, fields } => {
            let choros_data::SortKind::Record(labels) = terms.sort_kind(*sort) else {
                return None;
            };
            // Records are as deep as their sorts.
            for ((label, _), field) in labels.iter().zip(fields) {
                let below = format!("{path}.{}", terms.names.text(*label));
                put(observation, below, field, terms)?;
            }
            return Some(());
        }
        Value::Constructor { .. } => Datum::Text(terms.print_value(value).into()),
        Value::List { .. } => return Some(()),
    };
    observation.data.push((path.into(), datum));
    Some(())
}

/// Evidence that is a sentence.
fn sentence(claim: impl Into<String>) -> Evidence {
    Evidence::Tree(Tree {
        claim: claim.into(),
        origin: None,
        evidence: None,
        because: Vec::new(),
    })
}
