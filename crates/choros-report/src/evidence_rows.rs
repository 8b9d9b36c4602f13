//! Evidence as rows and columns; the first row is the heading.

use choros_base::{SourceMap, Span};
use choros_model::Evidence;
use choros_model::evidence::{StepEvent, Trace, Tree, WrongEvent};

use crate::Style;
use crate::sequence::{bindings_text, expected_word, message_text};

pub fn evidence_rows(evidence: &Evidence, sources: &SourceMap) -> Vec<Vec<String>> {
    let place = |origin: &Option<Span>| match origin {
        Some(span) => sources.locate(*span),
        None => String::new(),
    };
    match evidence {
        Evidence::Trace(trace) => trace_rows(trace, &Style::PLAIN),
        Evidence::Tree(tree) => tree_rows(tree),
        Evidence::Configuration(configuration) => {
            let mut rows = heading(["part", "is at"]);
            for (part, place) in &configuration.parts {
                rows.push(vec![part.clone(), place.clone()]);
            }
            for (channel, waiting) in &configuration.channels {
                rows.push(vec![channel.clone(), waiting.join(" ")]);
            }
            rows
        }
        Evidence::Relation(pairs) => {
            let mut rows = heading(["left", "right", "when"]);
            rows.extend(pairs.iter().map(|pair| {
                vec![
                    pair.left.clone(),
                    pair.right.clone(),
                    pair.condition.clone(),
                ]
            }));
            rows
        }
        Evidence::Condition(condition) => {
            let mut rows = heading(["sentence", "written at"]);
            for (sentence, origin) in &condition.sentences {
                rows.push(vec![sentence.clone(), place(origin)]);
            }
            rows.push(vec![condition.formula.clone(), String::new()]);
            rows
        }
        Evidence::Table(content) => {
            let mut rows = vec![content.columns.clone()];
            rows.extend(content.rows.iter().cloned());
            rows
        }
        Evidence::GraphMark(mark) => {
            let mut rows = heading(["from", "to", "transition", "because"]);
            for edge in &mark.edges {
                let because: Vec<String> = edge
                    .because
                    .iter()
                    .map(|reason| match reason {
                        Evidence::Condition(condition) => {
                            let sentences = condition.sentences.iter().map(|it| it.0.as_str());
                            let sentences: Vec<&str> = sentences.collect();
                            sentences.join("; ")
                        }
                        other => other.kind().to_owned(),
                    })
                    .collect();
                rows.push(vec![
                    edge.source.clone(),
                    edge.target.clone(),
                    edge.label.clone(),
                    because.join(" | "),
                ]);
            }
            rows
        }
    }
}

/// The steps of a trace.
pub(crate) fn trace_rows(trace: &Trace, style: &Style) -> Vec<Vec<String>> {
    let mut rows = heading(["step", "event", "guard", "values"]);
    if !trace.start.is_empty() {
        rows.push(vec![
            String::new(),
            "start".to_owned(),
            String::new(),
            bindings_text(&trace.start),
        ]);
    }
    for (number, step) in trace.steps.iter().enumerate() {
        rows.push(vec![
            (number + 1).to_string(),
            event_text(&step.event, style),
            step.guard.clone().unwrap_or_default(),
            bindings_text(&step.bindings),
        ]);
    }
    let word = match trace.departure.wrong {
        WrongEvent::LastStep => Some("wrong"),
        WrongEvent::Unclear => Some("unclear"),
        WrongEvent::Nothing | WrongEvent::Next(_) => None,
    };
    if let (Some(word), Some(last), false) = (word, rows.last_mut(), trace.steps.is_empty()) {
        last[0] = word.to_owned();
    }
    let mut add = |word: &str, event: &str| {
        let cells = [word, event, "", ""];
        rows.push(cells.map(str::to_owned).to_vec());
    };
    if let WrongEvent::Next(event) = &trace.departure.wrong {
        add("wrong", &event_text(event, style));
    }
    for (place, expected) in trace.departure.expected.iter().enumerate() {
        let event = event_text(&expected.event, style);
        let event = match &expected.guard {
            Some(guard) => format!("{event} if {guard}"),
            None => event,
        };
        add(expected_word(place), &event);
    }
    // Numbers stand at the right also among words.
    let longest = rows.iter().skip(1).map(|row| row[0].len()).max();
    let width = longest.unwrap_or(0).max("step".len());
    for row in &mut rows {
        row[0] = format!("{:>width$}", row[0]);
    }
    rows
}

/// How many of the rows of a trace stand before its first step.
pub(crate) fn rows_before_steps(trace: &Trace) -> usize {
    1 + usize::from(!trace.start.is_empty())
}

/// The event of a step on one line.
pub(crate) fn event_text(event: &StepEvent, style: &Style) -> String {
    match event {
        StepEvent::Silent => style.sign("τ", "tau").to_owned(),
        StepEvent::Termination => style.sign("√", "end").to_owned(),
        StepEvent::Fault(fault) => fault.text(),
        StepEvent::Other(text) => text.clone(),
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            fields,
        } => {
            let arrow = style.sign("→", "->");
            let message = message_text(operation, *direction, fields);
            format!("{from} {arrow} {to}: {message}")
        }
    }
}

fn tree_rows(tree: &Tree) -> Vec<Vec<String>> {
    let mut rows = heading(["claim"]);
    let mut pending = vec![(tree, 0usize)];
    while let Some((tree, depth)) = pending.pop() {
        rows.push(vec![format!("{}{}", "  ".repeat(depth), tree.claim)]);
        pending.extend(tree.because.iter().rev().map(|child| (child, depth + 1)));
    }
    rows
}

fn heading<const N: usize>(columns: [&str; N]) -> Vec<Vec<String>> {
    vec![columns.map(str::to_owned).to_vec()]
}
