//! What an HTTP body says: its fields by path, and the operation where the body itself names it.

use choros_model::observation::Datum;

use crate::log::{flatten_json, flatten_xml};

/// A body as far as it could be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// The element below the SOAP body, or the outermost one of another XML document.
    pub(super) operation: Option<String>,
    /// Values by path.
    pub(super) data: Vec<(String, Datum<'static>)>,
    /// Why there are none, where it said that there would be.
    pub(super) unread: Option<String>,
}

impl Reading {
    /// A body that could not be read.
    pub(super) fn unread(reason: impl Into<String>) -> Reading {
        Reading {
            unread: Some(reason.into()),
            ..Reading::default()
        }
    }
}

/// Reads a body by its content type; one that cannot be read has no fields, and says why if its type promised some.
pub(super) fn read_body(content_type: &str, body: &[u8]) -> Reading {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let (is_json, is_xml) = (kind.ends_with("json"), kind.ends_with("xml"));
    let Ok(text) = std::str::from_utf8(body) else {
        return if is_json || is_xml {
            Reading::unread("no UTF-8")
        } else {
            Reading::default()
        };
    };
    if text.trim().is_empty() {
        return Reading::default();
    }
    if kind == "application/x-www-form-urlencoded" {
        return Reading {
            data: form(text),
            ..Reading::default()
        };
    }
    let is_xml = is_xml || (kind.is_empty() && text.trim_start().starts_with('<'));
    let found = if is_xml {
        xml(text)
    } else {
        flatten_json(text).ok().map(|data| Reading {
            data,
            ..Reading::default()
        })
    };
    found.unwrap_or_else(|| match (is_json, is_xml) {
        (true, _) => Reading::unread("no object in JSON"),
        (_, true) => Reading::unread("damaged XML"),
        (false, false) => Reading::default(),
    })
}

/// The parameters of a form or of a query.
pub(super) fn form(text: &str) -> Vec<(String, Datum<'static>)> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), Datum::Untyped(decoded(value).into()))
        })
        .collect()
}

/// `%41+b` is `A b`; what is not an escape stays as it is.
pub fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut position = 0;
    while position < bytes.len() {
        let escape = bytes.get(position + 1..position + 3).and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            plain.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
        });
        match (bytes[position], escape) {
            (b'%', Some(byte)) => {
                out.push(byte);
                position += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        position += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn xml(text: &str) -> Option<Reading> {
    let (root, values) = flatten_xml(text).ok()?;
    let untyped = |path: &str, value: String| (path.to_owned(), Datum::Untyped(value.into()));
    if root != "Envelope" {
        return Some(Reading {
            operation: Some(root),
            data: values
                .into_iter()
                .map(|(path, value)| untyped(&path, value))
                .collect(),
            unread: None,
        });
    }
    let mut reading = Reading::default();
    for (path, value) in values {
        let Some(inside) = path.strip_prefix("Body.") else {
            continue;
        };
        let (operation, below) = inside.split_once('.').unwrap_or((inside, ""));
        if operation.starts_with('@') {
            continue;
        }
        let first = reading
            .operation
            .get_or_insert_with(|| operation.to_owned());
        if first == operation && !below.is_empty() {
            reading.data.push(untyped(below, value));
        }
    }
    Some(reading)
}

#[cfg(test)]
mod tests {
    use super::{Reading, form, read_body};

    fn texts(reading: &Reading) -> Vec<String> {
        let text = |(path, value): &(String, _)| format!("{path} = {value}");
        reading.data.iter().map(text).collect()
    }

    #[test]
    fn json_keeps_its_numbers_exact() {
        let reading = read_body(
            "application/json; charset=utf-8",
            b"{ \"weight\": 4.96,\n \"a\": [{\"b\": true}] }",
        );
        assert_eq!(texts(&reading), ["weight = 4.96", "a.0.b = true"]);
        assert_eq!(reading.operation, None);
    }

    #[test]
    fn the_element_below_the_soap_body_is_the_operation() {
        let soap = b"<?xml version='1.0'?><s:Envelope xmlns:s='u'><s:Header><t>1</t></s:Header><s:Body id='b'>\
            <n:Withdraw xmlns:n='v' unit='EUR'><n:card>12</n:card></n:Withdraw></s:Body></s:Envelope>";
        let reading = read_body("text/xml", soap);
        assert_eq!(reading.operation.as_deref(), Some("Withdraw"));
        assert_eq!(texts(&reading).len(), 2);
        assert!(reading.data.iter().any(|(path, _)| path == "card"));
        let empty = b"<Envelope><Body><Ping></Ping></Body></Envelope>";
        assert_eq!(
            read_body("application/soap+xml", empty)
                .operation
                .as_deref(),
            Some("Ping")
        );
        let plain = read_body("", b"<order><n>1</n></order>");
        assert_eq!(plain.operation.as_deref(), Some("order"));
    }

    #[test]
    fn what_cannot_be_read_has_no_fields() {
        for (kind, body, reason) in [
            (
                "application/json",
                &b"{\"a\": 1"[..],
                Some("no object in JSON"),
            ),
            (
                "application/problem+json",
                b"[1]",
                Some("no object in JSON"),
            ),
            ("text/xml", b"<a><b></a>", Some("damaged XML")),
            ("", b"<a><b></a>", Some("damaged XML")),
            ("application/json", b"\xff", Some("no UTF-8")),
            ("application/json", b" ", None),
            ("image/png", b"\x89PNG\xff", None),
            ("text/plain", b"hello", None),
            ("", b"", None),
        ] {
            let expected = Reading {
                unread: reason.map(str::to_owned),
                ..Reading::default()
            };
            assert_eq!(read_body(kind, body), expected, "{kind}");
        }
    }

    #[test]
    fn forms_are_decoded() {
        let data: Vec<String> = form("a=1+2&b=%C3%A9&c&=x&d=%zz")
            .iter()
            .map(|(name, value)| format!("{name}:{value}"))
            .collect();
        assert_eq!(data.len(), 5);
        assert!(data[1].contains('é'));
    }
}
