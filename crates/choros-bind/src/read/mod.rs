//! Reads a binding, with a place for every mistake.

mod logs;
mod messages;
mod table;

use std::collections::BTreeSet;

use choros_base::{Diagnostic, FileId, Span, has_errors};
use toml_edit::Document;

use crate::diagnostics::unusable_binding;
use crate::place::is_header;
use crate::{ANY_ROLE, Binding, Hiding, Pattern, RoleBinding, is_redaction_rule};

use self::table::{Reader, Table};

/// The keys at the top of a binding.
pub const TOP_KEYS: [&str; 13] = [
    "schema", "model", "draft", "session", "id", "op", "others", "roles", "messages", "ignore",
    "values", "hide", "logs",
];
/// What records are that no message fits: not bound, or what they call themselves.
pub const OTHERS: [&str; 2] = ["not-bound", "by-name"];
/// The keys of `[roles.NAME]`.
pub const ROLE_KEYS: [&str; 4] = ["address", "listen", "names", "headers"];
/// The keys of `[hide]`.
pub const HIDE_KEYS: [&str; 3] = ["secret", "noise", "keep-known-secrets"];
pub use logs::LOG_KEYS;
pub use messages::{IGNORE_KEYS, MESSAGE_KEYS, VALUE_KEYS};

/// The version of the format.
const SCHEMA: i64 = 1;

/// A binding, and where it names things of its model.
#[derive(Debug, Clone)]
pub struct BindingFile {
    pub binding: Binding,
    pub(crate) named: Vec<Named>,
    /// Where the model is named, or the beginning of the file.
    pub(crate) model: Span,
}

/// A name of the model in a binding.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) what: NamedThing,
    pub(crate) name: String,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NamedThing {
    Role,
    Message,
    /// A field of this message, or of any.
    Field(Option<String>),
}

impl BindingFile {
    /// Reads the text; nothing where it has mistakes, which are among the findings, all of them.
    pub fn read(file: FileId, text: &str, findings: &mut Vec<Diagnostic>) -> Option<BindingFile> {
        let whole = Span::new(file, 0, 0);
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or(whole, |it| {
                    Span::new(file, it.start as u32, it.end.max(it.start) as u32)
                });
                let message = format!("the binding is not TOML: {}", error.message());
                findings.push(unusable_binding::at(at, message, "here"));
                return None;
            }
        };
        let mut found = Vec::new();
        let mut reader = Reader::new(file, text, &mut found);
        let binding = reader.binding(&Table::new(document.as_table(), whole));
        let (named, model) = (reader.named, reader.model);
        let is_sound = !has_errors(&found);
        findings.extend(found);
        is_sound.then(|| BindingFile {
            binding,
            named,
            model: model.unwrap_or(whole),
        })
    }
}

impl Reader<'_> {
    fn binding(&mut self, top: &Table<'_>) -> Binding {
        self.known(top, "the binding", &TOP_KEYS);
        let mut binding = Binding::default();
        if let Some(entry) = top.get("schema")
            && entry.value().and_then(toml_edit::Value::as_integer) != Some(SCHEMA)
        {
            self.wrong(&entry, &format!("{SCHEMA}, the only version there is"));
        }
        if let Some(entry) = top.get("model") {
            binding.model = self.text(&entry);
            self.model = Some(self.span(&entry));
        }
        if let Some(entry) = top.get("draft") {
            binding.draft = self.flag(&entry).unwrap_or_default();
        }
        binding.session = self.places_at(top, "session");
        binding.id = self.places_at(top, "id");
        binding.op = self.places_at(top, "op");
        if let Some(entry) = top.get("others") {
            let word = entry.value().and_then(toml_edit::Value::as_str);
            binding.others_by_name = word == Some(OTHERS[1]);
            if !word.is_some_and(|it| OTHERS.contains(&it)) {
                self.wrong(&entry, &format!("one of {}", OTHERS.join(", ")));
            }
        }
        for (name, entry, table) in self.tables(top, "roles") {
            if name != ANY_ROLE {
                self.name(NamedThing::Role, &name, entry.key_span);
            }
            binding.roles.push(self.role(name, &table));
        }
        for (name, entry, table) in self.tables(top, "messages") {
            self.name(NamedThing::Message, &name, entry.key_span);
            let message = self.message(name, &table);
            binding.messages.push(message);
        }
        let messages = binding.messages.iter().map(|it| it.name.clone());
        let messages: BTreeSet<String> = messages.collect();
        for (name, entry, table) in self.tables(top, "ignore") {
            if messages.contains(&name) {
                let message = format!("`{name}` is a message, so it is not ignored");
                self.mistake(entry.key_span, message);
            }
            let ignored = self.ignored(name, &table);
            binding.ignored.push(ignored);
        }
        self.check_responses(top, &binding);
        if let Some(entry) = top.get("values")
            && let Some(table) = self.table(&entry)
        {
            binding.values = self.values(&table, None);
        }
        if let Some(entry) = top.get("hide")
            && let Some(table) = self.table(&entry)
        {
            binding.hide = self.hiding(&table);
        }
        if let Some(entry) = top.get("logs") {
            binding.logs = self.logs(&entry);
        }
        binding
    }

    /// `session = ["body.id"]`, or `[session]` with `at`.
    fn places_at(&mut self, top: &Table<'_>, key: &'static str) -> Vec<crate::Place> {
        let Some(entry) = top.get(key) else {
            return Vec::new();
        };
        if entry.value().is_some_and(|it| !it.is_inline_table()) {
            return self.places(&entry);
        }
        let Some(table) = self.table(&entry) else {
            return Vec::new();
        };
        self.known(&table, &format!("[{key}]"), &["at"]);
        let Some(entry) = table.get("at") else {
            return Vec::new();
        };
        self.places(&entry)
    }

    fn role(&mut self, name: String, table: &Table<'_>) -> RoleBinding {
        self.known(table, &format!("[roles.{name}]"), &ROLE_KEYS);
        let mut role = RoleBinding {
            name,
            ..RoleBinding::default()
        };
        if let Some(entry) = table.get("address") {
            role.address = self.text(&entry);
            if let Some(address) = &role.address
                && !(address.starts_with("http://") || address.starts_with("https://"))
            {
                self.wrong(&entry, "an address such as \"http://127.0.0.1:8080\"");
            }
        }
        if let Some(entry) = table.get("listen") {
            role.listen = self.text(&entry);
        }
        if let Some(entry) = table.get("names") {
            role.names = self.texts(&entry).into_iter().map(Pattern::new).collect();
        }
        if let Some(entry) = table.get("headers")
            && let Some(headers) = self.table(&entry)
        {
            for header in headers.entries() {
                let Some(text) = self.text(&header) else {
                    continue;
                };
                if !is_header(header.key) {
                    let message = format!("`{}` is not a valid header name", header.key);
                    self.mistake(header.key_span, message);
                } else if text.chars().any(char::is_control) {
                    self.wrong(&header, "a text without control characters");
                } else {
                    role.headers.push((header.key.to_owned(), text));
                }
            }
        }
        role
    }

    fn hiding(&mut self, table: &Table<'_>) -> Hiding {
        self.known(table, "[hide]", &HIDE_KEYS);
        let mut hiding = Hiding::default();
        if let Some(entry) = table.get("secret") {
            hiding.secret = self.texts(&entry);
            for rule in &hiding.secret {
                if !is_redaction_rule(rule) {
                    let message = format!(
                        "`{rule}` is not a rule of redaction such as `card` or `*.password`"
                    );
                    self.mistake(self.span(&entry), message);
                }
            }
        }
        if let Some(entry) = table.get("noise") {
            hiding.noise = self.places(&entry);
        }
        if let Some(entry) = table.get("keep-known-secrets") {
            hiding.keep_known_secrets = self.flag(&entry).unwrap_or_default();
        }
        hiding
    }

    /// A response answers messages that are requests.
    fn check_responses(&mut self, top: &Table<'_>, binding: &Binding) {
        let all = binding.messages.iter().chain(&binding.ignored);
        let known: BTreeSet<&str> = all.map(|it| it.name.as_str()).collect();
        let tables = self.tables(top, "messages");
        // Both are in the order of the text.
        for ((_, _, table), message) in tables.into_iter().zip(&binding.messages) {
            let Some(entry) = table.get("response") else {
                continue;
            };
            for call in &message.response {
                if !known.contains(call.as_str()) {
                    self.name(NamedThing::Message, call, self.span(&entry));
                }
            }
        }
    }
}
