//! Streams of XML elements, one per message, with or without an element around them.
//!
//! Names are compared without their prefixes: the declarations of prefixes may stand outside the part that is read.

use std::ops::Range;

use memchr::memchr;
use memchr::memmem;

use super::problem::RecordFlaw;

/// Where the next record stands in a piece of a stream.
pub(super) enum Found {
    /// It is all there.
    Whole(Range<usize>),
    /// There is none before this point; what comes after may be the beginning of one.
    Nothing(usize),
}

/// The next element of this name.
pub(super) fn next_element(window: &[u8], name: &str) -> Found {
    let mut position = 0;
    // Where the record begins, and how many elements are open in it.
    let mut record: Option<(usize, usize)> = None;
    loop {
        let keep = record.map_or(position, |(start, _)| start);
        let Some(offset) = memchr(b'<', &window[position..]) else {
            return Found::Nothing(match record {
                Some((start, _)) => start,
                None => window.len(),
            });
        };
        let at = position + offset;
        let keep = record.map_or(at, |_| keep);
        let rest = &window[at..];
        let Some((length, tag)) = markup(rest) else {
            return Found::Nothing(keep);
        };
        position = at + length;
        match (tag, &mut record) {
            (Tag::Other, _) => {}
            (Tag::Open { closed }, Some((start, open))) => {
                if !closed {
                    *open += 1;
                }
                debug_assert!(*start <= at);
            }
            (Tag::Open { closed }, None) => {
                if local_name(rest) == name.as_bytes() {
                    if closed {
                        return Found::Whole(at..position);
                    }
                    record = Some((at, 1));
                }
            }
            (Tag::Close, Some((start, open))) => {
                *open -= 1;
                if *open == 0 {
                    return Found::Whole(*start..position);
                }
            }
            (Tag::Close, None) => {}
        }
    }
}

enum Tag {
    Open { closed: bool },
    Close,
    Other,
}

/// The length of the markup at the beginning, if it is all there.
fn markup(bytes: &[u8]) -> Option<(usize, Tag)> {
    let until = |end: &[u8], from: usize| {
        memmem::find(bytes.get(from..)?, end).map(|offset| from + offset + end.len())
    };
    if bytes.starts_with(b"<!--") {
        return Some((until(b"-->", 4)?, Tag::Other));
    }
    if bytes.starts_with(b"<![CDATA[") {
        return Some((until(b"]]>", 9)?, Tag::Other));
    }
    if bytes.starts_with(b"<?") {
        return Some((until(b"?>", 2)?, Tag::Other));
    }
    // What may still become one of the above is not decided yet.
    if bytes.len() < 9 && (b"<![CDATA[".starts_with(bytes) || b"<!--".starts_with(bytes)) {
        return None;
    }
    if bytes.starts_with(b"<!") {
        return Some((until(b">", 2)?, Tag::Other));
    }
    let mut quote = None;
    for (position, &byte) in bytes.iter().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => {
                let tag = match (bytes[1], bytes[position - 1]) {
                    (b'/', _) => Tag::Close,
                    (_, before) => Tag::Open {
                        closed: before == b'/' && position > 1,
                    },
                };
                return Some((position + 1, tag));
            }
            _ => {}
        }
    }
    None
}

fn local_name(bytes: &[u8]) -> &[u8] {
    let name = bytes[1..]
        .split(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/'))
        .next()
        .unwrap_or_default();
    name.rsplit(|byte| *byte == b':').next().unwrap_or(name)
}

/// The attributes and texts of an element, by path: `@name`, `country.code`, `country.@unit`.
pub(super) fn values(element: &str) -> Result<Vec<(String, String)>, RecordFlaw> {
    let mut values = Vec::new();
    // Labels of the open elements below the record, with what was read of their texts.
    let mut open: Vec<(String, String, bool)> = Vec::new();
    let mut position = 0;
    let mut begun = false;
    let wrong = |what: &str, offset: usize| RecordFlaw::Malformed {
        what: what.to_owned(),
        offset,
    };
    while position < element.len() {
        let rest = &element[position..];
        if !rest.starts_with('<') {
            let length = rest.find('<').unwrap_or(rest.len());
            if let Some((_, text, _)) = open.last_mut() {
                let plain = unescape(&rest[..length])
                    .ok_or_else(|| wrong("an entity that does not exist", position))?;
                text.push_str(&plain);
            }
            position += length;
            continue;
        }
        let (length, tag) =
            markup(rest.as_bytes()).ok_or_else(|| wrong("a tag that is not closed", position))?;
        let inside = &rest[..length];
        match tag {
            Tag::Other => {
                if let Some(text) = inside.strip_prefix("<![CDATA[")
                    && let Some((_, known, _)) = open.last_mut()
                {
                    known.push_str(text.strip_suffix("]]>").unwrap_or(text));
                }
            }
            Tag::Open { closed } => {
                if open.len() > 64 {
                    return Err(wrong("elements are nested too deeply", position));
                }
                let label = String::from_utf8_lossy(local_name(inside.as_bytes())).into_owned();
                if let Some(parent) = open.last_mut() {
                    parent.2 = true;
                }
                let path = match (begun, open.last()) {
                    (false, _) => String::new(),
                    (true, Some((parent, _, _))) if !parent.is_empty() => {
                        format!("{parent}.{label}")
                    }
                    (true, _) => label,
                };
                begun = true;
                for (name, value) in attributes(inside) {
                    let value = unescape(value)
                        .ok_or_else(|| wrong("an entity that does not exist", position))?;
                    let dot = if path.is_empty() { "" } else { "." };
                    values.push((format!("{path}{dot}@{name}"), value));
                }
                match closed {
                    true if !path.is_empty() => values.push((path, String::new())),
                    true => {}
                    false => open.push((path, String::new(), false)),
                }
            }
            Tag::Close => {
                let Some((path, text, has_children)) = open.pop() else {
                    return Err(wrong("a closing tag without an opening one", position));
                };
                let label = path.rsplit('.').next().unwrap_or_default();
                let name = inside[2..].trim_end_matches('>').trim();
                let name = name.rsplit(':').next().unwrap_or(name);
                if !path.is_empty() && name != label {
                    return Err(wrong(&format!("`{label}` is closed by `{name}`"), position));
                }
                let is_structure = has_children && text.trim().is_empty();
                if !path.is_empty() && !is_structure {
                    values.push((path, text));
                }
            }
        }
        position += length;
    }
    if open.is_empty() {
        Ok(values)
    } else {
        Err(wrong("an element that is not closed", element.len()))
    }
}

/// The local name of the outermost element of a document.
#[cfg(feature = "network")]
pub(super) fn root(document: &str) -> Option<String> {
    let mut rest = document;
    loop {
        rest = &rest[rest.find('<')?..];
        let (length, tag) = markup(rest.as_bytes())?;
        if let Tag::Open { .. } = tag {
            return Some(String::from_utf8_lossy(local_name(rest.as_bytes())).into_owned());
        }
        rest = &rest[length..];
    }
}

/// The attributes of an opening tag.
fn attributes(tag: &str) -> Vec<(String, &str)> {
    let inner = tag
        .trim_start_matches('<')
        .trim_end_matches('>')
        .trim_end_matches('/');
    let mut rest = inner
        .split_once(|character: char| character.is_ascii_whitespace())
        .map_or("", |(_, rest)| rest);
    let mut found = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim();
        let after = after.trim_start();
        let Some(quote) = after
            .chars()
            .next()
            .filter(|sign| matches!(sign, '"' | '\''))
        else {
            break;
        };
        let Some((value, after)) = after[1..].split_once(quote) else {
            break;
        };
        let is_declaration = name == "xmlns" || name.starts_with("xmlns:");
        if !is_declaration {
            let local = name.rsplit(':').next().unwrap_or(name);
            found.push((local.to_owned(), value));
        }
        rest = after;
    }
    found
}

/// The five entities of XML, and characters by number.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(position) = rest.find('&') {
        out.push_str(&rest[..position]);
        let (entity, after) = rest[position + 1..].split_once(';')?;
        rest = after;
        out.push(match entity {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = entity.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        });
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{Found, next_element, values};

    fn whole(text: &str) -> Option<&str> {
        match next_element(text.as_bytes(), "message") {
            Found::Whole(range) => Some(&text[range]),
            Found::Nothing(_) => None,
        }
    }

    #[test]
    fn elements_in_a_stream() {
        assert_eq!(
            whole(
                "<?xml?><log><!-- <message> --><m:message a='>'><b/><message/></m:message><message/>"
            ),
            Some("<m:message a='>'><b/><message/></m:message>")
        );
        assert_eq!(whole("<message/>"), Some("<message/>"));
        assert_eq!(whole("<message><![CDATA[</message>]]>"), None);
    }

    #[test]
    fn what_may_become_an_element_is_kept() {
        let keep = |text: &str| match next_element(text.as_bytes(), "message") {
            Found::Nothing(keep) => keep,
            Found::Whole(_) => panic!("{text}"),
        };
        assert_eq!(keep("abc"), 3);
        assert_eq!(keep("<log> <mess"), 6);
        assert_eq!(keep("<log><message><a></a>"), 5);
    }

    #[test]
    fn attributes_and_texts_by_path() {
        let element = "<message name=\"Re&lt;q\"><t:country xmlns:t='u' unit='x'><t:code>33</t:code>\n</t:country><note><![CDATA[a<b]]></note></message>";
        let found = values(element).unwrap();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(path, value)| (path.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("@name", "Re<q"),
                ("country.@unit", "x"),
                ("country.code", "33"),
                ("note", "a<b"),
            ]
        );
    }

    #[test]
    fn damaged_elements() {
        for element in [
            "<message><a></b></message>",
            "<message>&no;</message>x<a>&bad;</a>",
            "<message><a>",
        ] {
            assert!(values(element).is_err(), "{element}");
        }
    }
}
