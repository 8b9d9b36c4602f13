//! The different kinds of records in logs: requests by method and path, messages by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Envelope, Side};

use super::roles::Roles;
use super::{RecordId, SampledLog};

/// Records that are alike.
#[derive(Debug, Clone, Default)]
pub(super) struct Kind {
    pub(super) call: Call,
    /// The roles that send it, as far as they are known.
    pub(super) from: BTreeSet<String>,
    pub(super) to: BTreeSet<String>,
    pub(super) records: Vec<RecordId>,
    /// How often each status came back.
    pub(super) statuses: BTreeMap<u16, u64>,
}

/// What tells records apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    /// A request; the parameters of its path are `{1}`, `{2}`.
    Request {
        method: Option<String>,
        path: String,
    },
    /// A message with this name; `*` where versions differ.
    Named(String),
}

impl Default for Call {
    fn default() -> Call {
        Call::Named(String::new())
    }
}

impl Call {
    /// As people write it.
    pub(super) fn text(&self) -> String {
        match self {
            Call::Request { method, path } => match method {
                Some(method) => format!("{method} {path}"),
                None => path.clone(),
            },
            Call::Named(name) if name.is_empty() => "records without a name".to_owned(),
            Call::Named(name) => name.clone(),
        }
    }
}

/// The kinds of all records, those that occur most first.
pub(super) fn kinds(logs: &[SampledLog], roles: &Roles) -> Vec<Kind> {
    let paths = Paths::new(logs);
    let mut found: BTreeMap<(Call, Option<String>), Kind> = BTreeMap::new();
    for (log, sampled) in logs.iter().enumerate() {
        for (record, ranked) in sampled.records.iter().enumerate() {
            let envelope = &ranked.envelope;
            let call = match &envelope.http {
                Some(http) => Call::Request {
                    method: http.method.as_ref().map(|it| it.to_ascii_uppercase()),
                    path: paths.template(&http.path),
                },
                None => Call::Named(version_free(envelope.names.first().map_or("", |it| it))),
            };
            let (from, to) = ends(envelope, sampled.own.as_deref(), roles);
            let key = (call.clone(), to.clone());
            let kind = found.entry(key).or_default();
            kind.call = call;
            kind.from.extend(from);
            kind.to.extend(to);
            kind.records.push(RecordId { log, record });
            if let Some(status) = envelope.http.as_ref().and_then(|it| it.status) {
                *kind.statuses.entry(status).or_default() += 1;
            }
        }
    }
    let mut found: Vec<Kind> = found.into_values().collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.records.len()));
    found
}

/// The roles at both ends, as far as the record and its log tell.
pub(super) fn ends(
    envelope: &Envelope,
    own: Option<&str>,
    roles: &Roles,
) -> (Option<String>, Option<String>) {
    let role = |name: &Option<String>| name.as_deref().and_then(|it| roles.role(it));
    let by = own.map(str::to_owned).or_else(|| role(&envelope.by));
    let (mut from, mut to) = (role(&envelope.from), role(&envelope.to));
    match envelope.side {
        Some(Side::Sender) => from = from.or(by),
        Some(Side::Receiver) => to = to.or(by),
        None => {}
    }
    (from, to)
}

/// A name in which the version is open: `com.acme.PlaceOrder.v*`.
pub(super) fn version_free(name: &str) -> String {
    let digits = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    let has_version = digits.len() < name.len()
        && digits
            .strip_suffix('v')
            .is_some_and(|rest| rest.ends_with(['.', '-', '_', '/', ':']));
    if has_version {
        format!("{digits}*")
    } else {
        name.to_owned()
    }
}

/// Which parts of paths are parameters: those that look like identities, and those with many different values.
struct Paths {
    templates: BTreeMap<String, String>,
}

impl Paths {
    fn new(logs: &[SampledLog]) -> Paths {
        /// More values than this in one place of a path are those of a parameter.
        const FEW: usize = 8;
        let records = logs.iter().flat_map(|log| &log.records);
        let paths: BTreeSet<&str> = records
            .filter_map(|it| it.envelope.http.as_ref())
            .map(|it| it.path.as_str())
            .collect();
        let mut opened: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
        for path in &paths {
            let parts = path.split('/').map(|it| (!is_identity(it)).then_some(it));
            let mut parts: Vec<Option<&str>> = parts.collect();
            // Of a path without a fixed part nothing is left by which it is known.
            let is_fixed = |it: &Option<&str>| it.is_some_and(|it| !it.is_empty());
            if !parts.iter().any(is_fixed) {
                parts = path.split('/').map(Some).collect();
            }
            opened.insert(path, parts);
        }
        loop {
            // Values at a place, of paths that are alike everywhere else.
            let mut values: BTreeMap<(usize, Vec<Option<&str>>), BTreeSet<&str>> = BTreeMap::new();
            for parts in opened.values() {
                for (at, part) in parts.iter().enumerate().skip(1) {
                    if let Some(part) = part {
                        let mut others = parts.clone();
                        others[at] = None;
                        values.entry((at, others)).or_default().insert(part);
                    }
                }
            }
            let Some(((at, others), _)) = values.iter().find(|(_, it)| it.len() > FEW) else {
                break;
            };
            for parts in opened.values_mut() {
                let mut same = parts.clone();
                if same.len() == others.len() {
                    same[*at] = None;
                    if same == *others {
                        parts[*at] = None;
                    }
                }
            }
        }
        let templates = opened.into_iter().map(|(path, parts)| {
            let mut number = 0;
            let parts: Vec<String> = parts
                .into_iter()
                .map(|part| match part {
                    Some(part) => part.to_owned(),
                    None => {
                        number += 1;
                        format!("{{{number}}}")
                    }
                })
                .collect();
            (path.to_owned(), parts.join("/"))
        });
        Paths {
            templates: templates.collect(),
        }
    }

    fn template(&self, path: &str) -> String {
        self.templates
            .get(path)
            .cloned()
            .unwrap_or_else(|| path.to_owned())
    }
}

/// Whether a part of a path looks like the identity of something: a number, a UUID, letters and digits mixed.
pub(super) fn is_identity(part: &str) -> bool {
    // A span may know the route only: `/orders/{id}`, `/orders/:id`.
    if part.starts_with('{') && part.ends_with('}') || part.starts_with(':') && part.len() > 1 {
        return true;
    }
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_version = part.starts_with('v') && letters == 1 && digits + 1 == part.len();
    let is_number = digits == part.len() && digits > 0;
    let is_mixed = digits > 0 && !is_version && (digits * 4 >= part.len() || part.len() >= 16);
    // `acme.shop.v1.Orders` is the service of a remote call.
    let has_words = part
        .split('.')
        .filter(|it| it.len() > 2 && !it.bytes().any(|it| it.is_ascii_digit()))
        .count()
        > 1;
    let is_plain = part
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || b"-_.~".contains(&it));
    is_number || (is_mixed && is_plain && !has_words)
}

#[cfg(test)]
mod tests {
    use super::{Call, is_identity, kinds, version_free};
    use crate::propose::roles::Roles;
    use crate::propose::{SampledLog, tests::request};

    #[test]
    fn identities_and_versions() {
        for part in [
            "17",
            "9f1c2d3e-0000-4000-8000-000000000001",
            "o4",
            "ab12cd34ef",
            "{id}",
        ] {
            assert!(is_identity(part), "{part}");
        }
        for part in [
            "orders",
            "v1",
            "",
            "order-items",
            "oauth2callback",
            "acme.shop.v1.Orders",
        ] {
            assert!(!is_identity(part), "{part}");
        }
        assert_eq!(
            version_free("com.acme.PlaceOrder.v12"),
            "com.acme.PlaceOrder.v*"
        );
        assert_eq!(version_free("PlaceOrder/v1.2"), "PlaceOrder/v*");
        assert_eq!(version_free("orders2"), "orders2");
        assert_eq!(version_free("v2"), "v2");
    }

    #[test]
    fn values_that_differ_much_are_parameters() {
        let names = "ada bob cat dan eve fay gus hal ida joe";
        let mut records: Vec<_> = names
            .split(' ')
            .map(|name| request("GET", &format!("/users/{name}/orders")))
            .collect();
        records.push(request("POST", "/orders"));
        records.push(request("GET", "/orders/17"));
        records.push(request("GET", "/orders/18"));
        records.push(request("GET", "/s3"));
        records.push(request("GET", "/t1"));
        let log = SampledLog {
            records,
            ..SampledLog::default()
        };
        let found: Vec<(String, usize)> = kinds(&[log], &Roles::default())
            .into_iter()
            .map(|it| (it.call.text(), it.records.len()))
            .collect();
        let expected = [
            ("GET /users/{1}/orders".to_owned(), 10),
            ("GET /orders/{1}".to_owned(), 2),
            ("GET /s3".to_owned(), 1),
            ("GET /t1".to_owned(), 1),
            ("POST /orders".to_owned(), 1),
        ];
        assert_eq!(found, expected);
        assert_eq!(Call::default().text(), "records without a name");
    }
}
