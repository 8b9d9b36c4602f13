//! What `realize` says beside its verdict: broken conditions, proposed additions, and what became of them.

use choros_base::{SourceMap, Span, Suggestion};
use choros_data::Notation;
use serde::Serialize;
use serde_json::{Value, json};

use crate::VerdictKind;

/// What is known about the realizability of a choreography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Realization {
    /// The verdict by the conditions on ordering, data and branching.
    pub conditions: VerdictKind,
    /// The verdict by recomposing the projections.
    pub semantic: VerdictKind,
    /// Why the semantic verdict is as it is, or is unknown.
    pub semantic_reason: String,
    /// The broken conditions.
    pub violations: Vec<Violation>,
    /// The broken conditions on branching, corrected: who does not learn in time.
    pub untold: Vec<Violation>,
    /// What would fix it, where that was asked for.
    pub repair: Option<Repair>,
    /// What becomes of late messages, where a message races with a timer.
    pub late: Option<LateRepair>,
}

/// A broken condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The code that `explain` knows.
    pub code: &'static str,
    /// `ordering`, `data`, `branching` or `told`.
    pub condition: &'static str,
    /// The roles it is about.
    pub roles: Vec<String>,
    /// The transitions it is about, each with its place.
    pub transitions: Vec<(String, Option<Span>)>,
    /// What is wrong.
    pub message: String,
    /// Why.
    pub reason: String,
}

/// Messages to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The messages, in the order in which they are inserted.
    pub additions: Vec<Addition>,
    /// Whether the projections of the repaired choreography do what the choreography says: yes, no, unknown.
    pub verified: &'static str,
    /// Why it is so, or what differs.
    pub verified_reason: String,
    /// `proven` where no smaller set was left to try, `irreducible` where none can be left out.
    pub minimal: Option<&'static str>,
    /// What it is the smallest among, or why it is.
    pub minimal_reason: Option<&'static str>,
}

/// Changes of the text that say what becomes of messages that come too late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateRepair {
    /// The changes, one per timer.
    pub edits: Vec<Suggestion>,
    /// The roles that have to be services beside those that are declared, because they never learn that nothing comes.
    pub services: Vec<String>,
    /// Whether the roles then do what the choreography says: yes, no, unknown.
    pub verified: &'static str,
    /// Why it is so.
    pub reason: String,
}

/// A message to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// Its operation, which shows its class: `cbr`, `da`, `br1`, `or`.
    pub operation: String,
    /// Sender.
    pub from: String,
    /// Receiver.
    pub to: String,
    /// The variable it carries.
    pub carries: Option<String>,
    /// Before what it is inserted.
    pub before: String,
    /// What it is for.
    pub reason: String,
    /// The change of the text that adds it.
    pub edit: Option<Suggestion>,
}

impl Addition {
    /// The message as it is written.
    pub fn text(&self, notation: Notation) -> String {
        let Addition {
            operation,
            from,
            to,
            carries,
            ..
        } = self;
        match (notation, carries) {
            (Notation::Calculus, None) => format!("{operation}[{from},{to}]"),
            (Notation::Calculus, Some(carried)) => format!("{operation}[{from},{to}].{carried}"),
            (Notation::Native, None) => format!("{from} -> {to}: {operation}"),
            (Notation::Native, Some(carried)) => format!("{from} -> {to}: {operation}({carried})"),
        }
    }
}

/// Its mirror in the JSON form.
#[derive(Serialize)]
pub(crate) struct RealizationJson {
    conditions: &'static str,
    semantic: &'static str,
    semantic_reason: String,
    violations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untold: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additions: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<Value>,
}

impl RealizationJson {
    pub(crate) fn of(
        realization: &Realization,
        sources: &SourceMap,
        place: impl Fn(Span, &SourceMap) -> Value,
    ) -> Self {
        let repair = realization.repair.as_ref();
        let broken = |violation: &Violation| {
            let transitions = violation.transitions.iter().map(|(text, origin)| {
                let mut transition = json!({ "label": text });
                if let Some(span) = origin {
                    transition["origin"] = place(*span, sources);
                }
                transition
            });
            json!({
                "code": violation.code,
                "condition": violation.condition,
                "roles": violation.roles,
                "transitions": transitions.collect::<Vec<_>>(),
                "message": violation.message,
                "reason": violation.reason,
            })
        };
        RealizationJson {
            conditions: realization.conditions.text(),
            semantic: realization.semantic.text(),
            semantic_reason: realization.semantic_reason.clone(),
            violations: realization.violations.iter().map(&broken).collect(),
            untold: realization.untold.iter().map(&broken).collect(),
            additions: repair.map(|repair| {
                let additions = repair.additions.iter();
                additions
                    .map(|it| addition_json(it, sources, &place))
                    .collect()
            }),
            verified: repair.map(|repair| repair.verified),
            verified_reason: repair.map(|repair| repair.verified_reason.clone()),
            minimal: repair.and_then(|repair| repair.minimal),
            minimal_reason: repair.and_then(|repair| repair.minimal_reason),
            late: realization
                .late
                .as_ref()
                .map(|it| late_json(it, sources, &place)),
        }
    }
}

fn late_json(
    late: &LateRepair,
    sources: &SourceMap,
    place: &impl Fn(Span, &SourceMap) -> Value,
) -> Value {
    let edits = late.edits.iter().map(|edit| {
        let mut object = place(edit.span, sources);
        object["replacement"] = json!(edit.replacement);
        json!({ "message": edit.message, "edit": object })
    });
    json!({
        "edits": edits.collect::<Vec<_>>(),
        "services": late.services,
        "verified": late.verified,
        "reason": late.reason,
    })
}

fn addition_json(
    addition: &Addition,
    sources: &SourceMap,
    place: &impl Fn(Span, &SourceMap) -> Value,
) -> Value {
    let mut object = json!({
        "operation": addition.operation,
        "from": addition.from,
        "to": addition.to,
        "before": addition.before,
        "reason": addition.reason,
    });
    if let Some(carried) = &addition.carries {
        object["carries"] = json!(carried);
    }
    if let Some(edit) = &addition.edit {
        object["edit"] = place(edit.span, sources);
        object["edit"]["replacement"] = json!(edit.replacement);
    }
    object
}
