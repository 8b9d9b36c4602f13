//! A trace or a diagram as a sequence chart, before it is drawn: who takes part, and what each row says.

use choros_model::diagram::{Diagram, DiagramRow, Frame};
use choros_model::evidence::{Binding, Step, StepEvent, Trace};
use choros_model::stg::Direction;

/// The chart of a trace or of a diagram.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Chart {
    /// The lifelines, in order of first occurrence.
    pub(crate) roles: Vec<String>,
    /// Values before the first step.
    pub(crate) start: String,
    /// One row per step.
    pub(crate) rows: Vec<Row>,
    /// What is to be seen at the end.
    pub(crate) conclusion: String,
    /// Whether the rows are numbered, as those of a trace are.
    pub(crate) numbered: bool,
    /// How deep frames nest.
    pub(crate) depth: usize,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// What it is.
    pub(crate) kind: RowKind,
    /// Positions of sender and receiver.
    pub(crate) ends: Option<(usize, usize)>,
    /// The condition that let it through.
    pub(crate) guard: Option<String>,
    /// The event.
    pub(crate) text: String,
    /// Values that variables got.
    pub(crate) values: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Message(Direction),
    Silent,
    Termination,
    Other,
    /// A remark, over some lifelines if the row has ends.
    Note,
    /// A frame begins.
    Open(Frame),
    /// The next section of the innermost frame begins.
    Section,
    /// The innermost frame ends.
    Close,
}

impl Chart {
    pub(crate) fn new(trace: &Trace) -> Chart {
        let mut chart = Chart {
            start: bindings_text(&trace.start),
            conclusion: trace.conclusion.clone(),
            numbered: true,
            ..Chart::default()
        };
        for step in &trace.steps {
            let row = row(step, &mut chart.roles);
            chart.rows.push(row);
        }
        chart
    }

    pub(crate) fn of_diagram(diagram: &Diagram) -> Chart {
        Chart {
            roles: diagram.roles.clone(),
            rows: diagram.rows.iter().map(diagram_row).collect(),
            depth: diagram.depth(),
            ..Chart::default()
        }
    }
}

fn diagram_row(row: &DiagramRow) -> Row {
    let (kind, ends, text) = match row {
        DiagramRow::Message { from, to, text } => {
            let kind = RowKind::Message(Direction::Interaction);
            (kind, Some((*from, *to)), text.as_str())
        }
        DiagramRow::Note { over, text } => {
            let ends = over.iter().copied().min().zip(over.iter().copied().max());
            (RowKind::Note, ends, text.as_str())
        }
        DiagramRow::Open(frame, head) => (RowKind::Open(*frame), None, head.as_str()),
        DiagramRow::Section(head) => (RowKind::Section, None, head.as_str()),
        DiagramRow::Close => (RowKind::Close, None, ""),
    };
    Row {
        kind,
        ends,
        guard: None,
        text: text.to_owned(),
        values: String::new(),
    }
}

fn row(step: &Step, roles: &mut Vec<String>) -> Row {
    let mut position = |role: &String| match roles.iter().position(|known| known == role) {
        Some(position) => position,
        None => {
            roles.push(role.clone());
            roles.len() - 1
        }
    };
    let mut bindings = step.bindings.clone();
    let (kind, ends, text) = match &step.event {
        StepEvent::Silent => (RowKind::Silent, None, "τ".to_owned()),
        StepEvent::Termination => (RowKind::Termination, None, "√".to_owned()),
        StepEvent::Other(text) => (RowKind::Other, None, text.clone()),
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            fields,
        } => {
            let ends = (position(from), position(to));
            let text = message_text(operation, *direction, fields);
            // What the message says need not be said twice.
            bindings.retain(|binding| {
                !fields
                    .iter()
                    .any(|(label, value)| *label == binding.variable && *value == binding.value)
            });
            (RowKind::Message(*direction), Some(ends), text)
        }
    };
    Row {
        kind,
        ends,
        guard: step.guard.as_ref().map(|guard| format!("[{guard}]")),
        text,
        values: bindings_text(&bindings),
    }
}

/// `Request!(x = 3)`.
pub(crate) fn message_text(
    operation: &str,
    direction: Direction,
    fields: &[(String, String)],
) -> String {
    let direction = match direction {
        Direction::Interaction => "",
        Direction::Send => "!",
        Direction::Receive => "?",
    };
    let fields: Vec<String> = fields
        .iter()
        .map(|(label, value)| match label.as_str() {
            "" => value.clone(),
            label => format!("{label} = {value}"),
        })
        .collect();
    if fields.is_empty() {
        format!("{operation}{direction}")
    } else {
        format!("{operation}{direction}({})", fields.join(", "))
    }
}

/// `x = 3, y = 4`.
pub(crate) fn bindings_text(bindings: &[Binding]) -> String {
    let bindings: Vec<String> = bindings
        .iter()
        .map(|binding| format!("{} = {}", binding.variable, binding.value))
        .collect();
    bindings.join(", ")
}
