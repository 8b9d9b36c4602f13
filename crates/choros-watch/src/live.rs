//! Observations as messages that are drawn while they happen.

use choros_model::observation::Observation;
use choros_report::LiveMessage;

/// A longer text tells no one more.
const MAX_VALUES: usize = 80;

pub(crate) fn live_message(seen: &Observation<'_>) -> LiveMessage {
    let values: Vec<String> = seen
        .data
        .iter()
        .map(|(path, value)| format!("{path} = {value}"))
        .collect();
    let mut values = values.join(", ");
    if values.chars().count() > MAX_VALUES {
        values = values.chars().take(MAX_VALUES).chain(['…']).collect();
    }
    LiveMessage {
        part: seen
            .session
            .as_deref()
            .map_or_else(String::new, |it| format!("session {it}")),
        from: seen.from.clone().into_owned(),
        to: seen.to.clone().into_owned(),
        operation: seen.operation.clone().into_owned(),
        values,
        left_out: 0,
    }
}
