//! Evidence as text.

use choros_base::{SourceMap, Span};
use choros_model::Evidence;
use choros_model::evidence::{Step, StepEvent, Trace, Tree};
use choros_model::stg::Direction;

use crate::{Paint, Style, table};

/// Evidence as indented text that ends with a line break; empty where there is nothing to see.
pub fn evidence_text(evidence: &Evidence, sources: &SourceMap, style: &Style) -> String {
    match evidence {
        Evidence::Trace(trace) => trace_text(trace, sources, style),
        Evidence::Tree(tree) => tree_text(tree, sources, style),
        Evidence::Configuration(configuration) => {
            let mut rows: Vec<Vec<String>> = vec![vec!["part".to_owned(), "is at".to_owned()]];
            for (part, place) in &configuration.parts {
                rows.push(vec![part.clone(), place.clone()]);
            }
            for (channel, waiting) in &configuration.channels {
                rows.push(vec![channel.clone(), waiting.join(" ")]);
            }
            table(&rows)
        }
        Evidence::Relation(pairs) => {
            let mut rows: Vec<Vec<String>> =
                vec![["left", "right", "when"].map(str::to_owned).to_vec()];
            for pair in pairs {
                rows.push(vec![
                    pair.left.clone(),
                    pair.right.clone(),
                    pair.condition.clone(),
                ]);
            }
            table(&rows)
        }
        Evidence::Condition(condition) => {
            let mut out = format!("{}\n", condition.formula);
            for (sentence, origin) in &condition.sentences {
                out.push_str(&format!("  {sentence}{}\n", place(*origin, sources)));
            }
            out
        }
        Evidence::Table(content) => {
            let mut rows = vec![content.columns.clone()];
            rows.extend(content.rows.iter().cloned());
            table(&rows)
        }
        Evidence::GraphMark(mark) => {
            let mut out = String::new();
            for edge in &mark.edges {
                let arrow = style.sign("→", "->");
                out.push_str(&format!(
                    "{} {arrow} {}  {}{}\n",
                    edge.source,
                    edge.target,
                    edge.label,
                    place(edge.origin, sources)
                ));
                for reason in &edge.because {
                    for line in evidence_text(reason, sources, style).lines() {
                        out.push_str(&format!("    {line}\n"));
                    }
                }
            }
            out
        }
    }
}

fn trace_text(trace: &Trace, sources: &SourceMap, style: &Style) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    rows.push(
        ["step", "event", "guard", "values"]
            .map(str::to_owned)
            .to_vec(),
    );
    let bindings = |list: &[choros_model::evidence::Binding]| -> String {
        let list: Vec<String> = list
            .iter()
            .map(|binding| format!("{} = {}", binding.variable, binding.value))
            .collect();
        list.join(", ")
    };
    if !trace.start.is_empty() {
        rows.push(vec![
            String::new(),
            "start".to_owned(),
            String::new(),
            bindings(&trace.start),
        ]);
    }
    for (number, step) in trace.steps.iter().enumerate() {
        rows.push(vec![
            (number + 1).to_string(),
            event_text(step, style),
            step.guard.clone().unwrap_or_default(),
            bindings(&step.bindings),
        ]);
    }
    let mut out = table(&rows);
    if !trace.conclusion.is_empty() {
        let last = trace.steps.last().and_then(|step| step.origin);
        out.push_str(&format!("{}{}\n", trace.conclusion, place(last, sources)));
    }
    out
}

fn event_text(step: &Step, style: &Style) -> String {
    match &step.event {
        StepEvent::Silent => style.sign("τ", "tau").to_owned(),
        StepEvent::Termination => style.sign("√", "end").to_owned(),
        StepEvent::Other(text) => text.clone(),
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            fields,
        } => {
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
            let data = match fields.is_empty() {
                true => String::new(),
                false => format!("({})", fields.join(", ")),
            };
            let arrow = style.sign("→", "->");
            format!("{from} {arrow} {to}: {operation}{direction}{data}")
        }
    }
}

fn tree_text(tree: &Tree, sources: &SourceMap, style: &Style) -> String {
    let mut out = String::new();
    // Explanations can be as deep as a formula: a stack of our own.
    let mut pending = vec![(tree, 0usize)];
    while let Some((tree, depth)) = pending.pop() {
        let indent = "  ".repeat(depth);
        let claim = style.paint(Paint::Strong, &tree.claim);
        out.push_str(&format!("{indent}{claim}{}\n", place(tree.origin, sources)));
        if let Some(evidence) = &tree.evidence {
            for line in evidence_text(evidence, sources, style).lines() {
                out.push_str(&format!("{indent}    {line}\n"));
            }
        }
        pending.extend(tree.because.iter().rev().map(|child| (child, depth + 1)));
    }
    out
}

fn place(origin: Option<Span>, sources: &SourceMap) -> String {
    match origin {
        Some(span) => format!("  ({})", sources.locate(span)),
        None => String::new(),
    }
}
