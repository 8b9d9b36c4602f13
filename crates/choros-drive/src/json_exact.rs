//! JSON bodies without rounding.
//!
//! The usual reader keeps numbers as 64-bit integers or as floating-point numbers, and so rounds
//! `123456789012345678901234567890` and `0.12345678901234567890`: a service that says what the model says would be
//! blamed for what the reader made of it.
//! Numbers that might be rounded are put into texts with a mark before they are read.

use serde_json::Value as Json;

/// What a text begins with that was a number; a body has no such text, because it would have to write it in escapes.
const MARK: &str = "\u{0}number ";

/// Digits that every reader keeps.
const SAFE: usize = 15;

/// Reads a body; long numbers become texts that [`number`] knows.
pub(super) fn read_exactly(body: &[u8]) -> Result<Json, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the body is not in UTF-8".to_owned())?;
    // A byte order mark is not to be sent, but may be.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = match text.bytes().filter(u8::is_ascii_digit).count() > SAFE {
        true => serde_json::from_str(&marked(text)),
        false => serde_json::from_str(text),
    };
    read.map_err(|error| format!("the body is no JSON: {error}"))
}

/// The number that stands here, as it was written.
pub(super) fn number(json: &Json) -> Option<String> {
    match json {
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => text.strip_prefix(MARK).map(str::to_owned),
        _ => None,
    }
}

/// The text that stands here, if it is one.
pub(super) fn text(json: &Json) -> Option<&str> {
    json.as_str().filter(|text| !text.starts_with(MARK))
}

/// The text with long numbers in marked texts.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted(rest),
            '-' | '0'..='9' => rest
                .find(|it: char| !matches!(it, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
                .unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        let digits = token.bytes().filter(u8::is_ascii_digit).count();
        if first != '"' && digits > SAFE && serde_json::from_str::<Json>(token).is_ok() {
            out.push_str("\"\\u0000number ");
            out.push_str(token);
            out.push('"');
        } else {
            out.push_str(token);
        }
        rest = behind;
    }
    out
}

/// The length of the quoted text that begins here, with its quotes.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (position, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_kept_and_everything_else_is_as_it_was() {
        let body = r#"{"a": 123456789012345678901234567890, "b": -0.12345678901234567890,
            "c": 12, "d": "1234567890123456789 \" 1234567890123456789", "e": [1e3, true, null]}"#;
        let json = read_exactly(body.as_bytes()).expect("JSON");
        assert_eq!(
            number(&json["a"]).as_deref(),
            Some("123456789012345678901234567890")
        );
        assert_eq!(
            number(&json["b"]).as_deref(),
            Some("-0.12345678901234567890")
        );
        assert_eq!(number(&json["c"]).as_deref(), Some("12"));
        assert_eq!(
            text(&json["d"]),
            Some("1234567890123456789 \" 1234567890123456789")
        );
        assert_eq!(text(&json["a"]), None);
        assert_eq!(json["e"][1], true);
        assert!(read_exactly(b"{\"a\": 12345678901234567890-1}").is_err());
        assert!(read_exactly("\u{feff}{}".as_bytes()).is_ok());
    }
}
