//! The JSON form, as `docs/schema/report.schema.json` describes it.
//!
//! The structs here mirror the report's; they exist so that a change of a report type cannot silently change the form.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, Severity, SourceMap, Span};
use choros_model::Evidence;
use choros_model::evidence::{
    Departure, Expected, FaultStep, MarkedEdge, Step, StepEvent, Trace, Tree, WrongEvent,
};
use choros_model::stg::Direction;
use choros_model::walk::{Proposal, Walk, WalkOption};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::FaultRow;
use crate::realization::RealizationJson;
use crate::{
    Answer, Blame, Block, MachineSafety, NamedResult, Plot, Report, SavedConversation,
    SavedDriving, Sizes, StuckPlace, Style, diagram_mermaid, evidence_text,
};

/// One object, pretty-printed, with a line break at the end.
pub fn to_json(report: &Report, sources: &SourceMap) -> String {
    match serde_json::to_string_pretty(&report_json(report, sources)) {
        Ok(text) => text + "\n",
        // Strings, numbers and maps with string keys cannot fail to serialise.
        Err(error) => unreachable!("a report is plain data: {error}"),
    }
}

/// The same as a value.
pub(crate) fn report_value(report: &Report, sources: &SourceMap) -> Value {
    // As above.
    serde_json::to_value(report_json(report, sources)).unwrap_or_default()
}

/// One result of it.
pub(crate) fn outcome_value(outcome: &NamedResult, sources: &SourceMap) -> Value {
    serde_json::to_value(outcome_json(outcome, sources)).unwrap_or_default()
}

fn report_json<'a>(report: &'a Report, sources: &SourceMap) -> ReportJson<'a> {
    let sizes = report.sizes();
    let top = report.answer();
    ReportJson {
        schema: 2,
        choros: env!("CARGO_PKG_VERSION"),
        verb: report.verb,
        answer: top.as_ref().map(|answer| answer_json(answer, sources)),
        // As with the verdict: what the only result says is said at the top too.
        realization: match &report.outcomes[..] {
            [only] => realization_json(only, sources),
            _ => None,
        },
        safety: match &report.outcomes[..] {
            [only] => only.safety.as_deref(),
            _ => None,
        },
        error: report
            .world_failed
            .as_ref()
            .map(|message| json!({ "message": message })),
        stats: stats_json(&sizes),
        complete: sizes.complete,
        interrupted: report.interrupted,
        semantics: SemanticsJson {
            relation: report.semantics.relation.as_deref(),
            channels: report.semantics.channels.as_deref(),
            bounds: &report.semantics.bounds,
            seed: report.semantics.seed,
            solver: report.semantics.solver.as_deref(),
            inputs: &report.semantics.inputs,
            parameters: &report.semantics.parameters,
            checked: &report.semantics.checked,
            notes: &report.semantics.notes,
        },
        diagnostics: report
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic_json(diagnostic, sources))
            .collect(),
        results: report
            .outcomes
            .iter()
            .map(|outcome| outcome_json(outcome, sources))
            .collect(),
        guilty: report.blame.as_deref(),
        driving: report.driving.as_deref(),
        files: report
            .files
            .iter()
            .map(|file| json!({ "path": file.path, "fate": file.fate }))
            .collect(),
    }
}

#[derive(Serialize)]
struct ReportJson<'a> {
    schema: u32,
    choros: &'static str,
    verb: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerJson>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    realization: Option<RealizationJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety: Option<&'a MachineSafety>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    stats: Map<String, Value>,
    complete: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    semantics: SemanticsJson<'a>,
    diagnostics: Vec<Value>,
    results: Vec<OutcomeJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guilty: Option<&'a Blame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    driving: Option<&'a SavedDriving>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Value>,
}

#[derive(Serialize)]
struct AnswerJson {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Value>,
}

#[derive(Serialize)]
struct SemanticsJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channels: Option<&'a str>,
    bounds: &'a BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'a str>,
    inputs: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    checked: &'a BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct OutcomeJson<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proviso: Option<&'a str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerJson>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    realization: Option<RealizationJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety: Option<&'a MachineSafety>,
    #[serde(skip_serializing_if = "<[StuckPlace]>::is_empty")]
    stuck: &'a [StuckPlace],
    #[serde(skip_serializing_if = "<[FaultRow]>::is_empty")]
    faults: &'a [FaultRow],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    stats: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    parameters: Map<String, Value>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<&'a SavedConversation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walk: Option<Value>,
}

fn outcome_json<'a>(outcome: &'a NamedResult, sources: &SourceMap) -> OutcomeJson<'a> {
    OutcomeJson {
        name: outcome.name.clone(),
        reading: outcome.reading.as_deref(),
        proviso: outcome.proviso.as_deref(),
        answer: outcome
            .answer
            .as_ref()
            .map(|answer| answer_json(answer, sources)),
        realization: realization_json(outcome, sources),
        safety: outcome.safety.as_deref(),
        stuck: &outcome.stuck,
        faults: &outcome.faults,
        error: outcome
            .rejected
            .as_ref()
            .map(|rejection| json!({ "code": rejection.code, "message": rejection.message })),
        stats: stats_json(&outcome.sizes),
        parameters: outcome
            .parameters
            .iter()
            .map(|(name, sort)| (name.clone(), json!(sort)))
            .collect(),
        complete: outcome.sizes.complete,
        known: outcome.known.as_deref(),
        conversation: outcome.conversation.as_deref(),
        walk: outcome.walk.as_deref().map(|it| walk_json(it, sources)),
        output: outcome
            .blocks
            .iter()
            .map(|block| match block {
                Block::Line(text) => json!({ "format": "line", "text": text }),
                Block::Picture { format, text } => json!({ "format": format, "text": text }),
                Block::Graph(drawing) => json!({ "format": "dot", "text": drawing.dot }),
                Block::Diagram(diagram) => {
                    json!({ "format": "mermaid", "text": diagram_mermaid(diagram) })
                }
                Block::Evidence(evidence) => {
                    json!({
                        "format": "evidence",
                        "text": evidence_text(evidence, sources, &Style::PLAIN),
                        "evidence": evidence_json(evidence, sources),
                    })
                }
                Block::Plot(plot) => plot_json(plot),
            })
            .collect(),
    }
}

fn realization_json(outcome: &NamedResult, sources: &SourceMap) -> Option<RealizationJson> {
    let realization = outcome.realization.as_deref()?;
    Some(RealizationJson::of(realization, sources, place_json))
}

fn stats_json(sizes: &Sizes) -> Map<String, Value> {
    sizes
        .stats
        .iter()
        .map(|(stat, count)| (stat.word().to_owned(), json!(count)))
        .collect()
}

fn answer_json(answer: &Answer, sources: &SourceMap) -> AnswerJson {
    AnswerJson {
        verdict: answer.word.text(),
        condition: answer.condition.clone(),
        reason: answer.reason.clone(),
        evidence: answer
            .evidence
            .as_ref()
            .map(|evidence| evidence_json(evidence, sources)),
    }
}

pub(crate) fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let mut object = json!({
        "code": diagnostic.code.code,
        "name": diagnostic.code.name,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "information",
        },
        "message": diagnostic.message,
        "labels": diagnostic.labels.iter().map(|label| {
            let mut place = place_json(label.span, sources);
            place["message"] = json!(label.message);
            place
        }).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
    });
    if let Some(suggestion) = &diagnostic.suggestion {
        let mut place = place_json(suggestion.span, sources);
        place["message"] = json!(suggestion.message);
        place["replacement"] = json!(suggestion.replacement);
        object["suggestion"] = place;
    }
    object
}

fn place_json(span: Span, sources: &SourceMap) -> Value {
    let (line, column) = sources.line_column(span.start());
    let range = span.range();
    json!({
        "file": sources.file(span.file()).name(),
        "line": line,
        "column": column,
        "start": range.start,
        "end": range.end,
    })
}

fn evidence_json(evidence: &Evidence, sources: &SourceMap) -> Value {
    let mut object = match evidence {
        Evidence::Trace(trace) => trace_json(trace, sources),
        Evidence::Tree(tree) => tree_json(tree, sources),
        Evidence::Configuration(configuration) => json!({
            "parts": configuration.parts.iter()
                .map(|(part, place)| json!({ "part": part, "at": place })).collect::<Vec<_>>(),
            "channels": configuration.channels.iter()
                .map(|(channel, waiting)| json!({ "channel": channel, "waiting": waiting }))
                .collect::<Vec<_>>(),
        }),
        Evidence::Relation(pairs) => json!({
            "pairs": pairs.iter().map(|pair| json!({
                "left": pair.left, "right": pair.right, "condition": pair.condition,
            })).collect::<Vec<_>>(),
        }),
        Evidence::Condition(condition) => json!({
            "formula": condition.formula,
            "sentences": condition.sentences.iter().map(|(text, origin)| {
                with_origin(json!({ "text": text }), *origin, sources)
            }).collect::<Vec<_>>(),
        }),
        Evidence::Table(table) => json!({ "columns": table.columns, "rows": table.rows }),
        Evidence::GraphMark(mark) => json!({
            "model": mark.model,
            "nodes": mark.nodes,
            "edges": mark.edges.iter().map(|edge| edge_json(edge, sources)).collect::<Vec<_>>(),
        }),
    };
    object["kind"] = json!(evidence.kind());
    object
}

fn walk_json(walk: &Walk, sources: &SourceMap) -> Value {
    let known = walk.known.iter();
    let proposal = |it: &Proposal| match &it.values {
        Ok(values) => json!({ "next": it.next, "values": bindings_json(values) }),
        Err(reason) => json!({ "next": it.next, "reason": reason }),
    };
    let offer = |it: &WalkOption| {
        let wanted = it.open_variables.iter();
        let mut object = json!({
            "event": it.event,
            "target": it.target,
            "wanted": wanted.map(|(name, sort)| json!({ "name": name, "sort": sort })).collect::<Vec<_>>(),
            "proposals": it.proposals.iter().map(proposal).collect::<Vec<_>>(),
        });
        if let Some(reason) = &it.refused {
            object["refused"] = json!(reason);
        }
        object
    };
    let mut object = json!({
        "run": evidence_json(&Evidence::Trace(walk.run.clone()), sources),
        "here": evidence_json(&Evidence::Configuration(walk.configuration.clone()), sources),
        "known": known.map(|(role, values)| json!({ "role": role, "values": bindings_json(values) })).collect::<Vec<_>>(),
        "offers": walk.offers.iter().map(offer).collect::<Vec<_>>(),
        "mayEnd": walk.may_end,
    });
    if let Some(reason) = &walk.cut {
        object["cut"] = json!(reason);
    }
    object
}

fn edge_json(edge: &MarkedEdge, sources: &SourceMap) -> Value {
    let because: Vec<Value> = edge
        .because
        .iter()
        .map(|evidence| evidence_json(evidence, sources))
        .collect();
    with_origin(
        json!({
            "source": edge.source, "target": edge.target, "label": edge.label, "because": because,
        }),
        edge.origin,
        sources,
    )
}

fn trace_json(trace: &Trace, sources: &SourceMap) -> Value {
    let steps: Vec<Value> = trace
        .steps
        .iter()
        .map(|step| step_json(step, sources))
        .collect();
    let mut object = json!({
        "start": bindings_json(&trace.start),
        "steps": steps,
        "conclusion": trace.conclusion,
    });
    let departure = &trace.departure;
    if *departure != Departure::default() {
        object["departure"] = json!({
            "wrong": match &departure.wrong {
                WrongEvent::Nothing => Value::Null,
                WrongEvent::LastStep => json!("last"),
                WrongEvent::Unclear => json!("unclear"),
                WrongEvent::Next(event) => event_json(event),
            },
            "expected": departure.expected.iter().map(expected_json).collect::<Vec<_>>(),
            "decisive": departure.decisive,
        });
    }
    object
}

fn expected_json(expected: &Expected) -> Value {
    let mut object = event_json(&expected.event);
    if let Some(guard) = &expected.guard {
        object["guard"] = json!(guard);
    }
    object
}

fn fault_json(fault: &FaultStep) -> Value {
    let text = fault.text();
    match fault {
        FaultStep::Message {
            what,
            operation,
            from,
            to,
        } => json!({
            "kind": "fault", "text": text, "fault": what.word(), "op": operation, "from": from, "to": to,
        }),
        FaultStep::Crash { role } => {
            json!({ "kind": "fault", "text": text, "fault": "crash", "role": role })
        }
        FaultStep::Noticed { crashed, by } => {
            json!({ "kind": "fault", "text": text, "fault": "noticed", "role": crashed, "by": by })
        }
    }
}

fn event_json(event: &StepEvent) -> Value {
    match event {
        StepEvent::Silent => json!({ "kind": "silent" }),
        StepEvent::Termination => json!({ "kind": "termination" }),
        StepEvent::Other(text) => json!({ "kind": "other", "text": text }),
        StepEvent::Fault(fault) => fault_json(fault),
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            fields,
        } => json!({
            "kind": "message", "op": operation, "from": from, "to": to,
            "dir": match direction {
                Direction::Interaction => "interaction",
                Direction::Send => "send",
                Direction::Receive => "recv",
            },
            "data": fields.iter().map(|(label, value)| json!({ "label": label, "value": value }))
                .collect::<Vec<_>>(),
        }),
    }
}

fn step_json(step: &Step, sources: &SourceMap) -> Value {
    let event = event_json(&step.event);
    let mut object = json!({ "event": event, "bindings": bindings_json(&step.bindings) });
    if let Some(guard) = &step.guard {
        object["guard"] = json!(guard);
    }
    if let Some((before, after)) = &step.states {
        object["states"] = json!([before, after]);
    }
    with_origin(object, step.origin, sources)
}

/// Explanations nest; the ones that engines make are as deep as a formula, which parsers limit.
fn tree_json(tree: &Tree, sources: &SourceMap) -> Value {
    let because: Vec<Value> = tree
        .because
        .iter()
        .map(|child| tree_json(child, sources))
        .collect();
    let mut object = json!({ "claim": tree.claim, "because": because });
    if let Some(evidence) = &tree.evidence {
        object["evidence"] = evidence_json(evidence, sources);
    }
    with_origin(object, tree.origin, sources)
}

fn bindings_json(bindings: &[choros_model::evidence::Binding]) -> Value {
    let map: Map<String, Value> = bindings
        .iter()
        .map(|binding| (binding.variable.clone(), json!(binding.value)))
        .collect();
    Value::Object(map)
}

fn with_origin(mut object: Value, origin: Option<Span>, sources: &SourceMap) -> Value {
    if let Some(span) = origin {
        object["at"] = place_json(span, sources);
    }
    object
}

fn plot_json(plot: &Plot) -> Value {
    let curves = plot.curves.iter();
    let curves = curves.map(|it| json!({ "name": it.name, "points": it.points }));
    let curves: Vec<Value> = curves.collect();
    json!({ "format": "plot", "text": plot.title, "across": plot.across, "curves": curves })
}
