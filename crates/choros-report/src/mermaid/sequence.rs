//! A trace as a sequence diagram of Mermaid.

use choros_model::evidence::{StepEvent, Trace};
use choros_model::stg::Direction;

use super::quote;
use crate::sequence::Chart;

/// The trace in the language of Mermaid.
pub fn trace_mermaid(trace: &Trace) -> String {
    let chart = Chart::new(trace);
    let mut out = "sequenceDiagram\n    autonumber\n".to_owned();
    for (index, role) in chart.roles.iter().enumerate() {
        out.push_str(&format!("    participant r{index} as {}\n", quote(role)));
    }
    let all = match chart.roles.len() {
        0 => None,
        1 => Some("r0".to_owned()),
        count => Some(format!("r0,r{}", count - 1)),
    };
    let note = |out: &mut String, text: &str| match &all {
        Some(all) => out.push_str(&format!("    Note over {all}: {}\n", quote(text))),
        None => out.push_str(&format!("    %% {}\n", quote(text))),
    };
    if !chart.start.is_empty() {
        note(&mut out, &chart.start);
    }
    for (step, row) in trace.steps.iter().zip(&chart.rows) {
        if let Some(guard) = &row.guard {
            note(&mut out, guard);
        }
        match (&step.event, row.ends) {
            (StepEvent::Message { direction, .. }, Some((from, to))) => {
                let arrow = match direction {
                    Direction::Interaction => "->>",
                    Direction::Send => "-)",
                    Direction::Receive => "-->>",
                };
                out.push_str(&format!("    r{from}{arrow}r{to}: {}\n", quote(&row.text)));
            }
            _ => note(&mut out, &row.text),
        }
        if !row.values.is_empty() {
            note(&mut out, &row.values);
        }
    }
    if !trace.conclusion.is_empty() {
        note(&mut out, &trace.conclusion);
    }
    out
}
