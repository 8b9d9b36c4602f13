//! Diagnostics as the protocol writes them.

use std::collections::BTreeMap;

use choros::base::{Diagnostic, FileId, Severity, SourceMap, Span, Suggestion};
use choros::model::Evidence;
use choros::model::evidence::{Step, StepEvent, Trace};
use choros::report::{NamedResult, Report, VerdictKind};
use serde_json::{Value, json};

use crate::position::{Encoding, Lines};

/// Something to show in a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// As the protocol writes it.
    pub(crate) json: Value,
    /// The bytes of the document that it is about.
    pub(crate) range: std::ops::Range<usize>,
    /// What would fix it.
    pub(crate) fix: Option<Fix>,
}

/// The changes that make each of some choreographies realizable, by their names.
pub(crate) type Repairs = BTreeMap<String, Vec<Suggestion>>;

/// What would fix something.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) change: Change,
}

/// How a text gets better.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// By these edits, all at once.
    Edits(Vec<Edit>),
    /// By a repair of this choreography, which has to be found first.
    Repair(Option<String>),
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edit {
    pub(crate) path: String,
    /// As the protocol writes it.
    pub(crate) range: Value,
    pub(crate) text: String,
}

/// More findings than this tell nothing new.
const MAX_FINDINGS: usize = 500;

/// Turns places into what the protocol calls them.
pub(crate) struct Places<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) encoding: Encoding,
    /// The document that findings are shown in.
    pub(crate) path: &'a str,
    /// How the client calls a file.
    pub(crate) uri: &'a dyn Fn(&str) -> String,
    lines: BTreeMap<FileId, Lines>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(
        sources: &'a SourceMap,
        encoding: Encoding,
        path: &'a str,
        uri: &'a dyn Fn(&str) -> String,
    ) -> Self {
        Places {
            sources,
            encoding,
            path,
            uri,
            lines: BTreeMap::new(),
        }
    }

    fn file(&self, span: Span) -> &'a str {
        self.sources.file(span.file()).name()
    }

    fn range(&mut self, span: Span) -> Value {
        let text = self.sources.file(span.file()).text();
        let lines = self
            .lines
            .entry(span.file())
            .or_insert_with(|| Lines::of(text));
        lines.range(text, span.range(), self.encoding)
    }

    /// A place as the protocol writes it.
    pub(crate) fn location(&mut self, span: Span) -> Value {
        json!({"uri": (self.uri)(self.file(span)), "range": self.range(span)})
    }

    fn related(&mut self, span: Span, message: &str) -> Value {
        json!({"location": self.location(span), "message": message})
    }

    /// What is wrong, in the order in which it was found.
    pub(crate) fn findings(&mut self, diagnostics: &[Diagnostic]) -> Vec<Finding> {
        let some = diagnostics.iter().take(MAX_FINDINGS);
        some.map(|it| self.finding(it)).collect()
    }

    fn finding(&mut self, diagnostic: &Diagnostic) -> Finding {
        let primary = diagnostic.primary();
        let own = primary.filter(|it| self.file(*it) == self.path);
        let mut related = Vec::new();
        let mut message = diagnostic.message.clone();
        for (index, label) in diagnostic.labels.iter().enumerate() {
            // The first place is where it is shown, unless that is another file.
            if index == 0 && own.is_some() {
                // It may say the same.
                if !diagnostic.message.contains(&label.message) {
                    message.push_str(&format!("\n{}", label.message));
                }
                continue;
            }
            let said = match label.message.as_str() {
                "" => "here",
                said => said,
            };
            related.push(self.related(label.span, said));
        }
        for note in &diagnostic.notes {
            message.push_str(&format!("\nnote: {note}"));
        }
        let fix = diagnostic.suggestion.as_ref().map(|it| Fix {
            title: it.message.clone(),
            change: Change::Edits(vec![self.edit(it)]),
        });
        let range = match own {
            Some(span) => self.range(span),
            None => start(),
        };
        Finding {
            json: json!({
                "range": range,
                "severity": severity(diagnostic.severity),
                "code": diagnostic.code.code,
                "source": "choros",
                "message": message,
                "relatedInformation": related,
            }),
            range: own.map_or(0..0, Span::range),
            fix,
        }
    }

    fn edit(&mut self, suggestion: &Suggestion) -> Edit {
        Edit {
            path: self.file(suggestion.span).to_owned(),
            range: self.range(suggestion.span),
            text: suggestion.replacement.clone(),
        }
    }

    /// The fix of a choreography that its roles cannot do: a repair, or the search for one.
    fn repair(&mut self, outcome: &NamedResult, proved: &Repairs, has_name: bool) -> Option<Fix> {
        let realization = outcome.realization.as_deref()?;
        if let Some(edits) = proved.get(&outcome.name) {
            let title = match &edits[..] {
                [only] => only.message.clone(),
                several => format!("add {} messages that make it realizable", several.len()),
            };
            let edits = edits.iter().map(|it| self.edit(it)).collect();
            return Some(Fix {
                title,
                change: Change::Edits(edits),
            });
        }
        // Where it was looked for, there is none.
        let can_be_changed = self.path.ends_with(".chor");
        (realization.repair.is_none() && can_be_changed).then(|| Fix {
            title: "find messages that make it realizable, and add them".to_owned(),
            change: Change::Repair(has_name.then(|| outcome.name.clone())),
        })
    }

    /// The steps of a run, each with its place where it has one.
    pub(crate) fn steps(&mut self, run: &Trace) -> Value {
        let steps = run.steps.iter().map(|step| {
            json!({
                "text": step_text(step),
                "guard": step.guard,
                "location": step.origin.map(|it| self.location(it)),
            })
        });
        Value::Array(steps.collect())
    }

    /// What a verb answered, at the names of what it was asked about; a run that shows it is told place by place.
    pub(crate) fn answers(
        &mut self,
        report: &Report,
        proved: &Repairs,
        name_of: impl Fn(&str) -> Option<Span>,
    ) -> Vec<Finding> {
        let mut findings = self.findings(&report.diagnostics);
        for outcome in &report.outcomes {
            let Some(answer) = &outcome.answer else {
                continue;
            };
            let severity = match answer.word {
                VerdictKind::Holds => continue,
                VerdictKind::Fails => Severity::Error,
                _ => Severity::Warning,
            };
            let mut message = format!("{} `{}`: {}", report.verb, outcome.name, answer.word.text());
            for said in [&answer.condition, &answer.reason].into_iter().flatten() {
                message.push_str(&format!("\n{said}"));
            }
            let mut related = Vec::new();
            if let Some(Evidence::Trace(trace)) = &answer.evidence {
                if !trace.conclusion.is_empty() {
                    message.push_str(&format!("\n{}", trace.conclusion));
                }
                for (number, step) in trace.steps.iter().enumerate() {
                    if let Some(origin) = step.origin {
                        let said = format!("step {}: {}", number + 1, step_text(step));
                        related.push(self.related(origin, &said));
                    }
                }
            }
            let place = name_of(&outcome.name).filter(|it| self.file(*it) == self.path);
            let fix = self.repair(outcome, proved, place.is_some());
            findings.push(Finding {
                json: json!({
                    "range": place.map_or_else(start, |it| self.range(it)),
                    "severity": crate::findings::severity(severity),
                    "code": report.verb,
                    "source": "choros",
                    "message": message,
                    "relatedInformation": related,
                }),
                range: place.map_or(0..0, Span::range),
                fix,
            });
        }
        findings
    }
}

/// Edits as the protocol writes them, file by file.
pub(crate) fn changes(edits: &[Edit], uri: impl Fn(&str) -> String) -> Value {
    let mut changes = json!({});
    for edit in edits {
        let written = json!({"range": edit.range, "newText": edit.text});
        let file = &mut changes[uri(&edit.path)];
        match file.as_array_mut() {
            Some(list) => list.push(written),
            None => *file = json!([written]),
        }
    }
    changes
}

/// The start of a document, for what has no place in it.
fn start() -> Value {
    json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}})
}

fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Information => 3,
    }
}

/// A step in words.
fn step_text(step: &Step) -> String {
    match &step.event {
        StepEvent::Silent => "something unseen".to_owned(),
        StepEvent::Termination => "the end".to_owned(),
        StepEvent::Message {
            operation,
            from,
            to,
            fields,
            ..
        } => {
            let values: Vec<&str> = fields.iter().map(|it| it.1.as_str()).collect();
            let values = match &values[..] {
                [] => String::new(),
                values => format!("({})", values.join(", ")),
            };
            format!("{from} -> {to}: {operation}{values}")
        }
        StepEvent::Fault(fault) => fault.text(),
        StepEvent::Other(text) => text.clone(),
    }
}
