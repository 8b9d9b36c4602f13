//! Logs of messages, in the forms people have them, read one observation at a time.

mod ahead;
mod attempts;
mod bound;
mod csv;
mod draft;
mod flatten;
mod forms;
mod har;
mod hidden;
mod json;
mod json_lines;
mod mapping;
mod one_by_one;
pub(crate) mod outlier;
mod packed;
mod pact;
mod pieces;
mod plan;
mod problem;
mod reader;
mod recognize;
mod records;
mod shapes;
mod time;
mod tree;
mod whole;
mod wrapped;
mod write;
mod xml;

pub use bound::BoundOptions;
use choros_base::Choice;

#[cfg(feature = "network")]
pub(crate) use flatten::{flatten_json, flatten_xml};
pub use forms::{EnvelopeReader, NextEnvelope};
pub use hidden::HiddenFields;
pub use json::check as check_json;
pub use one_by_one::{LogRecords, can_be_read_again};
pub use plan::WantedValues;
pub use problem::{RecordFlaw, RecordProblem};
pub use reader::{LogOptions, LogPosition, LogReader, NextRecord};
pub use recognize::{OpenedLog, open_log, recognize_log};
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
    /// OpenTelemetry traces in JSON.
    Otlp,
    /// Jaeger's traces in JSON.
    Jaeger,
    /// Zipkin's traces in JSON, version 2.
    Zipkin,
    /// CloudEvents in JSON.
    CloudEvents,
    /// An access log with a JSON object per request.
    Access,
    /// Records of Kafka in JSON, as `kcat -J` writes them.
    Kafka,
}

impl Choice for LogFormat {
    const CHOICES: &'static [(&'static str, LogFormat, &'static str)] = &[
        ("jsonl", LogFormat::JsonLines, "A JSON object per line"),
        (
            "xml",
            LogFormat::Xml,
            "Elements, as Prop-tester writes them",
        ),
        ("log", LogFormat::Pact, "PACT's text log"),
        (
            "csv",
            LogFormat::Csv,
            "Comma-separated values with headings",
        ),
        ("har", LogFormat::Har, "An HTTP archive"),
        ("otlp", LogFormat::Otlp, "OpenTelemetry traces in JSON"),
        ("jaeger", LogFormat::Jaeger, "Jaeger's traces in JSON"),
        ("zipkin", LogFormat::Zipkin, "Zipkin's traces in JSON"),
        ("cloudevents", LogFormat::CloudEvents, "CloudEvents in JSON"),
        (
            "access",
            LogFormat::Access,
            "An access log in JSON, as of nginx or Envoy",
        ),
        (
            "kcat",
            LogFormat::Kafka,
            "Kafka records in JSON, as of kcat -J",
        ),
    ];
}

impl LogFormat {
    /// Its name, which is its extension too where it has one of its own.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// The form with this name.
    pub fn named(name: &str) -> Option<LogFormat> {
        Self::chosen(name)
    }

    /// Whether its records are exchanges, whose lines come when they are over.
    pub(crate) fn has_exchanges(self) -> bool {
        matches!(self, LogFormat::Har | LogFormat::Access) || self.is_trace()
    }

    /// Whether a log of this form tells of some of a service's messages only: spans are sampled and dropped by design, an
    /// access log has no requests that the server made, an archive none that its client answered.
    pub fn is_partial(self) -> bool {
        self.has_exchanges()
    }

    /// Whether its records need the words of a model to become observations.
    pub fn needs_binding(self) -> bool {
        !matches!(
            self,
            LogFormat::JsonLines
                | LogFormat::Xml
                | LogFormat::Pact
                | LogFormat::Csv
                | LogFormat::Har
        )
    }

    /// Whether its records are spans.
    pub fn is_trace(self) -> bool {
        matches!(
            self,
            LogFormat::Otlp | LogFormat::Jaeger | LogFormat::Zipkin
        )
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
