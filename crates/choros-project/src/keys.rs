//! The keys of `choros.toml`, and how a table is read by them.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, FileId, Span, nearest};
use choros_codes::diagnostics::{project_key, project_value};
use jiff::civil::Date;
use toml_edit::{Item, Table, TableLike, Value};

/// A kind of table.
pub(crate) struct Section {
    /// What stands between the brackets; empty for the top.
    pub(crate) name: &'static str,
    /// What it may hold.
    pub(crate) keys: &'static [Key],
}

/// A key and what it takes.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The table makes no sense without it.
    pub(crate) needed: bool,
}

/// What a key takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A text or a list of texts.
    Texts,
    Flag,
    Number,
    /// A number of sessions, or `any`.
    Sessions,
    /// One of some words.
    OneOf(&'static [&'static str]),
    /// A table of texts, numbers and truth values.
    Pairs,
    Date,
}

/// More sessions are not counted one by one.
const MOST_SESSIONS: i64 = 1_000;

const fn key(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        needed: false,
    }
}

const fn needed(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        needed: true,
    }
}

const CHANNELS: Kind = Kind::OneOf(&["fifo", "bag", "sync"]);

/// How many sessions there are at the same time.
const SESSIONS: Key = key("sessions", Kind::Sessions);
const BY: Key = key("by", Kind::Text);
const DISTINCT: Key = key("distinct", Kind::Flag);
const SHARING: Key = key("sharing", Kind::Texts);
const OWN_QUEUES: Key = key("own-queues", Kind::Flag);

pub(crate) static TOP: Section = Section {
    name: "",
    keys: &[
        key("deny", Kind::Texts),
        key("max-states", Kind::Number),
        key("solver-budget", Kind::Number),
    ],
};

pub(crate) static CHECK: Section = Section {
    name: "check",
    keys: &[
        key("name", Kind::Text),
        needed("files", Kind::Texts),
        key("param", Kind::Pairs),
        key("model", Kind::Text),
        key("depth", Kind::Number),
        key("strict", Kind::Flag),
        key("tolerate-equal-branches", Kind::Flag),
        key("channels", CHANNELS),
        key("bound", Kind::Number),
        SESSIONS,
        BY,
        DISTINCT,
        SHARING,
        OWN_QUEUES,
    ],
};

pub(crate) static REALIZE: Section = Section {
    name: "realize",
    keys: &[
        key("name", Kind::Text),
        needed("files", Kind::Texts),
        key("param", Kind::Pairs),
        key(
            "mode",
            Kind::OneOf(&["sync", "sender", "receiver", "disjoint", "peers"]),
        ),
        key("criterion", Kind::OneOf(&["conditions", "semantic"])),
        key("channels", Kind::OneOf(&["fifo", "bag"])),
        key("bound", Kind::Number),
        key("service", Kind::Texts),
        key("joint-ending", Kind::Flag),
        SESSIONS,
        BY,
        DISTINCT,
        SHARING,
        OWN_QUEUES,
    ],
};

pub(crate) static CONFORM: Section = Section {
    name: "conform",
    keys: &[
        key("name", Kind::Text),
        needed("implementation", Kind::Texts),
        needed("specification", Kind::Text),
        key("param", Kind::Pairs),
        key("map", Kind::Pairs),
        key("share", Kind::Texts),
        key("allow-fixed", Kind::Flag),
        key("role", Kind::Text),
        SESSIONS,
        BY,
        DISTINCT,
        SHARING,
        OWN_QUEUES,
    ],
};

pub(crate) static VERIFY: Section = Section {
    name: "verify",
    keys: &[
        key("name", Kind::Text),
        needed("model", Kind::Text),
        key("param", Kind::Pairs),
        key("formulas", Kind::Texts),
        key("formula", Kind::Texts),
        key("pattern", Kind::Texts),
        key("rules", Kind::Texts),
        key("domain", Kind::Pairs),
        key("strict", Kind::Flag),
        key("depth", Kind::Number),
        key("channels", CHANNELS),
        key("bound", Kind::Number),
        SESSIONS,
        BY,
        DISTINCT,
        SHARING,
        OWN_QUEUES,
        key("per-session", Kind::Flag),
    ],
};

pub(crate) static BASELINE: Section = Section {
    name: "baseline",
    keys: &[
        needed("code", Kind::Text),
        key("file", Kind::Text),
        key("question", Kind::Text),
        key("fingerprint", Kind::Text),
        needed("reason", Kind::Text),
        needed("expires", Kind::Date),
    ],
};

/// The tables that may be there several times.
pub(crate) static SECTIONS: [&Section; 5] = [&CHECK, &REALIZE, &CONFORM, &VERIFY, &BASELINE];

/// A table as it was read.
#[derive(Debug, Clone)]
pub struct Row {
    /// Where it begins.
    pub span: Span,
    given: BTreeMap<&'static str, (Given, Span)>,
}

#[derive(Debug, Clone)]
enum Given {
    Texts(Vec<String>),
    Flag(bool),
    Number(u64),
    Pairs(Vec<(String, String)>),
    Date(Date),
}

impl Row {
    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts(key).first().map(String::as_str)
    }

    /// The texts of a key; none where it is not there.
    pub fn texts(&self, key: &str) -> &[String] {
        match self.given.get(key) {
            Some((Given::Texts(texts), _)) => texts,
            _ => &[],
        }
    }

    /// Whether a key is there and true.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.given.get(key), Some((Given::Flag(true), _)))
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Option<u64> {
        match self.given.get(key)? {
            (Given::Number(number), _) => Some(*number),
            _ => None,
        }
    }

    /// The entries of a table.
    pub fn pairs(&self, key: &str) -> &[(String, String)] {
        match self.given.get(key) {
            Some((Given::Pairs(pairs), _)) => pairs,
            _ => &[],
        }
    }

    pub(crate) fn date(&self, key: &str) -> Option<Date> {
        match self.given.get(key)? {
            (Given::Date(date), _) => Some(*date),
            _ => None,
        }
    }

    /// Where the value of a key is, or the table.
    pub fn place(&self, key: &str) -> Span {
        self.given.get(key).map_or(self.span, |it| it.1)
    }
}

/// Reads tables of a file.
pub(crate) struct Reader<'d> {
    pub(crate) file: FileId,
    pub(crate) findings: &'d mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// A table by its section; what is wrong with it is among the findings.
    pub(crate) fn row(&mut self, section: &Section, table: &Table, span: Span) -> Row {
        let mut row = Row {
            span,
            given: BTreeMap::new(),
        };
        for (name, item) in table.iter() {
            if section.name.is_empty() && SECTIONS.iter().any(|it| it.name == name) {
                continue;
            }
            let at = table.key(name).and_then(toml_edit::Key::span);
            let at = self.span(at, span);
            let Some(key) = section.keys.iter().find(|it| it.name == name) else {
                self.findings.push(unknown(section, name, at));
                continue;
            };
            let place = self.span(item.span(), at);
            match given(item, key.kind) {
                Some(given) => {
                    row.given.insert(key.name, (given, place));
                }
                None => {
                    let expected = expected(key.kind);
                    self.findings
                        .push(project_value::diagnostic(name, &expected, place));
                }
            }
        }
        for key in section.keys.iter().filter(|it| it.needed) {
            if !table.contains_key(key.name) {
                let found = project_value::missing(section.name, key.name, span);
                self.findings.push(found);
            }
        }
        row
    }

    pub(crate) fn span(&self, range: Option<std::ops::Range<usize>>, otherwise: Span) -> Span {
        match range {
            Some(range) => Span::new(self.file, range.start as u32, range.end as u32),
            None => otherwise,
        }
    }
}

fn unknown(section: &Section, name: &str, at: Span) -> Diagnostic {
    let own = section.keys.iter().map(|it| it.name);
    let tables = SECTIONS.iter().map(|it| it.name);
    let known: Vec<&str> = if section.name.is_empty() {
        own.chain(tables).collect()
    } else {
        own.collect()
    };
    let similar = nearest(name, known.iter().copied());
    project_key::diagnostic(section.name, name, similar, &known, at)
}

fn given(item: &Item, kind: Kind) -> Option<Given> {
    if kind == Kind::Pairs {
        let table = item.as_table_like()?;
        return pairs(table).map(Given::Pairs);
    }
    let value = item.as_value()?;
    match kind {
        Kind::Text => Some(Given::Texts(vec![value.as_str()?.to_owned()])),
        Kind::OneOf(words) => {
            let word = value.as_str().filter(|it| words.contains(it))?;
            Some(Given::Texts(vec![word.to_owned()]))
        }
        Kind::Texts => match value {
            Value::String(text) => Some(Given::Texts(vec![text.value().clone()])),
            Value::Array(items) => {
                let texts: Option<Vec<String>> = items
                    .iter()
                    .map(|it| Some(it.as_str()?.to_owned()))
                    .collect();
                texts.map(Given::Texts)
            }
            _ => None,
        },
        Kind::Flag => value.as_bool().map(Given::Flag),
        Kind::Sessions => match (value.as_str(), value.as_integer()) {
            (Some("any"), _) => Some(Given::Texts(vec!["any".to_owned()])),
            (_, Some(count @ 1..=MOST_SESSIONS)) => u64::try_from(count).ok().map(Given::Number),
            _ => None,
        },
        Kind::Number => value.as_integer()?.try_into().ok().map(Given::Number),
        Kind::Date => date(value).map(Given::Date),
        Kind::Pairs => None,
    }
}

fn date(value: &Value) -> Option<Date> {
    match value {
        Value::String(text) => text.value().parse().ok(),
        Value::Datetime(datetime) => datetime.value().date?.to_string().parse().ok(),
        _ => None,
    }
}

fn pairs(table: &dyn TableLike) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for (name, item) in table.iter() {
        let text = match item.as_value()? {
            Value::String(text) => text.value().clone(),
            Value::Integer(number) => number.value().to_string(),
            Value::Boolean(truth) => truth.value().to_string(),
            _ => return None,
        };
        pairs.push((name.to_owned(), text));
    }
    Some(pairs)
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text => "a text".to_owned(),
        Kind::Texts => "a text or a list of texts".to_owned(),
        Kind::Flag => "true or false".to_owned(),
        Kind::Number => "a number that is not negative".to_owned(),
        Kind::Sessions => format!("a number from 1 to {MOST_SESSIONS}, or \"any\""),
        Kind::OneOf(words) => format!("one of {}", words.join(", ")),
        Kind::Pairs => "a table of names and values, such as { limit = 10 }".to_owned(),
        Kind::Date => "a date, such as 2027-01-31".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{SECTIONS, TOP};

    /// The published schema has the keys that are read, and no others.
    #[test]
    fn the_schema_is_about_these_keys() {
        let text = include_str!("../../../docs/schema/choros.schema.json");
        let schema: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
        let keys = |of: &serde_json::Value| -> BTreeSet<String> {
            let properties = of["properties"].as_object().expect("it has properties");
            properties.keys().cloned().collect()
        };
        let mut top: BTreeSet<String> = TOP.keys.iter().map(|it| it.name.to_owned()).collect();
        top.extend(SECTIONS.iter().map(|it| it.name.to_owned()));
        assert_eq!(keys(&schema), top);
        for section in SECTIONS {
            let own: BTreeSet<String> = section.keys.iter().map(|it| it.name.to_owned()).collect();
            let described = &schema["$defs"][section.name];
            assert_eq!(keys(described), own, "{}", section.name);
            let needed: Vec<&str> = section
                .keys
                .iter()
                .filter(|it| it.needed)
                .map(|it| it.name)
                .collect();
            assert_eq!(described["required"], serde_json::json!(needed));
        }
    }
}
