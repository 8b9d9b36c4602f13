//! A saved report as frames that are shown one after the other.

use choros_base::SourceMap;
use choros_model::Evidence;
use choros_model::evidence::{Trace, Tree};

use crate::evidence_rows::{event_text, rows_before_steps, trace_rows};
use crate::sequence::bindings_text;
use crate::sequence_text::sequence_text_until;
use crate::{SavedReport, SavedResult, Style, TextRole, evidence_text, sequence_text, table};

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayFrame {
    /// Where in the report it is: `order: step 3 of 7`.
    pub title: String,
    /// What is to be seen, up to here.
    pub text: String,
}

/// All frames of a report: the steps of traces, the claims of explanations, other evidence whole.
pub fn replay_frames(report: &SavedReport, style: &Style) -> Vec<ReplayFrame> {
    let mut frames = Vec::new();
    for result in &report.results {
        match &result.evidence {
            Some(Evidence::Trace(trace)) => trace_frames(result, trace, style, &mut frames),
            Some(Evidence::Tree(tree)) => tree_frames(result, tree, style, &mut frames),
            Some(other) => frames.push(ReplayFrame {
                title: title(result, style),
                text: evidence_text(other, &SourceMap::new(), style),
            }),
            None => {}
        }
    }
    frames
}

/// The whole report at once: what a pipe gets.
pub fn replay_text(report: &SavedReport, style: &Style) -> String {
    let mut out = String::new();
    let sources = SourceMap::new();
    for result in &report.results {
        out.push_str(&format!("{}\n", title(result, style)));
        match &result.evidence {
            Some(Evidence::Trace(trace)) => {
                let chart = sequence_text(trace, style);
                let known = result.places.iter().any(|place| !place.is_empty());
                if chart.is_none() || known {
                    out.push_str(&steps_table(result, trace, style));
                }
                match chart {
                    Some(chart) => out.push_str(&chart),
                    None => out.push_str(&format!("{}\n", trace.conclusion)),
                }
            }
            Some(other) => out.push_str(&evidence_text(other, &sources, style)),
            None => out.push_str("no evidence\n"),
        }
        out.push('\n');
    }
    out
}

fn title(result: &SavedResult, style: &Style) -> String {
    let verdict = match (&result.verdict, &result.condition, &result.reason) {
        (Some(_), Some(condition), _) => format!("holds if {condition}"),
        (Some(_), None, Some(reason)) => format!("unknown: {reason}"),
        (Some(verdict), None, None) => verdict.clone(),
        (None, ..) => return style.paint(TextRole::Strong, &result.name),
    };
    let paint = match result.verdict.as_deref() {
        Some("holds") => TextRole::Good,
        Some("fails") => TextRole::Bad,
        _ => TextRole::Doubtful,
    };
    let name = style.paint(TextRole::Strong, &result.name);
    format!("{name}: {}", style.paint(paint, &verdict))
}

/// The steps with the places where they were written.
fn steps_table(result: &SavedResult, trace: &Trace, style: &Style) -> String {
    let mut rows = trace_rows(trace, style);
    let starts = rows_before_steps(trace);
    if result.places.iter().any(|place| !place.is_empty()) {
        rows[0].push("written at".to_owned());
        for (row, place) in rows[starts..].iter_mut().zip(&result.places) {
            row.push(place.clone());
        }
    }
    table(&rows)
}

fn trace_frames(result: &SavedResult, trace: &Trace, style: &Style, frames: &mut Vec<ReplayFrame>) {
    for shown in 1..=trace.steps.len() {
        let mut text = sequence_text_until(trace, shown, style)
            .unwrap_or_else(|| first_steps(trace, shown, style));
        let step = &trace.steps[shown - 1];
        let mut facts = vec![event_text(&step.event, style)];
        facts.extend(step.guard.as_ref().map(|guard| format!("because {guard}")));
        if !step.bindings.is_empty() {
            facts.push(bindings_text(&step.bindings));
        }
        if let Some((before, after)) = &step.states {
            facts.push(format!("{before} {} {after}", style.sign("→", "->")));
        }
        let place = result.places.get(shown - 1).filter(|it| !it.is_empty());
        facts.extend(place.cloned());
        text.push_str(&style.paint(TextRole::Faint, &facts.join("  ")));
        text.push('\n');
        frames.push(ReplayFrame {
            title: format!(
                "{}  (step {shown} of {})",
                title(result, style),
                trace.steps.len()
            ),
            text,
        });
    }
    if trace.steps.is_empty() {
        frames.push(ReplayFrame {
            title: title(result, style),
            text: format!("{}\n", trace.conclusion),
        });
    }
}

/// The first steps as a table, where a chart would be too wide.
fn first_steps(trace: &Trace, shown: usize, style: &Style) -> String {
    let rows = trace_rows(trace, style);
    let is_whole = shown == trace.steps.len();
    let end = if is_whole {
        rows.len()
    } else {
        rows_before_steps(trace) + shown
    };
    let mut text = table(&rows[..end]);
    if is_whole && !trace.conclusion.is_empty() {
        text.push_str(&format!("{}\n", trace.conclusion));
    }
    text
}

fn tree_frames(result: &SavedResult, tree: &Tree, style: &Style, frames: &mut Vec<ReplayFrame>) {
    let mut text = String::new();
    let mut pending = vec![(tree, 0usize)];
    let first = frames.len();
    while let Some((tree, depth)) = pending.pop() {
        let indent = "  ".repeat(depth);
        text.push_str(&format!("{indent}{}\n", tree.claim));
        if let Some(evidence) = &tree.evidence {
            for line in evidence_text(evidence, &SourceMap::new(), style).lines() {
                text.push_str(&format!("{indent}    {line}\n"));
            }
        }
        frames.push(ReplayFrame {
            title: String::new(),
            text: text.clone(),
        });
        pending.extend(tree.because.iter().rev().map(|child| (child, depth + 1)));
    }
    let count = frames.len() - first;
    for (place, frame) in frames[first..].iter_mut().enumerate() {
        frame.title = format!("{}  (claim {} of {count})", title(result, style), place + 1);
    }
}
