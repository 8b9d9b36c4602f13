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
            let (label, after) = quoted_label(inside)?;
            labels.push(label);
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

/// The label before `"]`, in which a backslash stands before quotes and backslashes; and what follows.
fn quoted_label(text: &str) -> Option<(String, &str)> {
    let mut label = String::new();
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix("\"]") {
            return Some((label, after));
        }
        let escaped = rest
            .strip_prefix('\\')
            .filter(|it| it.starts_with(['"', '\\']));
        rest = escaped.unwrap_or(rest);
        let letter = rest.chars().next()?;
        label.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
}

/// The place at the beginning of a text, which ends at a space outside brackets; and what follows.
pub(crate) fn leading_place(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut rest = text;
    while let Some(letter) = rest.chars().next().filter(|it| !it.is_whitespace()) {
        let inside = rest.strip_prefix("[\"").and_then(quoted_label);
        rest = inside.map_or(&rest[letter.len_utf8()..], |(_, after)| after);
    }
    text.split_at(text.len() - rest.len())
}

/// Whether a label can stand after a dot.
fn is_plain(label: &str) -> bool {
    let is_special = |it: char| it == '.' || it == '[' || it.is_whitespace();
    !(label.is_empty() || label.contains(is_special))
}

fn write_label(label: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_plain(label) {
        return write!(f, ".{label}");
    }
    let label = label.replace('\\', "\\\\").replace('"', "\\\"");
    write!(f, "[\"{label}\"]")
}

/// A name as one label, or as several with dots between them, which is the same name.
fn write_name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if name.split('.').all(is_plain) {
        return write!(f, ".{name}");
    }
    write_label(name, f)
}

impl fmt::Display for ValuePath {
    /// As it follows the kind of a place: `.items.0`, `["a.b"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.labels.iter().try_for_each(|it| write_label(it, f))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Body(path) => write!(f, "body{path}"),
            Place::Path(_) => write!(f, "path"),
            Place::Query(_) => write!(f, "query"),
            Place::Header(_) => write!(f, "header"),
            Place::Status => write!(f, "status"),
            Place::Attribute(path) => write!(f, "attribute{path}"),
            Place::Record(path) => write!(f, "record{path}"),
        }?;
        match self {
            Place::Path(name) | Place::Query(name) | Place::Header(name) => write_name(name, f),
            _ => Ok(()),
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
            "record[\"order id\"]",
            "query[\"a[0]\"]",
            r#"body["say \"so\" "].x"#,
            r#"body["a \\"]"#,
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
