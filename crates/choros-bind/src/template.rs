//! The request that a message is: `POST /orders/{id}`.

use std::fmt;

/// A method and a path with parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestPattern {
    /// Any where none is said.
    pub method: Option<String>,
    pub path: Template,
}

/// A path whose segments may be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Fixed(String),
    /// `{id}`: one segment, which is the parameter's value.
    Parameter(String),
    /// `*`: one segment, whatever it is.
    Any,
    /// A last `**`: all the rest.
    Rest,
}

impl RequestPattern {
    /// `POST /orders/{id}`, or the path only for any method.
    pub fn parse(text: &str) -> Result<RequestPattern, String> {
        let text = text.trim();
        let (method, path) = match text.split_once(char::is_whitespace) {
            Some((method, path)) => (Some(method), path.trim()),
            None => (None, text),
        };
        if let Some(method) = method
            && !method
                .bytes()
                .all(|it| it.is_ascii_alphabetic() || it == b'-')
        {
            return Err(format!("`{method}` is not a method such as POST"));
        }
        Ok(RequestPattern {
            method: method.map(str::to_ascii_uppercase),
            path: Template::parse(path)?,
        })
    }

    /// The method that is used for sending.
    pub fn method(&self) -> &str {
        self.method.as_deref().unwrap_or("POST")
    }
}

impl fmt::Display for RequestPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Some(method) => write!(f, "{method} {}", self.path),
            None => write!(f, "{}", self.path),
        }
    }
}

impl Template {
    pub fn parse(text: &str) -> Result<Template, String> {
        // What is asked for beside the path does not tell requests apart.
        let path = text.split('?').next().unwrap_or(text);
        let Some(inside) = path.strip_prefix('/') else {
            return Err(format!("the path `{text}` does not begin with `/`"));
        };
        if let Some(letter) = text.chars().find(|it| !is_part_of_a_path(*it)) {
            return Err(format!("`{letter}` cannot stand in a path: `{text}`"));
        }
        let count = inside.split('/').count();
        let mut segments = Vec::new();
        for (position, segment) in inside.split('/').enumerate() {
            segments.push(match segment {
                "*" => Segment::Any,
                "**" if position + 1 == count => Segment::Rest,
                "**" => return Err(format!("`**` is not the end of `{text}`")),
                _ => match parameter(segment) {
                    Some("") => return Err(format!("`{{}}` in `{text}` has no name")),
                    Some(name) => {
                        let same = Segment::Parameter(name.to_owned());
                        if segments.contains(&same) {
                            return Err(format!("`{{{name}}}` stands twice in `{text}`"));
                        }
                        same
                    }
                    None if segment.contains(['{', '}', '*']) => {
                        return Err(format!(
                            "`{segment}` in `{text}`: a parameter is a whole segment, `/{{id}}/`"
                        ));
                    }
                    None => Segment::Fixed(segment.to_owned()),
                },
            });
        }
        Ok(Template {
            text: text.to_owned(),
            segments,
        })
    }

    /// As it was written, with a query if it has one.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of its parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Parameter(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether a request can be made of it: all that is open has a name.
    pub fn can_be_requested(&self) -> bool {
        !self
            .segments
            .iter()
            .any(|it| matches!(it, Segment::Any | Segment::Rest))
    }

    /// How many segments it fixes: of two templates that match, the one with more says more.
    pub fn fixed(&self) -> usize {
        self.segments
            .iter()
            .filter(|it| matches!(it, Segment::Fixed(_)))
            .count()
    }

    /// The parameters of a path that it matches, percent signs decoded.
    pub fn matched(&self, path: &str) -> Option<Vec<(String, String)>> {
        let path = path.strip_prefix('/')?;
        let mut given = path.split('/');
        let mut found = Vec::new();
        for segment in &self.segments {
            match (segment, given.next()) {
                (Segment::Rest, _) => return Some(found),
                (_, None) => return None,
                (Segment::Any, Some(_)) => {}
                (Segment::Parameter(name), Some(text)) => {
                    found.push((name.clone(), decoded(text)));
                }
                (Segment::Fixed(known), Some(text)) if known == text || *known == decoded(text) => {
                }
                (Segment::Fixed(_), Some(_)) => return None,
            }
        }
        given.next().is_none().then_some(found)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_part_of_a_path(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "/-._~!$&'()*+,;=:@%{}?".contains(letter)
}

fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// A segment of a path without its percent signs; in a path a plus sign is one.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                bytes.push(16 * high + low);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|it| u8::try_from(it).ok())
}

#[cfg(test)]
mod tests {
    use super::{RequestPattern, Template};

    #[test]
    fn parameters_are_segments() {
        let request = RequestPattern::parse("post /orders/{id}/lines/{line}").unwrap();
        assert_eq!(request.method(), "POST");
        let found = request.path.matched("/orders/a%2Fb/lines/7+1").unwrap();
        assert_eq!(
            found,
            [("id".into(), "a/b".into()), ("line".into(), "7+1".into())]
        );
        for path in ["/orders/1/lines", "/orders/1/lines/2/3", "/order/1/lines/2"] {
            assert_eq!(request.path.matched(path), None, "{path}");
        }
    }

    #[test]
    fn what_is_open_without_a_name_cannot_be_requested() {
        let template = Template::parse("/orders/*/**").unwrap();
        assert!(template.matched("/orders/1/lines/2").is_some());
        assert!(!template.can_be_requested());
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("orders", "does not begin with `/`"),
            ("P0ST /orders", "not a method"),
            ("/orders/x{id}", "whole segment"),
            ("/{id}/{id}", "stands twice"),
            ("/**/orders", "not the end"),
            ("/a b", "not a method"),
            ("/a>b", "cannot stand in a path"),
            ("/{}", "has no name"),
        ] {
            let error = RequestPattern::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
