//! Where a field of a message stands in a request or a response: in the body, or in the head.
//!
//! A path is a template, `/orders/{id}/lines/{line}`; each parameter stands for one segment.

use choros_bind::{Place, Template};
use choros_data::{Sort, SortKind, Terms, Value};
use serde_json::Value as Json;

use choros_exec::capture::reading::decoded;
use choros_suite::{from_json, to_json};

/// What is not in the body: parameters of the path and of the query, and headers, with their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) path: Vec<(String, String)>,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
}

impl Head {
    /// What a request carries, if its path fits the template.
    pub(super) fn of_request(
        template: &Template,
        target: &str,
        headers: &[(String, String)],
    ) -> Option<Head> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decoded(name), decoded(value))
            });
        Some(Head {
            path: template.matched(path)?,
            query: query.collect(),
            headers: headers.to_vec(),
        })
    }

    /// The text at a place that is not in the body.
    pub(super) fn get(&self, place: &Place) -> Option<&str> {
        let (list, name) = match place {
            Place::Path(name) => (&self.path, name),
            Place::Query(name) => (&self.query, name),
            Place::Header(name) => (&self.headers, name),
            _ => return None,
        };
        let is_header = matches!(place, Place::Header(_));
        list.iter()
            .find(|(it, _)| it == name || is_header && it.eq_ignore_ascii_case(name))
            .map(|(_, text)| text.as_str())
    }

    /// Puts a text at a place that is not in the body.
    pub(super) fn put(&mut self, place: &Place, text: String) {
        match place {
            Place::Path(name) => self.path.push((name.clone(), text)),
            Place::Query(name) => self.query.push((name.clone(), text)),
            Place::Header(name) => self.headers.push((name.clone(), text)),
            _ => {}
        }
    }

    /// The path and query of a request.
    pub(super) fn target(&self, template: &str) -> String {
        let mut target: Vec<String> = Vec::new();
        for segment in template.split('/') {
            target.push(match parameter(segment) {
                Some(name) => {
                    let found = self.path.iter().find(|(it, _)| it == name);
                    found.map_or_else(String::new, |(_, text)| encoded(text))
                }
                None => segment.to_owned(),
            });
        }
        let mut target = target.join("/");
        for (name, text) in &self.query {
            target.push(if target.contains('?') { '&' } else { '?' });
            target.push_str(&format!("{}={}", encoded(name), encoded(text)));
        }
        target
    }
}

/// A value without parts, as it stands in a path, a query or a header.
pub(super) fn to_text(value: &Value, terms: &Terms) -> Result<String, String> {
    match to_json(value, terms) {
        Json::String(text) => Ok(text),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(truth) => Ok(truth.to_string()),
        other => Err(format!(
            "{other} has parts, and only a body has room for them"
        )),
    }
}

/// A value of a sort from such a text.
pub(super) fn from_text(text: &str, sort: Sort, terms: &mut Terms) -> Result<Value, String> {
    let json = match terms.sort_kind(sort) {
        SortKind::Bool | SortKind::Int | SortKind::Real => {
            serde_json::from_str(text).unwrap_or_else(|_| Json::from(text))
        }
        _ => Json::from(text),
    };
    from_json(&json, sort, terms)
}

fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// With everything escaped that is not plainly a letter of an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text).expect("a template")
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read(id in ".*", page in ".*") {
            let mut head = Head::default();
            head.put(&Place::Path("id".to_owned()), id.clone());
            head.put(&Place::Query("page".to_owned()), page.clone());
            let target = head.target("/orders/{id}/lines");
            let read = Head::of_request(&template("/orders/{id}/lines"), &target, &[]).expect("it fits");
            proptest::prop_assert_eq!(read.get(&Place::Path("id".to_owned())), Some(&*id));
            proptest::prop_assert_eq!(read.get(&Place::Query("page".to_owned())), Some(&*page));
        }
    }

    #[test]
    fn other_paths_do_not_fit() {
        for path in ["/orders", "/orders/1/lines/2", "/order/1"] {
            assert_eq!(
                Head::of_request(&template("/orders/{id}"), path, &[]),
                None,
                "{path}"
            );
        }
    }
}
