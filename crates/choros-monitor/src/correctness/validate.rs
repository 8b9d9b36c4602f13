//! When a message of a symbolic run validates a candidate event.

use choros_data::{Term, Terms, Value, Var};
use choros_model::observation::Correlation;
use choros_model::stg::Direction;
use choros_query::property::{CandidateEvent, Part, Property};
use rustc_hash::FxHashMap;

use super::walk::Seen;

/// The values of a property's variables.
pub(super) type Values = FxHashMap<Var, Term>;

/// The messages that the log of the property's service holds, with the direction in which it sees them
/// (Definition 19).
pub(super) fn view(seen: &Seen, service: Option<&str>, terms: &Terms) -> Option<Direction> {
    let is = |name| service.is_none_or(|service| terms.names.text(name) == service);
    match seen.direction {
        Direction::Send => is(seen.from).then_some(Direction::Send),
        Direction::Receive => is(seen.to).then_some(Direction::Receive),
        Direction::Interaction => match service {
            None => Some(Direction::Interaction),
            Some(_) if is(seen.from) => Some(Direction::Send),
            Some(_) if is(seen.to) => Some(Direction::Receive),
            Some(_) => None,
        },
    }
}

/// The condition under which a message validates an event, and the values known afterwards; none where it is another
/// message or lacks a value.
pub(super) fn validates(
    event: &CandidateEvent,
    seen: &Seen,
    direction: Direction,
    known: &Values,
    terms: &mut Terms,
) -> Option<(Term, Values)> {
    let is = |wanted: &Option<String>, name| {
        wanted
            .as_ref()
            .is_none_or(|wanted| terms.names.text(name) == wanted)
    };
    let is_direction = event
        .direction
        .is_none_or(|wanted| wanted == direction || direction == Direction::Interaction);
    if !is(&event.operation, seen.operation)
        || !is(&event.from, seen.from)
        || !is(&event.to, seen.to)
        || !is_direction
    {
        return None;
    }
    let mut values = known.clone();
    for binding in &event.bindings {
        let value = match &binding.part {
            Part::Data(path) => field(seen, path, terms)?,
            Part::From => name(seen.from, terms),
            Part::To => name(seen.to, terms),
            Part::Operation => name(seen.operation, terms),
            // Refused before any run is examined.
            Part::At | Part::Id | Part::Session => return None,
        };
        values.insert(binding.var?, value);
    }
    let condition = match event.condition.as_ref() {
        None => Term::TRUE,
        Some(condition) => {
            let closed = terms.close(condition.term?);
            terms.substitute(closed, &values)
        }
    };
    Some((condition, values))
}

/// The condition under which two messages agree on what correlates them; none where they cannot.
pub(super) fn agree(
    property: &Property,
    first: &Seen,
    other: &Seen,
    terms: &mut Terms,
) -> Option<Term> {
    match &property.correlation {
        // A run of a model is one session.
        None | Some(Correlation::Session) => Some(Term::TRUE),
        Some(Correlation::Id) => None,
        Some(Correlation::Path(path)) => {
            let (left, right) = (field(first, path, terms)?, field(other, path, terms)?);
            if terms.sort_of(left) == terms.sort_of(right) {
                Some(terms.equal(left, right))
            } else {
                None
            }
        }
    }
}

/// The value at a path: a label, or a field of a record; a datum without a label is called `value`.
pub(super) fn field(seen: &Seen, path: &str, terms: &mut Terms) -> Option<Term> {
    let label = |name: Option<choros_base::Name>, terms: &Terms| match name {
        Some(name) => terms.names.text(name).to_owned(),
        None => "value".to_owned(),
    };
    for (name, value) in &seen.fields {
        let label = label(*name, terms);
        if label == path {
            return Some(*value);
        }
        let Some(rest) = path.strip_prefix(&format!("{label}.")) else {
            continue;
        };
        let mut value = *value;
        for step in rest.split('.') {
            let step = terms.names.intern(step);
            value = terms.field(value, step)?;
        }
        return Some(value);
    }
    None
}

fn name(name: choros_base::Name, terms: &mut Terms) -> Term {
    let text = terms.names.text(name).to_owned();
    terms.constant(Value::text(text))
}
