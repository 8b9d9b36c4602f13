//! The names in a binding.

use std::collections::BTreeSet;
use std::ops::Range;

use choros_base::{FileId, Span};
use choros_model::symbols::{Section, SymbolKind, Symbols};

use super::keys::{Entry, What, entries};
use super::outside::outside;
use crate::{ANY_ROLE, Binding, Vocabulary};

/// The model that a text names.
pub fn named_model(text: &str) -> Option<String> {
    entries(text).into_iter().find_map(|entry| {
        let is_model = entry.keys() == ["model"];
        match entry.what {
            What::Value(word) if is_model => Some(word.text),
            _ => None,
        }
    })
}

/// The names in a text; what it was read as and the words of its model, where they are known, say more about them.
pub fn symbols(
    file: FileId,
    text: &str,
    binding: Option<&Binding>,
    vocabulary: Option<&Vocabulary>,
) -> Symbols {
    let entries = entries(text);
    let ignored = entries.iter().filter_map(|entry| match entry.keys()[..] {
        ["ignore", name, ..] => Some(name.to_owned()),
        _ => None,
    });
    let mut walk = Walk {
        file,
        vocabulary,
        ignored: ignored.collect(),
        found: Symbols::default(),
    };
    for entry in &entries {
        walk.entry(entry);
    }
    let mut found = walk.found;
    for message in binding.map_or(&[][..], |it| &it.messages) {
        if let Some(request) = &message.request {
            let symbol = found.symbol(SymbolKind::Message, &message.name, None);
            symbol.fact(format!("request {request}"));
        }
        let answers = message.answers.iter().map(ToString::to_string);
        for call in message.response.iter().cloned().chain(answers) {
            let symbol = found.symbol(SymbolKind::Message, &message.name, None);
            let statuses: Vec<String> = message.status.iter().map(ToString::to_string).collect();
            symbol.fact(format!("response to {call} {}", statuses.join(", ")).trim_end());
        }
    }
    if let (Some(binding), Some(vocabulary)) = (binding, vocabulary) {
        found.outside = outside(binding, vocabulary);
    }
    found.in_order()
}

struct Walk<'v> {
    file: FileId,
    vocabulary: Option<&'v Vocabulary>,
    /// Names of what is not a message.
    ignored: BTreeSet<String>,
    found: Symbols,
}

impl Walk<'_> {
    fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    fn entry(&mut self, entry: &Entry) {
        if let What::Header(range) = &entry.what {
            self.section(entry, range);
        }
        let keys = entry.keys();
        let place = |number: usize| self.span(&entry.path[number].range);
        // The keys of a header come again with each key below it; a place counts once.
        match &keys[..] {
            ["roles", role, ..] if *role != ANY_ROLE => {
                let span = place(1);
                self.used(SymbolKind::Role, role, span);
            }
            ["messages", message, "fields" | "values", name, ..] => {
                let (own, span) = (place(1), place(3));
                self.used(SymbolKind::Message, message, own);
                self.field(message, name, span);
            }
            ["messages", message, ..] => {
                let span = place(1);
                self.used(SymbolKind::Message, message, span);
            }
            ["values", name, ..] => {
                let span = place(1);
                self.any_field(name, span);
            }
            _ => {}
        }
        if let What::Value(word) = &entry.what {
            let span = self.span(&word.range);
            match &keys[..] {
                ["messages", _, "from" | "to"] => self.used(SymbolKind::Role, &word.text, span),
                // The name of a request, or a pattern of requests.
                ["messages" | "ignore", _, "response"]
                    if !word.text.contains('/') && !self.ignored.contains(&word.text) =>
                {
                    self.used(SymbolKind::Message, &word.text, span);
                }
                _ => {}
            }
        }
    }

    fn used(&mut self, kind: SymbolKind, name: &str, span: Span) {
        self.found.symbol(kind, name, None).used(span);
    }

    /// A part of a field may be placed alone: `price.amount`.
    fn field(&mut self, message: &str, name: &str, span: Span) {
        let whole = whole(name);
        let range = span.range();
        let end = range.start + whole.len();
        let span = self.span(&(range.start..end.min(range.end)));
        self.found.field(message, whole).used(span);
    }

    /// Of every message that has it: another name for one of them is another for all.
    fn any_field(&mut self, name: &str, span: Span) {
        let whole = whole(name).to_owned();
        let known = self.vocabulary.map_or(&[][..], |it| &it.messages);
        let has = |fields: &[Option<String>]| fields.iter().flatten().any(|it| *it == whole);
        let owners: Vec<&str> = known
            .iter()
            .filter(|it| has(&it.fields))
            .map(|it| it.name.as_str())
            .collect();
        for owner in owners {
            self.field(owner, &whole, span);
        }
    }

    fn section(&mut self, entry: &Entry, range: &Range<usize>) {
        let (kind, word) = match entry.keys()[..] {
            ["roles", _] => (SymbolKind::Role, "role"),
            ["messages", _] => (SymbolKind::Message, "message"),
            _ => return,
        };
        let name = &entry.path[1];
        self.found.sections.push(Section {
            kind,
            name: name.text.clone(),
            word,
            span: self.span(range),
            name_span: self.span(&name.range),
            is_model: false,
        });
    }
}

fn whole(name: &str) -> &str {
    name.split(['.', '/']).next().unwrap_or(name)
}
