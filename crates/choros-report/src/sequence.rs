//! A trace or a diagram as a sequence chart, before it is drawn: who takes part, and what each row says.

use std::collections::BTreeMap;

use choros_model::diagram::{Diagram, DiagramRow, Frame, TimerEvent};
use choros_model::evidence::{
    Binding, Departure, FaultStep, MessageFault, Step, StepEvent, Trace, WrongEvent,
};
use choros_model::stg::Direction;

use crate::rich::Rich;

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
    /// Whether it is part of the run.
    pub(crate) mark: Mark,
    /// Its number in a run.
    pub(crate) number: Option<usize>,
    /// Positions of sender and receiver.
    pub(crate) ends: Option<(usize, usize)>,
    /// The condition that let it through.
    pub(crate) guard: Option<String>,
    /// The event.
    pub(crate) text: Rich,
    /// Values that variables got.
    pub(crate) values: Rich,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Message(Direction),
    Silent,
    Termination,
    Other,
    /// A remark, over some lifelines if the row has ends.
    Note,
    /// A timer of the role at both ends.
    Timer(TimerEvent),
    /// What goes wrong with the message between both ends, or with the role at both.
    Fault(FaultSign),
    /// A frame begins.
    Open(Frame),
    /// The next section of the innermost frame begins.
    Section,
    /// The innermost frame ends.
    Close,
}

/// How what goes wrong is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultSign {
    /// An arrow that does not arrive.
    Lost,
    /// Two arrows.
    Doubled,
    /// A dashed arrow.
    Overtakes,
    /// A cross, at which the lifeline ends.
    Crash,
}

/// What a row has to do with what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It happened, and nothing is wrong with it.
    Plain,
    /// It must not happen.
    Wrong,
    /// It did not happen, but was expected.
    Expected,
}

impl Chart {
    pub(crate) fn new(trace: &Trace) -> Chart {
        let mut chart = Chart {
            start: bindings_text(&trace.start),
            numbered: true,
            ..Chart::default()
        };
        chart.add_run(trace);
        chart.conclusion = trace.conclusion.clone();
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

    /// Adds the steps of a run, what is wrong in it and what was expected; numbers go on.
    pub(crate) fn add_run(&mut self, trace: &Trace) {
        let departure = &trace.departure;
        let wrong_event = wrong_event(trace);
        let expected = departure.expected.iter().map(|it| it.event.clone());
        let expected: Vec<StepEvent> = expected.collect();
        let before = self.rows.iter().filter_map(|row| row.number).max();
        let before = before.unwrap_or(0);
        let has_marks = has_both_ends(trace);
        for (index, step) in trace.steps.iter().enumerate() {
            let is_last = index + 1 == trace.steps.len();
            let is_wrong = is_last && departure.wrong == WrongEvent::LastStep;
            let strong = Strong {
                departure,
                against: if is_wrong { &expected } else { &[] },
                has_marks,
            };
            let mut row = row(step, &strong, &mut self.roles);
            row.number = Some(before + index + 1);
            if is_wrong {
                row.mark = Mark::Wrong;
            }
            if is_last && departure.wrong == WrongEvent::Unclear {
                row.text = row.text.after("unclear");
            }
            self.rows.push(row);
        }
        if let WrongEvent::Next(event) = &departure.wrong {
            let strong = Strong {
                departure,
                against: &expected,
                has_marks,
            };
            let row = event_row(event, &strong, &mut self.roles);
            self.rows.push(Row {
                mark: Mark::Wrong,
                ..row
            });
        }
        for (place, expected) in departure.expected.iter().enumerate() {
            let strong = Strong {
                departure,
                against: wrong_event.map(std::slice::from_ref).unwrap_or_default(),
                has_marks,
            };
            let row = event_row(&expected.event, &strong, &mut self.roles);
            let mut text = row.text.after(expected_word(place));
            if let Some(guard) = &expected.guard {
                text.push(&format!(" if {guard}"), false);
            }
            self.rows.push(Row {
                mark: Mark::Expected,
                text,
                ..row
            });
        }
    }

    /// Adds a remark over all lifelines.
    pub(crate) fn add_note(&mut self, text: &str) {
        self.rows.push(unnumbered(RowKind::Note, None, text));
    }
}

/// Before what was expected: the first alternative, or another.
pub(crate) fn expected_word(place: usize) -> &'static str {
    if place == 0 { "expected" } else { "or" }
}

/// The event that must not happen.
pub(crate) fn wrong_event(trace: &Trace) -> Option<&StepEvent> {
    match &trace.departure.wrong {
        WrongEvent::Nothing | WrongEvent::Unclear => None,
        WrongEvent::Next(event) => Some(event),
        WrongEvent::LastStep => trace.steps.last().map(|step| &step.event),
    }
}

fn diagram_row(row: &DiagramRow) -> Row {
    if let DiagramRow::Timer { at, event, text } = row {
        let ends = Some((*at, *at));
        return unnumbered(RowKind::Timer(*event), ends, &event.text(text));
    }
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
        DiagramRow::Close | DiagramRow::Timer { .. } => (RowKind::Close, None, ""),
    };
    unnumbered(kind, ends, text)
}

fn unnumbered(kind: RowKind, ends: Option<(usize, usize)>, text: &str) -> Row {
    Row {
        kind,
        mark: Mark::Plain,
        number: None,
        ends,
        guard: None,
        text: Rich::plain(text),
        values: Rich::default(),
    }
}

/// Whether a message is both sent and received in a run: only then does its arrow not say which of the two it is.
fn has_both_ends(trace: &Trace) -> bool {
    let mut seen = BTreeMap::new();
    trace.steps.iter().any(|step| match &step.event {
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            ..
        } => *seen.entry((operation, from, to)).or_insert(*direction) != *direction,
        _ => false,
    })
}

/// Which values matter: those that decide where a run departs, and those that are not as expected.
struct Strong<'a> {
    departure: &'a Departure,
    /// Events that are compared with this one.
    against: &'a [StepEvent],
    /// Whether sends and receives are marked, `!` and `?`.
    has_marks: bool,
}

impl Strong<'_> {
    fn variable(&self, name: &str) -> bool {
        let plain = |name: &str| name.split('@').next().unwrap_or_default().to_owned();
        let mut decisive = self.departure.decisive.iter();
        !name.is_empty() && decisive.any(|it| it == name || plain(it) == plain(name))
    }

    fn field(&self, event: &StepEvent, place: usize, label: &str, value: &str) -> bool {
        let differs = self.against.iter().any(|other| {
            let other = other_field(event, other, place, label);
            other.is_some_and(|other| other != value && other != "_" && value != "_")
        });
        differs || self.variable(label)
    }
}

/// The value of the same field in another message of the same kind.
fn other_field<'e>(
    event: &StepEvent,
    other: &'e StepEvent,
    place: usize,
    label: &str,
) -> Option<&'e str> {
    let heading = |event: &'e StepEvent| match event {
        StepEvent::Message {
            operation,
            from,
            to,
            fields,
            ..
        } => Some((operation, from, to, fields)),
        _ => None,
    };
    let StepEvent::Message {
        operation,
        from,
        to,
        ..
    } = event
    else {
        return None;
    };
    let (other_operation, other_from, other_to, fields) = heading(other)?;
    if (operation, from, to) != (other_operation, other_from, other_to) {
        return None;
    }
    let named = fields
        .iter()
        .find(|(name, _)| !label.is_empty() && name == label);
    let placed = || {
        fields
            .get(place)
            .filter(|it| it.0.is_empty() || label.is_empty())
    };
    named.or_else(placed).map(|(_, value)| value.as_str())
}

fn row(step: &Step, strong: &Strong<'_>, roles: &mut Vec<String>) -> Row {
    let mut bindings = step.bindings.clone();
    if let StepEvent::Message { fields, .. } = &step.event {
        // What the message says need not be said twice.
        bindings.retain(|binding| {
            let name = binding.variable.split('@').next().unwrap_or_default();
            !fields
                .iter()
                .any(|(label, value)| *label == name && *value == binding.value)
        });
    }
    let mut values = Rich::default();
    for (place, binding) in bindings.iter().enumerate() {
        values.push(if place == 0 { "" } else { ", " }, false);
        let text = format!("{} = {}", binding.variable, binding.value);
        values.push(&text, strong.variable(&binding.variable));
    }
    Row {
        guard: step.guard.as_ref().map(|guard| format!("[{guard}]")),
        values,
        ..event_row(&step.event, strong, roles)
    }
}

fn event_row(event: &StepEvent, strong: &Strong<'_>, roles: &mut Vec<String>) -> Row {
    let mut position = |role: &String| match roles.iter().position(|known| known == role) {
        Some(position) => position,
        None => {
            roles.push(role.clone());
            roles.len() - 1
        }
    };
    match event {
        StepEvent::Silent => unnumbered(RowKind::Silent, None, "hidden step"),
        StepEvent::Termination => unnumbered(RowKind::Termination, None, "end"),
        StepEvent::Other(text) => unnumbered(RowKind::Other, None, text),
        StepEvent::Fault(FaultStep::Message {
            what,
            operation,
            from,
            to,
        }) => {
            let sign = match what {
                MessageFault::Lost => FaultSign::Lost,
                MessageFault::Doubled => FaultSign::Doubled,
                MessageFault::Overtakes => FaultSign::Overtakes,
            };
            let ends = Some((position(from), position(to)));
            let text = format!("{operation} {}", what.word());
            unnumbered(RowKind::Fault(sign), ends, &text)
        }
        StepEvent::Fault(FaultStep::Crash { role }) => {
            let at = position(role);
            unnumbered(RowKind::Fault(FaultSign::Crash), Some((at, at)), "crash")
        }
        StepEvent::Fault(FaultStep::Noticed { crashed, by }) => {
            let at = position(by);
            let text = format!("{crashed} has crashed");
            unnumbered(RowKind::Note, Some((at, at)), &text)
        }
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            fields,
        } => {
            let ends = Some((position(from), position(to)));
            let matters = |place: usize| {
                let (label, value) = &fields[place];
                strong.field(event, place, label, value)
            };
            let mark = if strong.has_marks {
                *direction
            } else {
                Direction::Interaction
            };
            Row {
                text: message_rich(operation, mark, fields, matters),
                ..unnumbered(RowKind::Message(*direction), ends, "")
            }
        }
    }
}

/// `Request!(x = 3)`.
pub(crate) fn message_text(
    operation: &str,
    direction: Direction,
    fields: &[(String, String)],
) -> String {
    message_rich(operation, direction, fields, |_| false).text()
}

fn message_rich(
    operation: &str,
    direction: Direction,
    fields: &[(String, String)],
    matters: impl Fn(usize) -> bool,
) -> Rich {
    let direction = match direction {
        Direction::Interaction => "",
        Direction::Send => "!",
        Direction::Receive => "?",
    };
    let mut rich = Rich::plain(&format!("{operation}{direction}"));
    for (place, (label, value)) in fields.iter().enumerate() {
        rich.push(if place == 0 { "(" } else { ", " }, false);
        let text = match label.as_str() {
            "" => value.clone(),
            label => format!("{label} = {value}"),
        };
        rich.push(&text, matters(place));
    }
    if !fields.is_empty() {
        rich.push(")", false);
    }
    rich
}

/// `x = 3, y = 4`.
pub(crate) fn bindings_text(bindings: &[Binding]) -> String {
    let bindings: Vec<String> = bindings
        .iter()
        .map(|binding| format!("{} = {}", binding.variable, binding.value))
        .collect();
    bindings.join(", ")
}
