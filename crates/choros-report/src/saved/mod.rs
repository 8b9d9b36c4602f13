//! Reports that were saved as JSON, read back.
//!
//! The structs in `mirror` follow the form that `docs/schema/report.schema.json` describes, and nothing else: a change
//! of the report's own types cannot make an old file unreadable.

mod audit_state;
mod mirror;
mod monitor_state;
mod stream;

pub use audit_state::{SavedAudit, SavedGuilt, SavedPart, SavedSession};
pub use monitor_state::{
    SavedDatum, SavedInput, SavedLog, SavedMark, SavedMonitor, SavedObservation, SavedWindow,
};
pub use stream::{SavedCheckpoint, last_marks_from_json, last_marks_to_json};

use choros_model::Evidence;
use serde::de::DeserializeOwned;

use crate::{SavedConversation, SavedDriving};

/// What was saved as JSON with a number of its schema, if that is no higher than this; in words why not.
fn of_schema<T: DeserializeOwned>(
    text: &str,
    highest: u64,
    schema: impl Fn(&T) -> u64,
) -> Result<T, String> {
    let saved: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match schema(&saved) {
        known if known <= highest => Ok(saved),
        later => Err(format!(
            "it has schema {later}, but this version reads schemas only up to {highest}"
        )),
    }
}

/// What a saved report says, as far as it can be examined again.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedReport {
    /// Version of the tool that wrote it.
    pub choros: String,
    /// What was asked, as the command line calls it.
    pub verb: String,
    /// The verdict over all.
    pub verdict: Option<String>,
    /// One per question.
    pub results: Vec<SavedResult>,
    /// How a service was driven, in reports of `drive`.
    pub driving: Option<Box<SavedDriving>>,
}

/// The answer to one question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SavedResult {
    /// What it is about.
    pub name: String,
    /// The verdict's word.
    pub verdict: Option<String>,
    /// With *conditional*.
    pub condition: Option<String>,
    /// With *unknown*.
    pub reason: Option<String>,
    /// What it rests on; links into the source are gone.
    pub evidence: Option<Evidence>,
    /// Where the steps of a trace were written, as `file:line:column`, one per step; empty where that is not known.
    pub places: Vec<String>,
    /// What was exchanged with a running service.
    pub conversation: Option<Box<SavedConversation>>,
}

/// Why a text is not a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAReport {
    /// In words.
    pub reason: String,
    /// The offset in the text where reading stopped.
    pub offset: usize,
}

/// The highest number of the schema that is understood.
const SCHEMA: u64 = 2;

/// Reads what `to_json` wrote, now or in an earlier version.
pub fn read_report(text: &str) -> Result<SavedReport, NotAReport> {
    let failed = |reason: String, offset: usize| Err(NotAReport { reason, offset });
    let value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let offset = offset_of(text, error.line(), error.column());
            let words = error.to_string();
            let words = words.split(" at line ").next().unwrap_or_default();
            return failed(format!("it is not JSON: {words}"), offset);
        }
    };
    match value.get("schema").and_then(serde_json::Value::as_u64) {
        None => return failed("it has no member `schema`".to_owned(), 0),
        Some(number) if number == 0 || number > SCHEMA => {
            return failed(
                format!(
                    "it has schema {number}, but this version reads schemas only up to {SCHEMA}"
                ),
                0,
            );
        }
        Some(_) => {}
    }
    match serde_json::from_value::<mirror::ReportMirror>(value) {
        Ok(mirror) => Ok(mirror.into_report()),
        Err(error) => failed(error.to_string(), 0),
    }
}

/// The offset of a line and a column, both counted from one; columns count bytes.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_refused_with_the_place() {
        let reason = |text: &str| read_report(text).map_err(|error| (error.reason, error.offset));
        assert_eq!(
            reason("{}"),
            Err(("it has no member `schema`".to_owned(), 0))
        );
        let (words, offset) = reason("{\n  \"schema\": x\n}").unwrap_err();
        assert!(words.starts_with("it is not JSON: "), "{words}");
        assert_eq!(offset, 14);
        let newer = reason("{\"schema\": 9}").unwrap_err().0;
        assert_eq!(
            newer,
            "it has schema 9, but this version reads schemas only up to 2"
        );
        assert!(reason("{\"schema\": 1}").is_err());
        // A nest that is too deep is an error and no crash.
        let deep = "[".repeat(100_000);
        assert!(reason(&deep).is_err());
    }
}
