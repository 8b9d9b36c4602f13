//! Values that may be sent and must not be shown.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use choros_exec::capture::{is_random, is_secret_name};

/// What a mapping took from the environment, or writes into a header with the name of a secret.
///
/// A service may send it back, in a field or in the text of an error, and texts are cut and folded on their way into
/// reports.
/// So every writer masks, last of all, every piece of a secret that is long enough to be known again.
#[derive(Clone, Default)]
pub struct Secrets {
    known: Arc<Mutex<Vec<String>>>,
    /// Short ones that a binding calls secret: they are masked where they stand alone.
    short: Arc<Mutex<Vec<String>>>,
}

/// Shorter values are words like any other, and so are shorter pieces.
const SHORTEST: usize = 6;
const PIECE: usize = 8;
/// What a binding calls secret may be a PIN; shorter values would be found everywhere.
const SHORTEST_DECLARED: usize = 3;

impl Secrets {
    /// Takes note of a value for a header, from a variable of the environment or from the mapping itself.
    pub fn note(&self, header: &str, variable: Option<&str>, value: &str) {
        let named = is_secret_name(header) || variable.is_some_and(is_secret_name);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // `Bearer abc`: the scheme is not a secret, what follows is.
        for part in value.split_whitespace() {
            let is_secret = named || (variable.is_some() && is_random(part));
            if !is_secret || part.len() < SHORTEST || matches!(part, "Bearer" | "Digest") {
                continue;
            }
            // `Basic dXNlcjpwYXNz`: a service that complains writes the password in plain text.
            let within = credentials(part).filter(|it| it.len() >= SHORTEST);
            for form in within
                .iter()
                .chain([&part.to_owned()])
                .flat_map(|it| forms(it))
            {
                if !known.contains(&form) {
                    known.push(form);
                }
            }
        }
    }

    /// Takes note of a value that a binding calls secret, whatever it looks like.
    pub fn note_declared(&self, value: &str) {
        let is_word = matches!(value, "true" | "false" | "null");
        if is_word || value.chars().count() < SHORTEST_DECLARED {
            return;
        }
        let is_short = value.len() < SHORTEST;
        let list = if is_short { &self.short } else { &self.known };
        let mut known = list.lock().unwrap_or_else(PoisonError::into_inner);
        for form in forms(value) {
            if !known.contains(&form) {
                known.push(form);
            }
        }
    }

    /// Takes note of what is secret in an address or a path: the password of `user:password@host`, parameters with the
    /// name of a secret, and parts of the path after such a name (`/reset-password/9f86d081`).
    pub fn note_address(&self, address: &str) {
        let (place, query) = address.split_once('?').unwrap_or((address, ""));
        for (name, value) in query.split('&').filter_map(|it| it.split_once('=')) {
            self.note(name, None, value);
        }
        let rest = place.split_once("://").map_or(place, |(_, rest)| rest);
        let mut before = "";
        for part in rest.split('/') {
            if let Some((_, password)) = part
                .rsplit_once('@')
                .and_then(|(user, _)| user.split_once(':'))
            {
                self.note("password", None, password);
            }
            // `{parameters}` are filled in with fields of the model.
            if is_random(part) && !part.contains('{') {
                self.note(before, None, part);
            }
            before = part;
        }
    }

    /// Takes note of the texts in a value with the name of a secret.
    pub fn note_value(&self, name: &str, value: &serde_json::Value) {
        match value {
            serde_json::Value::String(text) => self.note(name, None, text),
            serde_json::Value::Number(number) => self.note(name, None, &number.to_string()),
            serde_json::Value::Object(below) => {
                for (label, value) in below {
                    let is_named = is_secret_name(name);
                    self.note_value(if is_named { name } else { label }, value);
                }
            }
            serde_json::Value::Array(items) => {
                items.iter().for_each(|it| self.note_value(name, it));
            }
            serde_json::Value::Bool(_) | serde_json::Value::Null => {}
        }
    }

    /// The text without secrets: `[secret]`, and nines for digits so that a number stays one.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let short = self.short.lock().unwrap_or_else(PoisonError::into_inner);
        let mut spans = pieces(text, &known);
        spans.extend(short.iter().flat_map(|it| alone(text, it)));
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        spans.sort_by_key(|span| span.start);
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        let mut spans = spans.into_iter().peekable();
        while let Some(mut span) = spans.next() {
            while let Some(next) = spans.next_if(|next| next.start <= span.end) {
                span.end = span.end.max(next.end);
            }
            let span = whole_escapes(text, span);
            let digits = text[span.clone()].bytes().all(|byte| byte.is_ascii_digit());
            out.push_str(&text[done..span.start]);
            if digits {
                out.push_str(&"9".repeat(span.len()))
            } else {
                out.push_str("[secret]")
            }
            done = span.end;
        }
        out.push_str(&text[done..]);
        Cow::Owned(out)
    }
}

/// Not even here.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

/// The password of `user:password` in Base64.
fn credentials(text: &str) -> Option<String> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|it| *it == letter)?;
        bits = (bits << 6) | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    let (_, password) = text.split_once(':')?;
    Some(password.to_owned())
}

/// A secret as it stands in plain text, in JSON, in XML and in an address.
fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::Value::from(secret).to_string();
    let xml = secret
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let mut address = String::new();
    for byte in secret.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    let quoted = xml.replace('"', "&quot;").replace('\'', "&#39;");
    let json = json.trim_matches('"').to_owned();
    vec![secret.to_owned(), json, xml, quoted, address]
}

/// The span without halves of escapes (`\"`, `&quot;`), which would make a document of a report unreadable.
fn whole_escapes(text: &str, mut span: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let slashes = |end: usize| {
        bytes[..end]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count()
    };
    if slashes(span.start) % 2 == 1 && bytes[span.start].is_ascii() {
        span.start += 1;
    }
    while span.start < span.end && bytes[span.end - 1] == b'\\' {
        span.end -= 1;
    }
    // The longest entity that is written is `&quot;`.
    let near = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let before = (span.start.saturating_sub(5)..span.start)
        .rev()
        .find(|at| bytes[*at] == b'&')
        .filter(|at| !near(*at, span.start).contains(';'));
    if let Some(start) = before.filter(|_| near(span.start, span.end).contains(';')) {
        span.start = start;
    }
    let opened = text[span.clone()].rfind('&').map(|at| span.start + at);
    if let Some(opened) = opened.filter(|at| !near(*at, span.end).contains(';')) {
        let rest = bytes[span.end..].iter().take(6);
        if let Some(more) = rest.clone().position(|byte| *byte == b';')
            && rest.take(more).all(u8::is_ascii_alphanumeric)
            && opened < span.end
        {
            span.end += more + 1;
        }
    }
    span
}

/// Where a short secret stands in a text, and not within a longer word or number.
fn alone<'t>(text: &'t str, secret: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let places = text.match_indices(secret);
    let spans = places.map(|(at, found)| at..at + found.len());
    spans.filter(|span| {
        let before = text[..span.start].chars().next_back();
        let after = text[span.end..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(char::is_alphanumeric)
    })
}

/// Where pieces of secrets stand in a text, in one pass: a token may be long, and a report longer.
fn pieces(text: &str, known: &[String]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for length in SHORTEST..=PIECE {
        let of_length = |secret: &&String| PIECE.min(secret.len()) == length;
        let wanted: HashSet<&[u8]> = known
            .iter()
            .filter(of_length)
            .flat_map(|secret| secret.as_bytes().windows(length))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let windows = text.as_bytes().windows(length).enumerate();
        let found = windows.filter(|(_, window)| wanted.contains(window));
        spans.extend(
            found
                .map(|(at, _)| at..at + length)
                // A piece may begin or end within a character; its neighbours do not.
                .filter(|span| {
                    text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
                }),
        );
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    #[test]
    fn whole_or_cut_or_escaped_no_secret_is_left() {
        let secrets = Secrets::default();
        secrets.note(
            "authorization",
            Some("TOKEN"),
            "Bearer abcdef\"0123456789<xyz",
        );
        for (text, expected) in [
            (
                "it says Bearer abcdef\"0123456789<xyz.",
                "it says Bearer [secret].",
            ),
            ("cut: abcdef\"01234…", "cut: [secret]…"),
            (r#"{"y":"abcdef\"0123456789<xyz"}"#, r#"{"y":"[secret]"}"#),
            ("<y>abcdef&quot;0123456789&lt;xyz</y>", "<y>[secret]</y>"),
            ("?t=abcdef%220123456789%3Cxyz", "?t=[secret]"),
            ("Bearer of news", "Bearer of news"),
            // Quoted twice, as a text within a text.
            (
                r#"{"y":"\"abcdef\\\"0123456789<xyz\""}"#,
                r#"{"y":"\"abcdef\\[secret]\""}"#,
            ),
        ] {
            assert_eq!(secrets.masked(text), expected);
        }
        assert_eq!(format!("{secrets:?}"), "Secrets");
    }

    #[test]
    fn what_a_binding_calls_secret_is_masked_where_it_stands_alone() {
        let secrets = Secrets::default();
        for value in ["4711", "12", "true", "card 12 34"] {
            secrets.note_declared(value);
        }
        assert_eq!(
            secrets.masked(r#"{"pin":4711,"at":147110,"n":12,"is":true,"c":"card 12 34"}"#),
            r#"{"pin":9999,"at":147110,"n":12,"is":true,"c":"[secret]"}"#
        );
    }

    /// `alice:correct-horse` in Base64.
    #[test]
    fn the_password_within_a_header_is_one_too() {
        let secrets = Secrets::default();
        secrets.note("authorization", None, "Basic YWxpY2U6Y29ycmVjdC1ob3JzZQ==");
        assert_eq!(
            secrets.masked("no: alice, correct-horse, YWxpY2U6Y29ycmVjdC1ob3JzZQ=="),
            "no: alice, [secret], [secret]"
        );
    }

    #[test]
    fn a_number_stays_a_number_and_other_words_stay() {
        let secrets = Secrets::default();
        secrets.note("x-pin", None, "123456");
        secrets.note("x-tenant", Some("TENANT"), "orders");
        secrets.note("accept", None, "application/json;version=20260101");
        secrets.note("x-run", Some("RUN"), "9f86d081884c7d65");
        assert_eq!(
            secrets.masked(r#"{"orders":123456,"at":"application/json","run":"9f86d081884c7d65"}"#),
            r#"{"orders":999999,"at":"application/json","run":"[secret]"}"#
        );
    }
}
