//! The report as JUnit XML, which continuous-integration servers read.
//!
//! One test case per question.
//! *Fails* and *holds only under a condition* are failures, because the answer is not yes; *unknown* is an error and
//! not a skipped test, because servers show skipped tests as green and the exit code is not 0 either.

use choros_base::{Diagnostic, Severity, SourceMap};
use choros_syntax::quote::xml_text;

use crate::finding_place::conclusion;
use crate::{Answer, NamedResult, Report, Style, VerdictKind, diagnostics_text, evidence_text};

/// One document, with a line break at the end.
pub fn to_junit(report: &Report, sources: &SourceMap) -> String {
    let mut cases: Vec<Case> = Vec::new();
    let text_of =
        |diagnostics: &[Diagnostic]| diagnostics_text(diagnostics, sources, &Style::PLAIN);
    for diagnostic in &report.diagnostics {
        let wrong = match diagnostic.severity {
            Severity::Error => Some("error"),
            Severity::Warning | Severity::Information => {
                report.denies(diagnostic).then_some("failure")
            }
        };
        if let Some(element) = wrong {
            cases.push(Case {
                name: format!("{}: {}", diagnostic.code.code, diagnostic.message),
                result: Some((element, diagnostic.code.name.to_owned())),
                message: diagnostic.message.clone(),
                details: text_of(std::slice::from_ref(diagnostic)),
            });
        }
    }
    for outcome in &report.outcomes {
        cases.push(outcome_case(outcome, sources));
    }
    if let Some(failure) = &report.world_failed {
        cases.push(Case::wrong("the world", "world-failed", failure));
    }
    if report.interrupted {
        cases.push(Case::wrong(
            "all of it",
            "interrupted",
            "the run was interrupted",
        ));
    }
    let count = |element: &str| {
        let is = |case: &&Case| matches!(&case.result, Some((it, _)) if *it == element);
        cases.iter().filter(is).count()
    };
    let (failures, errors) = (count("failure"), count("error"));
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"",
        cases.len()
    );
    let suite = format!("choros {}", report.verb);
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out.push_str(&format!("<testsuites name=\"choros\" {counts}>\n"));
    out.push_str(&format!("  <testsuite name=\"{suite}\" {counts}>\n"));
    out.push_str("    <properties>\n");
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let mut properties = vec![("choros".to_owned(), version)];
    properties.extend(
        report
            .semantics
            .solver
            .clone()
            .map(|it| ("solver".to_owned(), it)),
    );
    properties.extend(
        report
            .semantics
            .relation
            .clone()
            .map(|it| ("relation".to_owned(), it)),
    );
    for (input, kind) in &report.semantics.inputs {
        properties.push((format!("input {input}"), kind.clone()));
    }
    let known = report.known.len()
        + report
            .outcomes
            .iter()
            .filter(|it| it.known.is_some())
            .count();
    if known > 0 {
        properties.push(("known".to_owned(), known.to_string()));
    }
    for (name, value) in properties {
        let (name, value) = (xml_text(&name), xml_text(&value));
        out.push_str(&format!(
            "      <property name=\"{name}\" value=\"{value}\"/>\n"
        ));
    }
    out.push_str("    </properties>\n");
    for case in &cases {
        case.write(&suite, &mut out);
    }
    let remarks: Vec<Diagnostic> = report
        .diagnostics
        .iter()
        .filter(|it| match it.severity {
            Severity::Error => false,
            Severity::Warning | Severity::Information => !report.denies(it),
        })
        .cloned()
        .collect();
    if !remarks.is_empty() {
        let text = xml_text(text_of(&remarks).trim_end());
        out.push_str(&format!("    <system-out>{text}</system-out>\n"));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

struct Case {
    name: String,
    /// The element below the case and its type.
    result: Option<(&'static str, String)>,
    message: String,
    details: String,
}

impl Case {
    fn wrong(name: &str, kind: &str, message: &str) -> Case {
        Case {
            name: name.to_owned(),
            result: Some(("error", kind.to_owned())),
            message: message.to_owned(),
            details: String::new(),
        }
    }

    fn write(&self, suite: &str, out: &mut String) {
        let name = xml_text(&self.name);
        out.push_str(&format!(
            "    <testcase classname=\"{suite}\" name=\"{name}\""
        ));
        let Some((element, kind)) = &self.result else {
            out.push_str("/>\n");
            return;
        };
        let (kind, message) = (xml_text(kind), xml_text(&self.message));
        let details = xml_text(self.details.trim_end());
        out.push_str(&format!(
            ">\n      <{element} type=\"{kind}\" message=\"{message}\">{details}</{element}>\n    </testcase>\n"
        ));
    }
}

fn outcome_case(outcome: &NamedResult, sources: &SourceMap) -> Case {
    let mut case = Case {
        name: outcome.name.clone(),
        result: None,
        message: String::new(),
        details: String::new(),
    };
    if let Some(rejection) = &outcome.rejected {
        case.result = Some(("error", rejection.code.to_owned()));
        case.message = rejection.message.clone();
        return case;
    }
    let Some(answer) = &outcome.answer else {
        return case;
    };
    let element = match answer.word {
        VerdictKind::Holds => return case,
        VerdictKind::Fails | VerdictKind::Conditional => "failure",
        VerdictKind::Unknown => "error",
    };
    case.result = Some((element, answer.word.text().to_owned()));
    case.message = message(answer);
    if let Some(known) = &outcome.known {
        case.result = Some(("skipped", "known".to_owned()));
        case.message = format!("{}, {known}", case.message);
    }
    if let Some(evidence) = &answer.evidence {
        case.details = evidence_text(evidence, sources, &Style::PLAIN);
    }
    case
}

fn message(answer: &Answer) -> String {
    let shown = answer.evidence.as_ref().and_then(conclusion);
    match (&answer.condition, &answer.reason, shown) {
        (Some(condition), ..) => format!("holds if {condition}"),
        (None, Some(reason), _) => format!("unknown: {reason}"),
        (None, None, Some(why)) if answer.word == VerdictKind::Fails => format!("fails: {why}"),
        (None, None, _) => answer.word.text().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str, word: VerdictKind) -> NamedResult {
        NamedResult {
            name: name.to_owned(),
            answer: Some(Answer {
                word,
                condition: (word == VerdictKind::Conditional).then(|| "x < \"5\" & y".to_owned()),
                reason: (word == VerdictKind::Unknown).then(|| "a bound".to_owned()),
                evidence: None,
            }),
            ..NamedResult::default()
        }
    }

    #[test]
    fn every_answer_but_yes_is_seen_by_a_server() {
        let report = Report {
            verb: "check",
            outcomes: vec![
                outcome("good", VerdictKind::Holds),
                outcome("bad", VerdictKind::Fails),
                outcome("sometimes", VerdictKind::Conditional),
                outcome("who <knows>", VerdictKind::Unknown),
            ],
            ..Report::default()
        };
        let text = to_junit(&report, &SourceMap::new());
        assert!(text.contains("tests=\"4\" failures=\"2\" errors=\"1\""));
        assert!(text.contains("name=\"good\"/>"));
        assert!(text.contains("message=\"holds if x &lt; &quot;5&quot; &amp; y\""));
        assert!(text.contains("name=\"who &lt;knows&gt;\">"));
        assert!(text.contains("<error type=\"unknown\" message=\"unknown: a bound\">"));
    }
}
