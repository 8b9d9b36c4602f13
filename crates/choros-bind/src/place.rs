//! Where a value stands in an envelope: `body.items.0.price`, `path.id`, `header.x-order-id`.

use std::fmt;

/// A place of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the body; the empty path is the whole of it.
    Body(ValuePath),
    /// A parameter of the path's template.
    Path(String),
    /// A parameter of the query.
    Query(String),
    /// A header, its name in small letters.
    Header(String),
    /// The status of the response.
    Status,
    /// An attribute of a span or an event.
    Attribute(ValuePath),
    /// Anywhere in the record as it was written.
    Record(ValuePath),
}

/// Labels from the outside in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValuePath {
    labels: Vec<String>,
    /// The labels with dots between them, as envelopes have it.
    text: String,
}

impl ValuePath {
    pub fn new(labels: Vec<String>) -> ValuePath {
        ValuePath {
            text: labels.join("."),
            labels,
        }
    }

    /// Labels separated by dots.
    pub fn dotted(text: &str) -> ValuePath {
        if text.is_empty() {
            return ValuePath::default();
        }
        ValuePath::new(text.split('.').map(str::to_owned).collect())
    }

    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The labels with dots between them.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What a place may begin with.
pub const PLACES: [&str; 7] = [
    "body",
    "path",
    "query",
    "header",
    "status",
    "attribute",
    "record",
];

impl Place {
    /// The place that a text names, or what is wrong with it.
    pub fn parse(text: &str) -> Result<Place, String> {
        let (kind, rest) = match text.find(['.', '[']) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let labels = labels(rest)
            .ok_or_else(|| format!("`{text}` is not a place such as `body.items.0.price`"))?;
        let one = || match &labels[..] {
            [] => Err(format!("`{text}` names nothing: expected `{kind}.NAME`")),
            names => Ok(names.join(".")),
        };
        match kind {
            "body" => Ok(Place::Body(ValuePath::new(labels))),
            "path" => one().map(Place::Path),
            "query" => one().map(Place::Query),
            "header" => {
                let name = one()?;
                if !is_header(&name) {
                    return Err(format!("`{name}` is not a valid header name"));
                }
                Ok(Place::Header(name.to_ascii_lowercase()))
            }
            "status" if labels.is_empty() => Ok(Place::Status),
            "status" => Err(format!("`{text}`: a status has no parts")),
            "attribute" => one().map(|_| Place::Attribute(ValuePath::new(labels))),
            "record" => one().map(|_| Place::Record(ValuePath::new(labels))),
            other => {
                let similar = choros_base::nearest(other, PLACES);
                let hint = match similar {
                    Some(similar) => format!("did you mean `{similar}{rest}`?"),
                    None => format!("in the body it is `body.{text}`"),
                };
                Err(format!(
                    "`{text}` does not begin with one of {}; {hint}",
                    PLACES.join(", ")
                ))
            }
        }
    }
}

/// Whether a text is the name of a header.
pub(crate) fn is_header(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_letter)
}

/// The labels of `.a.0["b.c"]`.
fn labels(text: &str) -> Option<Vec<String>> {
    let mut labels = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix("[\"") {
            let (label, after) = inside.split_once("\"]")?;
            labels.push(label.to_owned());
            rest = after;
            continue;
        }
        let inside = rest.strip_prefix('.')?;
        let end = inside.find(['.', '[']).unwrap_or(inside.len());
        let (label, after) = inside.split_at(end);
        if label.is_empty() {
            return None;
        }
        labels.push(label.to_owned());
        rest = after;
    }
    Some(labels)
}

impl fmt::Display for ValuePath {
    /// As it follows the kind of a place: `.items.0`, `["a.b"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for label in &self.labels {
            if label.is_empty() || label.contains(['.', '[', ' ']) {
                write!(f, "[\"{label}\"]")?;
            } else {
                write!(f, ".{label}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Body(path) => write!(f, "body{path}"),
            Place::Path(name) => write!(f, "path.{name}"),
            Place::Query(name) => write!(f, "query.{name}"),
            Place::Header(name) => write!(f, "header.{name}"),
            Place::Status => write!(f, "status"),
            Place::Attribute(path) => write!(f, "attribute{path}"),
            Place::Record(path) => write!(f, "record{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_is_printed_as_it_is_written() {
        for text in [
            "body",
            "body.items.0.price",
            "body[\"a.b\"].c",
            "path.id",
            "query.page",
            "header.x-order-id",
            "status",
            "attribute.app.order.id",
            "record.@timestamp",
        ] {
            assert_eq!(Place::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("bdy.id", "did you mean `body.id`?"),
            ("orderNumber", "in the body it is `body.orderNumber`"),
            ("path", "expected `path.NAME`"),
            ("status.code", "has no parts"),
            ("body..id", "not a place"),
            ("body[id]", "not a place"),
            ("header.a b", "not a valid header name"),
        ] {
            let error = Place::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
