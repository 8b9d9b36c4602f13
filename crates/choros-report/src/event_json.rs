//! What happens during a run as lines of JSON, for a page that shows it while it happens.

use choros_base::{Measure, SourceMap};
use choros_model::Evidence;
use serde_json::{Value, json};

use crate::json::{diagnostic_json, outcome_value, report_value};
use crate::{
    Block, Event, ExitStatus, GraphDrawing, NamedResult, Report, Style, diagnostics_text,
    diagram_svg, evidence_svg, graph_svg, plots_svg, to_html, to_junit, to_text,
};

/// One line; `None` for what only matters inside.
pub fn event_json(event: &Event, sources: &SourceMap) -> Option<String> {
    let object = match event {
        Event::Doing(what) => json!({"event": "doing", "what": what}),
        Event::Listening(line) => json!({"event": "listening", "line": line}),
        Event::Found(finding) => {
            json!({"event": "found", "finding": diagnostic_json(finding, sources)})
        }
        Event::Answered(answer) => json!({
            "event": "answered",
            "result": outcome_value(answer, sources),
            "pictures": pictures(answer, sources),
        }),
        Event::Decided(window) => json!({
            "event": "decided",
            "property": window.property,
            "service": window.service,
            "verdict": window.word.text(),
            "opened": window.opened,
            "decided": window.decided,
        }),
        Event::Message(message) => json!({
            "event": "message",
            "part": message.part,
            "from": message.from,
            "to": message.to,
            "op": message.operation,
            "values": message.values,
            "left_out": message.left_out,
        }),
        Event::Read(_) | Event::Rules(_) => return None,
    };
    Some(object.to_string())
}

/// How far the work is.
pub fn progress_json(measure: Measure) -> String {
    let (part, done, total) = (measure.part, measure.done, measure.total);
    json!({"event": "progress", "part": part, "done": done, "total": total}).to_string()
}

/// What was printed outside any report.
pub fn printed_json(text: &str) -> String {
    json!({"event": "printed", "text": text}).to_string()
}

/// The end of a run: the report in all forms, with its pictures.
pub fn finished_json(report: &Report, sources: &SourceMap) -> String {
    let results = report.outcomes.iter();
    let style = Style {
        unicode: true,
        ..Style::PLAIN
    };
    json!({
        "event": "finished",
        "exit": ExitStatus::of(report).code(),
        "report": report_value(report, sources),
        "pictures": results.map(|it| pictures(it, sources)).collect::<Vec<_>>(),
        "text": to_text(report, sources, &style),
        "findings": diagnostics_text(&report.diagnostics, sources, &style),
        "html": to_html(report, sources),
        "junit": to_junit(report, sources),
    })
    .to_string()
}

/// A picture beyond this makes a page slow.
const MAX_NODES: usize = 1_500;

/// The pictures that belong to a result.
fn pictures(result: &NamedResult, sources: &SourceMap) -> Vec<Value> {
    let graph = |drawing: &GraphDrawing| {
        let small = Some(drawing).filter(|it| it.nodes.len() <= MAX_NODES);
        small.and_then(|it| graph_svg(it).ok())
    };
    let picture = |kind: &str, svg: String| json!({"kind": kind, "svg": svg});
    let mut all = Vec::new();
    for block in &result.blocks {
        match block {
            Block::Graph(drawing) => all.extend(graph(drawing).map(|it| picture("model", it))),
            Block::Diagram(diagram) => all.push(picture("model", diagram_svg(diagram))),
            Block::Picture { format, text } if *format == "svg" => {
                all.push(picture("model", text.clone()));
            }
            Block::Evidence(evidence) => all.extend(run(evidence, sources)),
            Block::Plot(plot) => {
                let svg = plots_svg(std::slice::from_ref(plot));
                all.push(picture("plot", svg));
            }
            Block::Line(_) | Block::Picture { .. } => {}
        }
    }
    let evidence = result.answer.as_ref().and_then(|it| it.evidence.as_ref());
    all.extend(evidence.and_then(|it| run(it, sources)));
    for model in &result.models {
        all.extend(graph(model).map(|it| picture("marked", it)));
    }
    all
}

/// A run as a sequence chart.
fn run(evidence: &Evidence, sources: &SourceMap) -> Option<Value> {
    let is_run = matches!(evidence, Evidence::Trace(_));
    is_run.then(|| json!({"kind": "run", "svg": evidence_svg(evidence, sources)}))
}
