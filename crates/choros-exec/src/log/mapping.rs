//! Which paths of a foreign record are which part of an observation.

use std::fmt;

use serde_json::Value;

use super::hidden::HiddenFields;
use super::time::TimeForm;

/// How records of a log become observations.
///
/// Paths are labels separated by dots, elements of lists by their number from 0; in XML, attributes begin with `@`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// Where the time stands.
    pub at: Option<PartSource>,
    /// How times are written.
    pub time: TimeForm,
    /// Where the service stands whose log it is.
    pub by: Option<PartSource>,
    /// Where the direction stands.
    pub direction: Option<PartSource>,
    /// Words for directions other than `send` and `recv`: the word, and whether it means a sending.
    pub direction_words: Vec<(String, bool)>,
    /// Where the sender stands.
    pub from: Option<PartSource>,
    /// Where the receiver stands.
    pub to: Option<PartSource>,
    /// Where the operation stands.
    pub operation: Option<PartSource>,
    /// Where the identity stands.
    pub id: Option<PartSource>,
    /// Where the session stands.
    pub session: Option<PartSource>,
    /// Under which path the data stand; the empty path is the whole record.
    pub data: String,
    /// The element of an XML stream that is one record.
    pub element: String,
    /// The log is a sample that loses records by design.
    pub lossy: bool,
    /// What is always so for an operation; `*` is every other one.
    pub messages: Vec<(String, OperationDefaults)>,
    /// Fields whose values are not shown.
    pub hidden: Option<HiddenFields>,
}

/// Where a part of an observation comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartSource {
    /// From the record, by path.
    Path(String),
    /// It is always this.
    Value(String),
}

/// What is always so for an operation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OperationDefaults {
    /// Sender.
    pub from: Option<String>,
    /// Receiver.
    pub to: Option<String>,
    /// Whether it is sent.
    pub sends: Option<bool>,
}

/// Why a mapping cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingError(pub String);

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Mapping {
    /// The native form of JSON Lines, and the headings of CSV.
    pub fn native() -> Mapping {
        let path = |text: &str| Some(PartSource::Path(text.to_owned()));
        Mapping {
            at: path("at"),
            by: path("by"),
            direction: path("dir"),
            from: path("from"),
            to: path("to"),
            operation: path("op"),
            id: path("id"),
            session: path("session"),
            data: "data".to_owned(),
            element: "message".to_owned(),
            ..Mapping::default()
        }
    }

    /// Prop-tester's stream of messages.
    pub fn messages() -> Mapping {
        let path = |text: &str| Some(PartSource::Path(text.to_owned()));
        Mapping {
            at: path("@tstamp"),
            by: path("@by"),
            direction: path("@direction"),
            from: path("@source"),
            to: path("@destination"),
            operation: path("@name"),
            id: path("@id"),
            session: path("@session"),
            data: String::new(),
            element: "message".to_owned(),
            ..Mapping::default()
        }
    }

    /// What is fixed for an operation.
    pub(super) fn fixed(&self, operation: &str) -> Option<&OperationDefaults> {
        self.messages
            .iter()
            .find(|(name, _)| name == operation)
            .or_else(|| self.messages.iter().find(|(name, _)| name == "*"))
            .map(|(_, fixed)| fixed)
    }
}

/// Reads a mapping file: one JSON object.
pub fn read_mapping(text: &str) -> Result<Mapping, MappingError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| MappingError(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(MappingError("it is not a JSON object".to_owned()));
    };
    let mut mapping = Mapping {
        element: "message".to_owned(),
        ..Mapping::default()
    };
    for (key, value) in &object {
        match key.as_str() {
            "at" => mapping.at = Some(source(key, value)?),
            "by" => mapping.by = Some(source(key, value)?),
            "dir" => mapping.direction = Some(source(key, value)?),
            "from" => mapping.from = Some(source(key, value)?),
            "to" => mapping.to = Some(source(key, value)?),
            "op" => mapping.operation = Some(source(key, value)?),
            "id" => mapping.id = Some(source(key, value)?),
            "session" => mapping.session = Some(source(key, value)?),
            "data" => mapping.data = words(key, value)?,
            "element" => mapping.element = words(key, value)?,
            "time" => {
                let word = words(key, value)?;
                mapping.time = TimeForm::named(&word).ok_or_else(|| {
                    let names = TimeForm::ALL.map(TimeForm::name).join(", ");
                    MappingError(format!("`time` is one of {names}, not `{word}`"))
                })?;
            }
            "send" | "recv" => {
                let listed = match value {
                    Value::Array(items) => items.clone(),
                    other => vec![other.clone()],
                };
                for word in &listed {
                    let word = words(key, word)?;
                    mapping.direction_words.push((word, key == "send"));
                }
            }
            "lossy" => {
                let Value::Bool(lossy) = value else {
                    return Err(MappingError("`lossy` is true or false".to_owned()));
                };
                mapping.lossy = *lossy;
            }
            "redact" => {
                mapping.hidden = Some(HiddenFields::of(&words(key, value)?).map_err(MappingError)?);
            }
            "messages" => {
                let Value::Object(cases) = value else {
                    return Err(MappingError("`messages` is an object".to_owned()));
                };
                for (operation, case) in cases {
                    mapping.messages.push((operation.clone(), fixed(case)?));
                }
            }
            other => {
                return Err(MappingError(format!(
                    "`{other}` is none of at, time, by, dir, send, recv, from, to, op, id, session, data, element, lossy, redact, messages"
                )));
            }
        }
    }
    if mapping.operation.is_none() {
        return Err(MappingError(
            "it does not say where to find `op`".to_owned(),
        ));
    }
    Ok(mapping)
}

fn source(key: &str, value: &Value) -> Result<PartSource, MappingError> {
    match value {
        Value::String(path) => Ok(PartSource::Path(path.clone())),
        Value::Object(object) if object.len() == 1 && object.contains_key("value") => {
            Ok(PartSource::Value(words(key, &object["value"])?))
        }
        _ => Err(MappingError(format!(
            "`{key}` is a path such as \"message.name\", or {{\"value\": \"s\"}}"
        ))),
    }
}

fn fixed(value: &Value) -> Result<OperationDefaults, MappingError> {
    let Value::Object(object) = value else {
        return Err(MappingError(
            "a message is an object with `from`, `to`, `dir`".to_owned(),
        ));
    };
    let mut fixed = OperationDefaults::default();
    for (key, value) in object {
        let word = words(key, value)?;
        match (key.as_str(), word.as_str()) {
            ("from", _) => fixed.from = Some(word),
            ("to", _) => fixed.to = Some(word),
            ("dir", "send") => fixed.sends = Some(true),
            ("dir", "recv") => fixed.sends = Some(false),
            ("dir", _) => {
                return Err(MappingError("`dir` is send or recv".to_owned()));
            }
            (other, _) => {
                return Err(MappingError(format!("`{other}` is none of from, to, dir")));
            }
        }
    }
    Ok(fixed)
}

fn words(key: &str, value: &Value) -> Result<String, MappingError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        _ => Err(MappingError(format!("`{key}` is a text"))),
    }
}
