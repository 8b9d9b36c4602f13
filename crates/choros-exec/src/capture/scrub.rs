//! Secrets inside a text: JSON, XML, forms, headers and prose.

use std::ops::Range;

use super::redactor::{Cover, Redactor};
use super::secret_values;
use crate::log::flatten_xml;

/// JSON within strings within strings is followed so far; what is deeper is replaced whole.
const MAX_NESTING: usize = 6;

/// The text without its secrets; none if it has none.
pub(super) fn scrubbed(
    redactor: &Redactor,
    path: &str,
    text: &str,
    depth: usize,
) -> Option<String> {
    let begin = text.trim_start().chars().next();
    let json =
        matches!(begin, Some('{' | '[')) && serde_json::from_str::<serde_json::Value>(text).is_ok();
    match json {
        true if depth >= MAX_NESTING => return Some(redactor.pseudonym(text)),
        true => return json_scrubbed(redactor, path, text, depth),
        false => {}
    }
    if begin == Some('<') && xml_has_secrets(redactor, path, text) {
        return Some(redactor.pseudonym(text));
    }
    let mut spans = named(text, &|name| {
        redactor.covers(&join(path, name)) != Cover::Nothing
    });
    if redactor.usual {
        spans.extend(secret_values::spans(text));
    }
    let spans = apart(spans);
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        out.push_str(&text[done..span.start]);
        out.push_str(&redactor.pseudonym(&text[span.clone()]));
        done = span.end;
    }
    out.push_str(&text[done..]);
    Some(out)
}

/// In order, and joined where they overlap.
pub(super) fn apart(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// An element or attribute of a secret name, however deep: the document is replaced whole.
fn xml_has_secrets(redactor: &Redactor, path: &str, text: &str) -> bool {
    let Ok((root, values)) = flatten_xml(text) else {
        return false;
    };
    let path = join(path, &root);
    values
        .iter()
        .any(|(below, _)| redactor.covers(&join(&path, below)) != Cover::Nothing)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Copies well-formed JSON and replaces its secrets; everything else keeps its bytes.
///
/// `serde_json` would round numbers and drop all but the last of equal names.
fn json_scrubbed(redactor: &Redactor, path: &str, text: &str, depth: usize) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // Inside objects the name of the current value, inside lists nothing.
    let mut labels: Vec<Option<String>> = Vec::new();
    let (mut naming, mut changed, mut position) = (false, false, 0);
    while position < bytes.len() {
        let start = position;
        position += 1;
        match bytes[start] {
            b'{' | b'[' => {
                naming = bytes[start] == b'{';
                labels.push(None);
            }
            b'}' | b']' => {
                labels.pop();
                naming = false;
            }
            b',' => {
                // A name comes next exactly where one was before.
                naming = labels.last().is_some_and(Option::is_some);
            }
            b' ' | b'\t' | b'\n' | b'\r' | b':' => {}
            b'"' => {
                position = string_end(bytes, position);
                let raw = &text[start..position];
                let value: String = serde_json::from_str(raw).unwrap_or_default();
                if naming {
                    naming = false;
                    if let Some(label) = labels.last_mut() {
                        *label = Some(value);
                    }
                } else if let Some(text) = redactor.text(&path_of(path, &labels), &value, depth + 1)
                {
                    out.push_str(&serde_json::Value::from(text).to_string());
                    changed = true;
                    continue;
                }
            }
            _ => {
                let end =
                    |byte: &u8| !matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
                position += bytes[position..]
                    .iter()
                    .take_while(|byte| end(byte))
                    .count();
                let raw = &text[start..position];
                if redactor.hides_scalar(&path_of(path, &labels), raw) {
                    out.push_str(&serde_json::Value::from(redactor.raw(raw)).to_string());
                    changed = true;
                    continue;
                }
            }
        }
        out.push_str(&text[start..position]);
    }
    changed.then_some(out)
}

fn path_of(path: &str, labels: &[Option<String>]) -> String {
    labels
        .iter()
        .flatten()
        .fold(path.to_owned(), |path, label| join(&path, label))
}

/// Where a string ends, from after its first quote.
fn string_end(bytes: &[u8], mut position: usize) -> usize {
    while position < bytes.len() {
        match bytes[position] {
            b'"' => return position + 1,
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
    bytes.len()
}

/// Values after a secret name and `=`, `:` or `>`: queries, forms, headers, attributes, damaged JSON and XML.
fn named(text: &str, is_secret: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, sign) in text.match_indices(['=', ':', '>']) {
        if found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let quotes = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\' | b' ');
        let end = at
            - bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| quotes(byte))
                .count();
        let of_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'[' | b']');
        let length = bytes[..end]
            .iter()
            .rev()
            .take_while(|byte| of_name(byte))
            .count();
        if length == 0 || !is_secret(&text[end - length..end]) {
            continue;
        }
        let mut start = at + 1;
        let mut quoted = false;
        while let Some(byte) = bytes.get(start).filter(|byte| quotes(byte)) {
            quoted |= matches!(byte, b'"' | b'\'');
            start += 1;
        }
        let ends = |byte: &u8| match (quoted, sign) {
            (true, _) => matches!(byte, b'"' | b'\'' | b'\\'),
            (_, ">") => *byte == b'<',
            // `Cookie: a=1; b=2` is one secret.
            (_, ":") => matches!(byte, b'\r' | b'\n'),
            _ => {
                byte.is_ascii_whitespace()
                    || matches!(byte, b'&' | b';' | b',' | b'"' | b'\'' | b'<')
            }
        };
        let length = bytes[start..].iter().take_while(|byte| !ends(byte)).count();
        if length > 0 {
            found.push(start..start + length);
        }
    }
    found
}
