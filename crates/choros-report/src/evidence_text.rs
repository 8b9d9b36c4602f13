//! Evidence as text.

use choros_base::{SourceMap, Span};
use choros_model::Evidence;
use choros_model::evidence::{Trace, Tree};

use crate::evidence_rows::trace_rows;
use crate::run_chart::run_chart;
use crate::sequence_text::chart_text;
use crate::{Style, TextRole, evidence_rows, sequence_text, table};

/// Evidence as indented text that ends with a line break; empty where there is nothing to see.
pub fn evidence_text(evidence: &Evidence, sources: &SourceMap, style: &Style) -> String {
    match evidence {
        Evidence::Trace(trace) => trace_text(trace, sources, style),
        Evidence::Tree(tree) => tree_text(tree, sources, style),
        Evidence::Condition(condition) => {
            let mut out = format!("{}\n", condition.formula);
            for (sentence, origin) in &condition.sentences {
                out.push_str(&format!("  {sentence}{}\n", place(*origin, sources)));
            }
            out
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
        Evidence::Configuration(_) | Evidence::Relation(_) | Evidence::Table(_) => {
            table(&evidence_rows(evidence, sources))
        }
    }
}

fn trace_text(trace: &Trace, sources: &SourceMap, style: &Style) -> String {
    // A terminal shows the chart; a pipe gets lines that tools can take apart.
    if style.unicode
        && let Some(chart) = sequence_text(trace, style)
    {
        return chart;
    }
    let mut out = table(&trace_rows(trace, style));
    if !trace.conclusion.is_empty() {
        let last = trace.steps.last().and_then(|step| step.origin);
        out.push_str(&format!("{}{}\n", trace.conclusion, place(last, sources)));
    }
    out
}

fn tree_text(tree: &Tree, sources: &SourceMap, style: &Style) -> String {
    let mut out = String::new();
    if style.unicode
        && let Some((chart, [])) = run_chart(tree)
    {
        let rows = chart.rows.len();
        if let Some(text) = chart_text(chart, rows, style) {
            return text;
        }
    }
    // Explanations can be as deep as a formula: a stack of our own.
    let mut pending = vec![(tree, 0usize)];
    while let Some((tree, depth)) = pending.pop() {
        let indent = "  ".repeat(depth);
        let claim = style.paint(TextRole::Strong, &tree.claim);
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

pub(crate) fn place(origin: Option<Span>, sources: &SourceMap) -> String {
    match origin {
        Some(span) => format!("  ({})", sources.locate(span)),
        None => String::new(),
    }
}
