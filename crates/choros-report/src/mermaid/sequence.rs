//! A trace as a sequence diagram of Mermaid.

use choros_model::evidence::Trace;
use choros_model::stg::Direction;

use super::quote;
use crate::sequence::{Chart, RowKind};

/// The trace in the language of Mermaid.
pub fn trace_mermaid(trace: &Trace) -> String {
    let chart = Chart::new(trace);
    let mut out = "sequenceDiagram\n".to_owned();
    for (index, role) in chart.roles.iter().enumerate() {
        out.push_str(&format!("    participant r{index} as {}\n", quote(role)));
    }
    let all = match chart.roles.len() {
        0 => None,
        1 => Some("r0".to_owned()),
        count => Some(format!("r0,r{}", count - 1)),
    };
    let note = |out: &mut String, text: &str| match &all {
        Some(all) => out.push_str(&format!("    Note over {all}: {text}\n")),
        None => out.push_str(&format!("    %% {text}\n")),
    };
    if !chart.start.is_empty() {
        note(&mut out, &quote(&chart.start));
    }
    for (index, row) in chart.rows.iter().enumerate() {
        // Numbered here and not by Mermaid, which counts messages only.
        let mut lines = vec![format!("{}. {}", index + 1, quote(&row.text))];
        lines.splice(0..0, row.guard.as_ref().map(|guard| quote(guard)));
        if !row.values.is_empty() {
            lines.push(quote(&row.values));
        }
        let text = lines.join("<br/>");
        match (row.kind, row.ends) {
            (RowKind::Message(direction), Some((from, to))) => {
                let arrow = match direction {
                    Direction::Interaction => "->>",
                    Direction::Send => "-)",
                    Direction::Receive => "-->>",
                };
                out.push_str(&format!("    r{from}{arrow}r{to}: {text}\n"));
            }
            _ => note(&mut out, &text),
        }
    }
    if !trace.conclusion.is_empty() {
        note(&mut out, &quote(&trace.conclusion));
    }
    out
}
