//! `[messages.NAME]` and what is known of values.

use choros_base::Span;
use choros_model::observation::Datum;
use toml_edit::Value;

use super::NamedThing;
use super::table::{Entry, Reader, Table};
use crate::{FieldPlace, FieldValues, Fields, Format, MessageBinding, Pattern, Place};
use crate::{RequestPattern, Side, Statuses};

/// The keys of `[messages.NAME]`.
pub const MESSAGE_KEYS: [&str; 11] = [
    "names", "request", "response", "status", "topic", "from", "to", "dir", "when", "fields",
    "values",
];
/// The keys of `[ignore.NAME]`.
pub const IGNORE_KEYS: [&str; 6] = ["names", "request", "response", "status", "topic", "when"];
/// The keys of `[values.NAME]`.
pub const VALUE_KEYS: [&str; 2] = ["format", "examples"];

impl Reader<'_> {
    pub(super) fn message(&mut self, name: String, table: &Table<'_>) -> MessageBinding {
        self.known(table, &format!("[messages.{name}]"), &MESSAGE_KEYS);
        let mut message = self.recognized(name, table);
        for (key, role) in [("from", &mut message.from), ("to", &mut message.to)] {
            if let Some(entry) = table.get(key) {
                *role = self.text(&entry);
                if let Some(role) = role {
                    self.name(NamedThing::Role, role, self.span(&entry));
                }
            }
        }
        if let Some(entry) = table.get("dir") {
            message.dir = entry.value().and_then(Value::as_str).and_then(Side::named);
            if message.dir.is_none() {
                self.wrong(&entry, "send or recv");
            }
        }
        if let Some(entry) = table.get("fields") {
            message.fields = self.fields(&entry, &message.name);
        }
        self.check_parameters(&message, table.span());
        if let Some(entry) = table.get("values")
            && let Some(values) = self.table(&entry)
        {
            message.values = self.values(&values, Some(&message.name));
        }
        message
    }

    /// `[ignore.NAME]`: what is not a message.
    pub(super) fn ignored(&mut self, name: String, table: &Table<'_>) -> MessageBinding {
        self.known(table, &format!("[ignore.{name}]"), &IGNORE_KEYS);
        self.recognized(name, table)
    }

    /// How a message is recognized.
    fn recognized(&mut self, name: String, table: &Table<'_>) -> MessageBinding {
        let mut message = MessageBinding::new(name);
        if let Some(entry) = table.get("names") {
            message.names = self.texts(&entry).into_iter().map(Pattern::new).collect();
        }
        if let Some(entry) = table.get("request") {
            let expected = "a request such as \"POST /orders\", or a list of them";
            let mut read = self
                .read_each(&entry, expected, RequestPattern::parse)
                .into_iter();
            message.request = read.next();
            message.more_requests = read.collect();
        }
        if let Some(entry) = table.get("response") {
            for text in self.texts(&entry) {
                if !text.contains('/') {
                    message.response.push(text);
                    continue;
                }
                match RequestPattern::parse(&text) {
                    Ok(request) => message.answers.push(request),
                    Err(reason) => self.mistake(self.span(&entry), reason),
                }
            }
            let is_own = |it: &String| *it == message.name;
            if message.request.is_some() && !message.response.iter().any(is_own) {
                let place = self.span(&entry);
                let name = &message.name;
                self.mistake(
                    place,
                    format!("`{name}` has a request of its own, so it is not a response"),
                );
            }
        }
        if let Some(entry) = table.get("status") {
            message.status = self.statuses(&entry);
            if !message.is_response() {
                let place = entry.key_span;
                self.mistake(
                    place,
                    "`status` is of a response: `response` is missing".to_owned(),
                );
            }
        }
        if let Some(entry) = table.get("topic") {
            message.topic = self.text(&entry).map(Pattern::new);
        }
        if let Some(entry) = table.get("when")
            && let Some(conditions) = self.table(&entry)
        {
            message.when = self.conditions(&conditions);
        }
        message
    }

    fn statuses(&mut self, entry: &Entry<'_>) -> Vec<Statuses> {
        let mut found = Vec::new();
        for value in self.each(entry) {
            let text = match value {
                Value::Integer(number) => number.value().to_string(),
                other => other.as_str().unwrap_or_default().to_owned(),
            };
            match Statuses::parse(&text) {
                Some(statuses) => found.push(statuses),
                None => self.wrong(entry, "a status such as 201 or \"4xx\", or a list of them"),
            }
        }
        found
    }

    fn conditions(&mut self, table: &Table<'_>) -> Vec<(Place, Datum<'static>)> {
        let mut found: Vec<(Place, Datum<'static>)> = Vec::new();
        for entry in table.entries() {
            let place = match Place::parse(entry.key) {
                Ok(place) => place,
                Err(reason) => {
                    self.mistake(entry.key_span, reason);
                    continue;
                }
            };
            match entry.value() {
                Some(value) => {
                    let datum = self.datum(value, entry.key_span);
                    self.once(&place, &found, entry.key_span);
                    found.extend(datum.map(|it| (place, it)));
                }
                None => self.wrong(&entry, "a text, a number or a truth value"),
            }
        }
        found
    }

    /// Places by the names of fields, or a list of them by position.
    fn fields(&mut self, entry: &Entry<'_>, message: &str) -> Fields {
        if entry.value().is_some_and(Value::is_array) {
            return Fields::Listed(self.field_places(entry));
        }
        let mut named = Vec::new();
        for entry in self.table(entry).map_or_else(Vec::new, |it| it.entries()) {
            let what = NamedThing::Field(Some(message.to_owned()));
            self.name(what, entry.key, entry.key_span);
            let places = self.field_places(&entry);
            named.push((entry.key.to_owned(), places));
        }
        Fields::Named(named)
    }

    /// Each parameter of a path is one field: one of its name, or one that is placed there.
    fn check_parameters(&mut self, message: &MessageBinding, at: Span) {
        let placed: Vec<&FieldPlace> = match &message.fields {
            Fields::Named(named) => named.iter().flat_map(|(_, places)| places).collect(),
            Fields::Listed(places) => places.iter().collect(),
        };
        let path = message.request.as_ref().map(|it| &it.path);
        let has = |name: &str| path.is_some_and(|it| it.parameters().any(|known| known == name));
        for place in &placed {
            if let Place::Path(name) = &place.place
                && !has(name)
                // What answers a request may share the request's path.
                && (path.is_some() || !message.is_response())
            {
                let whose = &message.name;
                let reason = match path {
                    Some(path) => format!("`{path}` has no parameter `{{{name}}}`"),
                    None => format!("`path.{name}`: `{whose}` has no `request` with `{{{name}}}`"),
                };
                self.mistake(at, reason);
            }
        }
        if let (Some(path), Fields::Listed(_)) = (path, &message.fields) {
            for name in path.parameters() {
                let is_it = |it: &&&FieldPlace| it.place == Place::Path(name.to_owned());
                if placed.iter().filter(is_it).count() != 1 {
                    self.mistake(
                        at,
                        format!("`{{{name}}}` in `{path}` is not one of the fields: `path.{name}`"),
                    );
                }
            }
        }
    }

    pub(super) fn values(
        &mut self,
        table: &Table<'_>,
        message: Option<&str>,
    ) -> Vec<(String, FieldValues)> {
        let mut found = Vec::new();
        for entry in table.entries() {
            let what = NamedThing::Field(message.map(str::to_owned));
            self.name(what, entry.key, entry.key_span);
            let Some(table) = self.table(&entry) else {
                continue;
            };
            self.known(&table, &format!("[values.{}]", entry.key), &VALUE_KEYS);
            let mut values = FieldValues::default();
            if let Some(entry) = table.get("format")
                && let Some(name) = self.text(&entry)
            {
                values.format = Format::named(&name);
                if values.format.is_none() {
                    let names = Format::ALL.map(Format::name).join(", ");
                    self.wrong(&entry, &format!("one of {names}"));
                }
            }
            if let Some(entry) = table.get("examples") {
                for value in self.each(&entry) {
                    values.examples.extend(self.datum(value, entry.key_span));
                }
            }
            found.push((entry.key.to_owned(), values));
        }
        found
    }
}
