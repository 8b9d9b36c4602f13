//! Tables of a binding, and what is asked of their values.

use choros_base::{Diagnostic, FileId, Span};
use choros_model::observation::{Datum, Number};
use toml_edit::{Item, TableLike, Value};

use super::{Named, NamedThing};
use crate::diagnostics::unusable_binding;
use crate::{FieldPlace, Place};

/// Reads values and keeps what is wrong with them.
pub(super) struct Reader<'d> {
    file: FileId,
    text: &'d str,
    findings: &'d mut Vec<Diagnostic>,
    pub(super) named: Vec<Named>,
    pub(super) model: Option<Span>,
}

/// A table and where it is.
pub(super) struct Table<'t> {
    table: &'t dyn TableLike,
    span: Span,
}

/// A key and what it has.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    pub(super) key_span: Span,
    pub(super) item: &'t Item,
}

impl<'t> Table<'t> {
    pub(super) fn new(table: &'t dyn TableLike, span: Span) -> Table<'t> {
        Table { table, span }
    }

    pub(super) fn get(&self, key: &str) -> Option<Entry<'t>> {
        let (key, item) = self.table.get_key_value(key)?;
        Some(Entry {
            key: key.get(),
            key_span: place(key.span(), self.span),
            item,
        })
    }

    pub(super) fn entries(&self) -> Vec<Entry<'t>> {
        let keys = self.table.iter().map(|(key, _)| key);
        keys.filter_map(|key| self.get(key)).collect()
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }
}

impl<'t> Entry<'t> {
    pub(super) fn value(&self) -> Option<&'t Value> {
        self.item.as_value()
    }
}

fn place(range: Option<std::ops::Range<usize>>, otherwise: Span) -> Span {
    match range {
        Some(range) => Span::new(otherwise.file(), range.start as u32, range.end as u32),
        None => otherwise,
    }
}

impl<'d> Reader<'d> {
    pub(super) fn new(
        file: FileId,
        text: &'d str,
        findings: &'d mut Vec<Diagnostic>,
    ) -> Reader<'d> {
        Reader {
            file,
            text,
            findings,
            named: Vec::new(),
            model: None,
        }
    }

    pub(super) fn span(&self, entry: &Entry<'_>) -> Span {
        place(entry.item.span(), entry.key_span)
    }

    pub(super) fn span_of(&self, value: &Value, otherwise: Span) -> Span {
        debug_assert_eq!(otherwise.file(), self.file);
        place(value.span(), otherwise)
    }

    pub(super) fn name(&mut self, what: NamedThing, name: &str, span: Span) {
        let name = name.to_owned();
        self.named.push(Named { what, name, span });
    }

    pub(super) fn mistake(&mut self, span: Span, message: impl Into<String>) {
        self.findings
            .push(unusable_binding::at(span, message, "here"));
    }

    /// The value is not what its key asks for.
    pub(super) fn wrong(&mut self, entry: &Entry<'_>, expected: &str) {
        let message = format!("`{}` is not {expected}", entry.key);
        let found = unusable_binding::at(self.span(entry), message, format!("expected {expected}"));
        self.findings.push(found);
    }

    /// Reports keys that mean nothing.
    pub(super) fn known(&mut self, table: &Table<'_>, whose: &str, known: &[&str]) {
        for entry in table.entries() {
            if !known.contains(&entry.key) {
                let found = unusable_binding::unknown_key(whose, entry.key, known, entry.key_span);
                self.findings.push(found);
            }
        }
    }

    pub(super) fn table<'t>(&mut self, entry: &Entry<'t>) -> Option<Table<'t>> {
        let found = entry.item.as_table_like();
        if found.is_none() {
            self.wrong(entry, "a table");
        }
        found.map(|table| Table {
            table,
            span: place(entry.item.span(), entry.key_span),
        })
    }

    /// The tables below a key, by their names.
    pub(super) fn tables<'t>(
        &mut self,
        top: &Table<'t>,
        key: &str,
    ) -> Vec<(String, Entry<'t>, Table<'t>)> {
        let Some(outer) = top.get(key).and_then(|it| self.table(&it)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for entry in outer.entries() {
            if let Some(table) = self.table(&entry) {
                found.push((entry.key.to_owned(), entry, table));
            }
        }
        found
    }

    pub(super) fn text(&mut self, entry: &Entry<'_>) -> Option<String> {
        let text = entry.value().and_then(Value::as_str);
        if text.is_none() {
            self.wrong(entry, "a text");
        }
        text.map(str::to_owned)
    }

    pub(super) fn flag(&mut self, entry: &Entry<'_>) -> Option<bool> {
        let flag = entry.value().and_then(Value::as_bool);
        if flag.is_none() {
            self.wrong(entry, "true or false");
        }
        flag
    }

    /// A value, or each of a list.
    pub(super) fn each<'t>(&self, entry: &Entry<'t>) -> Vec<&'t Value> {
        match entry.value() {
            Some(Value::Array(items)) => items.iter().collect(),
            Some(value) => vec![value],
            None => Vec::new(),
        }
    }

    /// A text or a list of texts.
    pub(super) fn texts(&mut self, entry: &Entry<'_>) -> Vec<String> {
        let values = self.each(entry);
        if entry.value().is_none() || values.iter().any(|it| it.as_str().is_none()) {
            self.wrong(entry, "a text or a list of texts");
            return Vec::new();
        }
        let texts = values.into_iter().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// What each text of a value or list means; those that mean nothing are reported.
    pub(super) fn read_each<T>(
        &mut self,
        entry: &Entry<'_>,
        expected: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let values = self.each(entry);
        if entry.value().is_none() {
            self.wrong(entry, expected);
        }
        let mut found = Vec::new();
        for value in values {
            let at = self.span_of(value, entry.key_span);
            match value.as_str().map(&read) {
                Some(Ok(one)) => found.push(one),
                Some(Err(reason)) => self.mistake(at, reason),
                None => self.wrong(entry, expected),
            }
        }
        found
    }

    /// Two keys may spell one place: `"header.X"` and `"header.x"`.
    pub(super) fn once<T>(&mut self, place: &Place, known: &[(Place, T)], span: Span) {
        if known.iter().any(|(it, _)| it == place) {
            self.mistake(span, format!("`{place}` stands here twice"));
        }
    }

    pub(super) fn places(&mut self, entry: &Entry<'_>) -> Vec<Place> {
        self.read_each(entry, "a place or a list of places", Place::parse)
    }

    pub(super) fn field_places(&mut self, entry: &Entry<'_>) -> Vec<FieldPlace> {
        self.read_each(entry, "a place or a list of places", FieldPlace::parse)
    }

    /// A value without parts.
    pub(super) fn datum(&mut self, value: &Value, span: Span) -> Option<Datum<'static>> {
        let datum = match value {
            Value::String(text) => Some(Datum::Text(text.value().clone().into())),
            Value::Boolean(truth) => Some(Datum::Bool(*truth.value())),
            Value::Integer(number) => Some(Datum::Number(Number::from(*number.value()))),
            // As it is written, so that no digit is lost.
            Value::Float(number) => {
                let written = number.span().and_then(|it| self.text.get(it));
                let text = written.unwrap_or_default().replace('_', "");
                let number = Number::parse(text.trim_start_matches('+'));
                number.ok().map(Datum::Number)
            }
            Value::Datetime(moment) => Some(Datum::Text(moment.value().to_string().into())),
            Value::Array(_) | Value::InlineTable(_) => None,
        };
        if datum.is_none() {
            let message = "this is not a text, a number or a truth value";
            self.mistake(self.span_of(value, span), message);
        }
        datum
    }
}
