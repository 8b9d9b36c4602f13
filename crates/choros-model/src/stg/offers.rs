//! What a graph offers where a run stands, as evidence shows it.

use choros_data::{Assignment, Terms};

use super::run::{RunState, RunStep, enabled, fire, may_end};
use super::{Event, FieldValue, Stg};
use crate::evidence::StepEvent;

/// The visible events that are possible here, each once, also after silent steps; the end is one of them.
pub fn offers(stg: &Stg, situation: &RunState, terms: &Terms) -> Vec<StepEvent> {
    let mut found: Vec<StepEvent> = Vec::new();
    let mut add = |event: StepEvent| {
        if !found.contains(&event) {
            found.push(event);
        }
    };
    let mut known = vec![situation.clone()];
    let mut next = 0;
    while let Some(here) = known.get(next).cloned() {
        next += 1;
        if may_end(stg, &here, terms) == Ok(true) {
            add(StepEvent::Termination);
        }
        for edge in enabled(stg, &here, terms).unwrap_or_default() {
            if !stg.edge(edge).event.is_silent() {
                add(event_with_values(
                    &stg.edge(edge).event,
                    &here.values,
                    terms,
                ));
                continue;
            }
            let silent = RunStep {
                edge,
                bound_values: Vec::new(),
            };
            if known.len() < MOST_SITUATIONS
                && let Ok(fired) = fire(stg, &here, &silent, terms)
                && !known.contains(&fired.state)
            {
                known.push(fired.state);
            }
        }
    }
    found
}

/// Silent steps are followed to this many situations: a chart has room for few alternatives.
const MOST_SITUATIONS: usize = 30;

/// An event before it happens: fields have the values they would have, `_` where they bring new ones.
pub fn event_with_values(event: &Event, values: &Assignment, terms: &Terms) -> StepEvent {
    let Some(message) = event.message() else {
        return StepEvent::Other(event.shown(terms));
    };
    let text = |name| terms.names.text(name).to_owned();
    StepEvent::Message {
        operation: text(message.operation.0),
        from: text(message.from.0),
        to: text(message.to.0),
        direction: message.direction,
        fields: message
            .fields
            .iter()
            .map(|field| {
                let value = match field.value {
                    FieldValue::Bind(_) => "_".to_owned(),
                    FieldValue::Free(term) => match terms.evaluate(term, values) {
                        Ok(value) => terms.print_value(&value),
                        Err(_) => terms.print(term),
                    },
                };
                (field.label.map(text).unwrap_or_default(), value)
            })
            .collect(),
    }
}
