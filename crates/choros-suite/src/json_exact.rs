//! JSON bodies without rounding.
//!
//! The usual reader keeps numbers as 64-bit integers or as floating-point numbers, and so rounds
//! `123456789012345678901234567890` and `0.12345678901234567890`: a service that says what the model says would be
//! blamed for what the reader made of it.
//! Numbers that might be rounded are put into texts with a mark before they are read.

use choros_model::observation::{NotANumber, Number};
use serde_json::Value as Json;

/// What a text begins with that was a number; a body has no such text, because it would have to write it in escapes.
const MARK: &str = "\u{0}number ";

/// Digits that every reader keeps.
const SAFE: usize = 15;

/// Reads a body; long numbers become texts that [`number`] knows.
pub fn read_exactly(body: &[u8]) -> Result<Json, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the body is not in UTF-8".to_owned())?;
    // A byte order mark is not to be sent, but may be.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let many = text.bytes().filter(u8::is_ascii_digit).count() > SAFE;
    let read = if many || text.contains(['e', 'E']) {
        serde_json::from_str(&marked(text))
    } else {
        serde_json::from_str(text)
    };
    read.map_err(|error| format!("the body is not JSON: {error}"))
}

/// The number that stands here, as it was written.
pub fn number(json: &Json) -> Option<String> {
    match json {
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => text.strip_prefix(MARK).map(str::to_owned),
        _ => None,
    }
}

/// The text that stands here, if it is one.
pub(crate) fn text(json: &Json) -> Option<&str> {
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
        if first != '"' && may_be_rounded(token) && Number::is_json(token) {
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

/// Whether a number has many digits, or may be beyond those that have a floating point: `1e400`, `1e-400`.
fn may_be_rounded(token: &str) -> bool {
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let exponent = exponent.parse().unwrap_or(i64::MAX).unsigned_abs();
    mantissa.bytes().filter(u8::is_ascii_digit).count() > SAFE || exponent > SAFE as u64
}

/// Whether a number stands somewhere here that is not computed with; its author is not to blame.
pub fn has_endless_number(json: &Json) -> bool {
    let mut open = vec![json];
    while let Some(part) = open.pop() {
        match part {
            Json::Array(items) => open.extend(items),
            Json::Object(fields) => open.extend(fields.values()),
            leaf => {
                let written = number(leaf);
                let parsed = written.map(|written| Number::parse(&written));
                if parsed == Some(Err(NotANumber::TooLong)) {
                    return true;
                }
            }
        }
    }
    false
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
        assert!(read_exactly(b"{\"a\": 0012345678901234567890}").is_err());
        let vast =
            read_exactly(br#"{"a": 1e400, "b": [1E+400, -1e-400], "c": 1e3}"#).expect("JSON");
        assert_eq!(number(&vast["a"]).as_deref(), Some("1e400"));
        assert_eq!(number(&vast["b"][1]).as_deref(), Some("-1e-400"));
        assert_eq!(vast["c"], 1000.0);
        assert!(!has_endless_number(&vast));
        let endless = read_exactly(br#"{"a": [1e999999999]}"#).expect("JSON");
        assert!(has_endless_number(&endless));
        assert!(read_exactly("\u{feff}{}".as_bytes()).is_ok());
    }
}
