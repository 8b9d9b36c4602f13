//! What the forms share about HTTP: addresses, statuses, bodies.

use choros_bind::Content;
use choros_model::observation::Datum;

use crate::log::tree::Tree;

/// An address, or the target of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Target {
    /// Host and port, where the address has them.
    pub(super) host: Option<String>,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
}

impl Target {
    pub(super) fn parse(text: &str) -> Target {
        let text = text.split('#').next().unwrap_or(text);
        let (text, query) = text.split_once('?').unwrap_or((text, ""));
        let (host, path) = match text.split_once("://") {
            None => (None, text),
            Some((_, rest)) => {
                let at = rest.find('/').unwrap_or(rest.len());
                let host = rest[..at].rsplit('@').next().unwrap_or_default();
                (Some(host.to_owned()), &rest[at..])
            }
        };
        let mut target = Target {
            host: host.filter(|host| !host.is_empty()),
            path: if path.is_empty() { "/" } else { path }.to_owned(),
            query: Vec::new(),
        };
        target.add_query(query);
        target
    }

    pub(super) fn add_query(&mut self, query: &str) {
        let query = query.strip_prefix('?').unwrap_or(query);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.query.push((decoded(name), decoded(value)));
        }
    }
}

/// A text without `%20` and `+`; what is not an escape is left as it is.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        let code = escape.and_then(|it| std::str::from_utf8(it).ok());
        match code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(if byte == b'+' { b' ' } else { byte });
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// A status, as a number or as a text; 0 is what some logs write for none.
pub(super) fn status(value: &Datum<'_>) -> Option<u16> {
    let code = match value {
        Datum::Text(text) => text.trim().parse().ok(),
        other => other.number()?.to_i64(),
    };
    code.and_then(|code| u16::try_from(code).ok())
}

/// The codes of remote calls, by their numbers; a 17th would be one that no one knows.
const CALL_CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// The code of a remote call, as a number or by its name: 0 is success.
pub(super) fn call_code(value: &Datum<'_>) -> Option<u16> {
    status(value).or_else(|| {
        let name = value.text()?.trim().to_ascii_uppercase();
        let number = CALL_CODES.iter().position(|it| *it == name)?;
        u16::try_from(number).ok()
    })
}

/// Puts a body into a content: its fields if it is JSON, otherwise as it is.
pub(super) fn open_body(body: &str, content: &mut Content) {
    let begins = body.trim_start().as_bytes().first();
    if matches!(begins, Some(b'{' | b'['))
        && let Ok(tree) = Tree::read(body)
    {
        tree.flatten("", &mut content.body);
    } else if !body.is_empty() {
        content.closed = Some(body.to_owned());
    }
}

/// Puts a body into a content that may be a value of the record or a text.
pub(super) fn tree_body(body: &Tree<'_>, content: &mut Content) {
    match body {
        Tree::Scalar(Datum::Null) => {}
        Tree::Scalar(Datum::Text(text)) => open_body(text, content),
        other => other.flatten("", &mut content.body),
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn addresses_and_targets() {
        let target = Target::parse("https://bob:pw@shop.example:8443/a/b?x=1&y=a%20b+c&z#f");
        assert_eq!(target.host.as_deref(), Some("shop.example:8443"));
        assert_eq!(target.path, "/a/b");
        let query: Vec<(&str, &str)> = target
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(query, [("x", "1"), ("y", "a b c"), ("z", "")]);
        assert_eq!(Target::parse("http://host").path, "/");
        assert_eq!(Target::parse("/orders/%zz?%").path, "/orders/%zz");
        assert_eq!(Target::parse("").path, "/");
        assert_eq!(Target::parse("?%é=%f").path, "/");
    }
}
