//! A trace or a diagram as a sequence diagram of Mermaid.

use choros_model::diagram::{Diagram, Frame};
use choros_model::evidence::Trace;
use choros_model::stg::Direction;

use super::quote;
use crate::sequence::{Chart, FaultSign, Mark, Row, RowKind};

/// The trace in the language of Mermaid.
pub fn trace_mermaid(trace: &Trace) -> String {
    chart_mermaid(&Chart::new(trace))
}

/// The diagram in the language of Mermaid.
pub fn diagram_mermaid(diagram: &Diagram) -> String {
    chart_mermaid(&Chart::of_diagram(diagram))
}

fn chart_mermaid(chart: &Chart) -> String {
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
    let mut frames: Vec<Frame> = Vec::new();
    for row in &chart.rows {
        if let Some(line) = frame_line(row, &mut frames) {
            out.push_str(&format!("    {}\n", line.trim_end()));
            continue;
        }
        // Numbered here and not by Mermaid, which counts messages only.
        let text = quote(&row.text.text());
        let text = match row.number {
            Some(number) => format!("{number}. {text}"),
            None => text,
        };
        let mut lines = vec![match row.mark {
            Mark::Wrong => format!("✗ {text}"),
            Mark::Plain | Mark::Expected => text,
        }];
        lines.splice(0..0, row.guard.as_ref().map(|guard| quote(guard)));
        if !row.values.is_empty() {
            lines.push(quote(&row.values.text()));
        }
        let text = lines.join("<br/>");
        match (row.kind, row.ends) {
            (RowKind::Message(direction), Some((from, to))) => {
                let arrow = match (row.mark, direction) {
                    (Mark::Wrong, _) => "-x",
                    (Mark::Expected, _) => "--)",
                    (Mark::Plain, Direction::Interaction) => "->>",
                    (Mark::Plain, Direction::Send) => "-)",
                    (Mark::Plain, Direction::Receive) => "-->>",
                };
                out.push_str(&format!("    r{from}{arrow}r{to}: {text}\n"));
            }
            (RowKind::Fault(FaultSign::Crash), Some((at, _))) => {
                out.push_str(&format!("    Note over r{at}: ✗ {text}\n"));
            }
            (RowKind::Fault(sign), Some((from, to))) => {
                let arrow = match sign {
                    FaultSign::Lost => "-x",
                    FaultSign::Overtakes => "-->>",
                    FaultSign::Doubled | FaultSign::Crash => "->>",
                };
                out.push_str(&format!("    r{from}{arrow}r{to}: {text}\n"));
                if sign == FaultSign::Doubled {
                    out.push_str(&format!("    r{from}{arrow}r{to}: again\n"));
                }
            }
            (RowKind::Timer(_), Some((at, _))) => {
                out.push_str(&format!("    Note right of r{at}: {text}\n"));
            }
            (_, Some((from, to))) => {
                out.push_str(&format!("    Note over r{from},r{to}: {text}\n"));
            }
            (_, None) => note(&mut out, &text),
        }
    }
    if !chart.conclusion.is_empty() {
        note(&mut out, &quote(&chart.conclusion));
    }
    out
}

/// The line that opens, divides or closes a frame; Mermaid has no frames of our last three kinds, and their nearest
/// relatives stand for them.
fn frame_line(row: &Row, frames: &mut Vec<Frame>) -> Option<String> {
    let text = quote(&row.text.text());
    match row.kind {
        RowKind::Open(frame) => {
            frames.push(frame);
            Some(match frame {
                Frame::When => format!("opt only when {text}"),
                Frame::Interruptible => format!("critical until interrupted {text}"),
                Frame::Timeout | Frame::Saga => format!("critical {text}"),
                _ => format!("{} {text}", frame.word()),
            })
        }
        RowKind::Section => Some(match frames.last() {
            Some(Frame::Parallel) => format!("and {text}"),
            Some(Frame::Interruptible | Frame::Timeout | Frame::Saga) => format!("option {text}"),
            _ => format!("else {text}"),
        }),
        RowKind::Close => {
            frames.pop();
            Some("end".to_owned())
        }
        _ => None,
    }
}
