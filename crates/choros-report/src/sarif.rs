//! The report as SARIF 2.1.0, which editors and code-scanning services read.
//!
//! One result per diagnostic, and one per question that was not taken or whose answer is not a plain yes.
//! *Fails* is an error; *holds only under a condition* and *unknown* are warnings, for someone to look at.
//! What has no place of its own is put at the beginning of the first input, because services drop results without one.

use choros_base::{CodeInfo, Diagnostic, Severity, SourceMap, Span};
use serde_json::{Value, json};

use crate::finding_place::{conclusion, logged_at, written_at};
use crate::{Answer, NamedResult, Report, Style, VerdictKind, evidence_text};

/// One document, with a line break at the end.
pub fn to_sarif(report: &Report, sources: &SourceMap) -> String {
    let first_input = report.semantics.inputs.keys().next().map(String::as_str);
    let mut results: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|it| diagnostic_result(it, report.denies(it), first_input, sources))
        .collect();
    results.extend(report.known.iter().map(|known| {
        let mut result = diagnostic_result(&known.diagnostic, false, first_input, sources);
        result["suppressions"] = suppressed(&known.reason);
        result
    }));
    for outcome in &report.outcomes {
        let violations = violation_results(outcome, first_input, sources);
        results.extend(violations.into_iter().map(|mut result| {
            if let Some(known) = &outcome.known {
                result["suppressions"] = suppressed(known);
            }
            result
        }));
        results.extend(outcome_result(outcome, report, first_input, sources));
    }
    let failures = report.world_failed.iter().map(|failure| {
        json!({
            "level": "error",
            "message": { "text": failure },
            "descriptor": { "id": "world-failed" },
        })
    });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "choros",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules(report),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.world_failed.is_none() && !report.interrupted,
                "toolExecutionNotifications": failures.collect::<Vec<Value>>(),
            }],
            "results": results,
        }],
    });
    match serde_json::to_string_pretty(&document) {
        Ok(text) => text + "\n",
        // Strings, numbers and maps with string keys cannot fail to serialise.
        Err(error) => unreachable!("a report is plain data: {error}"),
    }
}

/// The codes that occur, each once, in the order of their numbers; and the verb, for answers.
fn rules(report: &Report) -> Vec<Value> {
    let mut codes: Vec<&CodeInfo> = report.diagnostics.iter().map(|it| it.code).collect();
    codes.extend(report.known.iter().map(|it| it.diagnostic.code));
    codes.sort_by_key(|it| it.code);
    codes.dedup_by_key(|it| it.code);
    let mut rules: Vec<Value> = codes
        .into_iter()
        .map(|code| {
            json!({
                "id": code.code,
                "name": code.name,
                "help": { "text": code.documentation, "markdown": code.documentation },
            })
        })
        .collect();
    let is_no = |it: &NamedResult| {
        it.answer
            .as_ref()
            .is_some_and(|it| it.word != VerdictKind::Holds)
    };
    if report.outcomes.iter().any(is_no) {
        rules.push(json!({ "id": rule_of(report.verb), "name": report.verb }));
    }
    rules
}

/// Services close what is suppressed, and show why.
fn suppressed(reason: &str) -> Value {
    json!([{ "kind": "external", "justification": reason }])
}

fn rule_of(verb: &str) -> String {
    format!("choros-{verb}")
}

fn diagnostic_result(
    diagnostic: &Diagnostic,
    denied: bool,
    first_input: Option<&str>,
    sources: &SourceMap,
) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        _ if denied => "error",
        Severity::Warning => "warning",
        Severity::Information => "note",
    };
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push_str(&format!("\n{note}"));
    }
    let mut places = diagnostic.labels.iter();
    let primary = places.next().map(|label| place(label.span, sources));
    let related: Vec<Value> = places
        .map(|label| {
            let mut place = place(label.span, sources);
            place["message"] = json!({ "text": label.message });
            place
        })
        .collect();
    let mut result = json!({
        "ruleId": diagnostic.code.code,
        "level": level,
        "message": { "text": text },
        "locations": located(primary, first_input),
    });
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    result
}

fn outcome_result(
    outcome: &NamedResult,
    report: &Report,
    first_input: Option<&str>,
    sources: &SourceMap,
) -> Option<Value> {
    if let Some(rejection) = &outcome.rejected {
        return Some(json!({
            "ruleId": rejection.code,
            "level": "error",
            "message": { "text": format!("{}: {}", outcome.name, rejection.message) },
            "locations": located(None, first_input),
        }));
    }
    let answer: &Answer = outcome.answer.as_ref()?;
    let (level, words) = match answer.word {
        VerdictKind::Holds => return None,
        VerdictKind::Fails => ("error", "fails".to_owned()),
        VerdictKind::Conditional => {
            let condition = answer.condition.as_deref().unwrap_or("a condition is met");
            ("warning", format!("holds if {condition}"))
        }
        VerdictKind::Unknown => {
            let reason = answer.reason.as_deref().unwrap_or("it was not settled");
            ("warning", format!("unknown: {reason}"))
        }
    };
    let mut text = format!("{}: {words}", outcome.name);
    let mut at = None;
    if let Some(evidence) = &answer.evidence {
        if let (VerdictKind::Fails, Some(why)) = (answer.word, conclusion(evidence)) {
            text.push_str(&format!(": {why}"));
        }
        let in_log = || logged_at(evidence, report.semantics.inputs.keys());
        at = written_at(evidence)
            .map(|span| place(span, sources))
            .or_else(|| in_log().map(|(input, line)| line_of(input, line)));
        let evidence = evidence_text(evidence, sources, &Style::PLAIN);
        text.push_str(&format!("\n{}", evidence.trim_end()));
    }
    let mut result = json!({
        "ruleId": rule_of(report.verb),
        "level": level,
        "message": { "text": text },
        "locations": located(at, first_input),
    });
    if let Some(known) = &outcome.known {
        result["suppressions"] = suppressed(known);
    }
    Some(result)
}

/// Each broken condition of a choreography where it is written, with its own reason.
fn violation_results(
    outcome: &NamedResult,
    first_input: Option<&str>,
    sources: &SourceMap,
) -> Vec<Value> {
    let is_no = outcome
        .answer
        .as_ref()
        .is_some_and(|it| it.word != VerdictKind::Holds);
    let broken = outcome.realization.iter().filter(|_| is_no);
    let broken = broken.flat_map(|it| it.violations.iter().chain(&it.untold));
    broken
        .map(|violation| {
            let mut spans = violation.transitions.iter().filter_map(|(_, span)| *span);
            let at = spans.next().map(|span| place(span, sources));
            let related: Vec<Value> = spans.map(|span| place(span, sources)).collect();
            let mut result = json!({
                "ruleId": violation.code,
                "level": "error",
                "message": { "text": format!("{}\n{}", violation.message, violation.reason) },
                "locations": located(at, first_input),
            });
            if !related.is_empty() {
                result["relatedLocations"] = Value::Array(related);
            }
            result
        })
        .collect()
}

/// Where a result is: its place, or else the beginning of the first input.
fn located(place: Option<Value>, first_input: Option<&str>) -> Vec<Value> {
    let beginning = || first_input.map(|path| line_of(path, 1));
    place.or_else(beginning).into_iter().collect()
}

fn line_of(path: &str, line: u64) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(path) },
        "region": { "startLine": line },
    } })
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let file = sources.file(span.file());
    let range = span.range();
    let (start_line, start_column) = file.line_column(range.start as u32);
    let (end_line, end_column) = file.line_column(range.end as u32);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(file.name()) },
        "region": {
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    } })
}

/// A path as a reference in the sense of RFC 3986.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            b'\\' => out.push('/'),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("examples/atm.gc"), "examples/atm.gc");
        assert_eq!(uri("a b\\ü.chor"), "a%20b/%C3%BC.chor");
    }
}
