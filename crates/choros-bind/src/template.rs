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

    /// The parameters of a request that it fits; a request whose method is not known may have any.
    pub fn matched(&self, method: Option<&str>, path: &str) -> Option<Vec<(String, String)>> {
        let is_same = match (&self.method, method) {
            (Some(wanted), Some(given)) => wanted.eq_ignore_ascii_case(given),
            _ => true,
        };
        is_same.then(|| self.path.matched_loosely(path)).flatten()
    }

    /// How much it says: first what it fixes of the path, then whether it names a method.
    pub fn exactness(&self) -> i64 {
        2 * self.path.fixed() as i64 + i64::from(self.method.is_some())
    }

    /// Whether it fits every request that another fits.
    pub fn covers(&self, other: &RequestPattern) -> bool {
        let method = self.method.is_none() || self.method == other.method;
        method && self.path.covers(&other.path)
    }

    /// Whether a request may fit both.
    pub fn overlaps(&self, other: &RequestPattern) -> bool {
        let method = match (&self.method, &other.method) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        method && self.path.overlaps(&other.path)
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

    /// Slashes that follow each other are one, and one at the end is none; without its query.
    pub fn without_empty_parts(&self) -> Template {
        let path = self.text.split('?').next().unwrap_or_default();
        let parts = path.split('/').filter(|it| !it.is_empty());
        let is_empty = |it: &Segment| *it == Segment::Fixed(String::new());
        Template {
            text: format!("/{}", parts.collect::<Vec<_>>().join("/")),
            segments: if self.segments.iter().all(is_empty) {
                vec![Segment::Fixed(String::new())]
            } else {
                let segments = self.segments.iter().filter(|it| !is_empty(it));
                segments.cloned().collect()
            },
        }
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

    /// Whether it matches every path that another matches.
    pub fn covers(&self, other: &Template) -> bool {
        let mut others = other.segments.iter();
        for segment in &self.segments {
            match (segment, others.next()) {
                (Segment::Rest, _) => return true,
                (_, None | Some(Segment::Rest)) => return false,
                (Segment::Fixed(one), Some(Segment::Fixed(other))) if one == other => {}
                (Segment::Fixed(_), Some(_)) => return false,
                (Segment::Any | Segment::Parameter(_), Some(_)) => {}
            }
        }
        others.next().is_none()
    }

    /// Whether there is a path that both match.
    pub fn overlaps(&self, other: &Template) -> bool {
        let mut others = other.segments.iter();
        for segment in &self.segments {
            match (segment, others.next()) {
                (Segment::Rest, _) | (_, Some(Segment::Rest)) => return true,
                (_, None) => return false,
                (Segment::Fixed(one), Some(Segment::Fixed(other))) if one != other => return false,
                (_, Some(_)) => {}
            }
        }
        matches!(others.next(), None | Some(Segment::Rest))
    }

    /// The parameters of a path, perhaps with a slash at the end: in most logs and to most servers that is the same.
    fn matched_loosely(&self, path: &str) -> Option<Vec<(String, String)>> {
        let shorter = path.strip_suffix('/').filter(|it| !it.is_empty());
        self.matched(path).or_else(|| self.matched(shorter?))
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

/// A part of a path by its number, counted from 0.
pub(crate) fn numbered(path: &str, number: usize) -> Option<String> {
    let mut parts = path.split('/').filter(|it| !it.is_empty());
    parts.nth(number).map(decoded)
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
    fn what_one_pattern_says_of_another() {
        let parse = |text| RequestPattern::parse(text).unwrap();
        for (one, other, covers, overlaps) in [
            ("/**", "POST /orders/{id}", true, true),
            ("/orders/**", "/orders", true, true),
            ("/orders/*", "/orders/{id}", true, true),
            ("/orders/{id}", "/orders/7", true, true),
            ("/orders/7", "/orders/{id}", false, true),
            ("/*/7", "/orders/{id}", false, true),
            ("/orders/*", "/orders/**", false, true),
            ("POST /orders", "/orders", false, true),
            ("POST /orders", "GET /orders", false, false),
            ("/orders", "/orders/7", false, false),
            ("/orders/*", "/carts/*", false, false),
        ] {
            let (one, other) = (parse(one), parse(other));
            assert_eq!(one.covers(&other), covers, "{one} {other}");
            assert_eq!(one.overlaps(&other), overlaps, "{one} {other}");
            assert_eq!(other.overlaps(&one), overlaps, "{other} {one}");
        }
        assert!(parse("POST /a").exactness() > parse("/a").exactness());
        assert!(parse("/a/b").exactness() > parse("POST /a/{b}").exactness());
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
