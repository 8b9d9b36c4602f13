//! Logs of messages, in the forms people have them, read one observation at a time.

mod csv;
mod draft;
mod flatten;
mod har;
mod hidden;
mod json;
mod mapping;
pub(crate) mod outlier;
mod pact;
mod plan;
mod problem;
mod reader;
mod records;
mod time;
mod whole;
mod write;
mod xml;

#[cfg(feature = "network")]
pub(crate) use flatten::{flatten_json, flatten_xml};
pub use hidden::HiddenFields;
pub use json::check as check_json;
pub use mapping::{Mapping, MappingError, PartSource, read_mapping};
pub use plan::WantedValues;
pub use problem::{RecordFlaw, RecordProblem};
pub use reader::{LogOptions, LogPosition, LogReader, NextRecord};
pub use time::{TimeForm, moment};
pub use whole::{WholeLog, read_all, read_whole};
pub(crate) use write::observation_value;
pub use write::write_observation;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogFormat {
    /// One JSON object per line: the native form.
    JsonLines,
    /// A stream of `<message>` elements, as Prop-tester's observers write it.
    Xml,
    /// PACT's text log.
    Pact,
    /// Comma-separated values with a line of headings.
    Csv,
    /// An HTTP archive, as browsers and proxies save it.
    Har,
}

impl LogFormat {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: [LogFormat; 5] = [
        LogFormat::JsonLines,
        LogFormat::Xml,
        LogFormat::Pact,
        LogFormat::Csv,
        LogFormat::Har,
    ];

    /// Its name, which is its extension too.
    pub fn name(self) -> &'static str {
        match self {
            LogFormat::JsonLines => "jsonl",
            LogFormat::Xml => "xml",
            LogFormat::Pact => "log",
            LogFormat::Csv => "csv",
            LogFormat::Har => "har",
        }
    }

    /// The form with this name.
    pub fn named(name: &str) -> Option<LogFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The form of a path, by its extension.
    pub fn of_path(path: &str) -> Option<LogFormat> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "json" | "ndjson" => Some(LogFormat::JsonLines),
            other => Self::named(other),
        }
    }
}
