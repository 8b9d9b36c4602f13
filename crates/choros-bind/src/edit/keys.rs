//! The keys and values of a TOML text, each with its place.

use std::ops::Range;

use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

/// Nothing that a binding has is nested deeper.
const MAX_DEPTH: u32 = 80;

/// A key or a text, and where it is, without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// A header, a key or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The keys from the outside in; of a header, the whole of it.
    pub(super) path: Vec<Word>,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// `[a.b]` or `[[a]]`, from here to the next one.
    Header(Range<usize>),
    /// The keys before `=`.
    Key,
    /// A text, a number or a truth value.
    Value(Word),
}

impl Entry {
    /// The texts of its keys.
    pub(super) fn keys(&self) -> Vec<&str> {
        self.path.iter().map(|it| it.text.as_str()).collect()
    }
}

/// The entries of a text in its order, as far as it is TOML.
pub(super) fn entries(text: &str) -> Vec<Entry> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::new();
    let mut guard = RecursionGuard::new(&mut events, MAX_DEPTH);
    parse_document(&tokens, &mut guard, &mut ());
    let mut walk = Walk::default();
    for event in &events {
        walk.event(event, &source);
    }
    walk.close(text.len());
    walk.found
}

#[derive(Default)]
struct Walk {
    header: Vec<Word>,
    /// Where the header begins, and its number among the entries.
    opened: usize,
    last_header: Option<usize>,
    /// The keys of the values that are being read, from the outside in.
    keys: Vec<Vec<Word>>,
    /// Keys of which it is not known yet what follows.
    waiting: Vec<Word>,
    /// The brackets that are open: whether each is a list.
    open: Vec<bool>,
    found: Vec<Entry>,
}

impl Walk {
    fn event(&mut self, event: &Event, source: &Source<'_>) {
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.keys.clear();
                self.waiting.clear();
                self.open.clear();
                self.close(event.span().start());
                self.opened = event.span().start();
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.header = std::mem::take(&mut self.waiting);
                self.last_header = Some(self.found.len());
                self.found.push(Entry {
                    path: self.header.clone(),
                    what: What::Header(self.opened..event.span().end()),
                });
            }
            EventKind::SimpleKey => {
                if self.open.is_empty() {
                    // A value that never came is not waited for.
                    self.keys.clear();
                }
                self.waiting.extend(word(event, source, true));
            }
            EventKind::KeyValSep => {
                self.keys.push(std::mem::take(&mut self.waiting));
                self.push(What::Key);
            }
            EventKind::Scalar => {
                if let Some(word) = word(event, source, false) {
                    self.push(What::Value(word));
                }
                self.value_ends();
            }
            EventKind::ArrayOpen => self.open.push(true),
            EventKind::InlineTableOpen => self.open.push(false),
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                self.waiting.clear();
                self.open.pop();
                self.value_ends();
            }
            _ => {}
        }
    }

    fn push(&mut self, what: What) {
        let inside = self.keys.iter().flatten();
        let path = self.header.iter().chain(inside).cloned().collect();
        self.found.push(Entry { path, what });
    }

    /// A value in a list is a part of one.
    fn value_ends(&mut self) {
        if self.open.last() != Some(&true) {
            self.keys.pop();
        }
    }

    /// The last header reaches to here.
    fn close(&mut self, at: usize) {
        if let Some(last) = self.last_header
            && let What::Header(range) = &mut self.found[last].what
        {
            range.end = at;
        }
    }
}

fn word(event: &Event, source: &Source<'_>, is_key: bool) -> Option<Word> {
    let raw = source.get(event)?;
    let mut text = String::new();
    if is_key {
        raw.decode_key(&mut text, &mut ());
    } else {
        let _ = raw.decode_scalar(&mut text, &mut ());
    }
    let span = event.span();
    let written = raw.as_str();
    // The quotes do not belong to the name.
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| {
        let inside = written.strip_prefix(quote);
        inside.is_some_and(|it| it.ends_with(quote))
    });
    let length = quote.map_or(0, str::len);
    Some(Word {
        text,
        range: span.start() + length..span.end() - length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let entries = entries(text).into_iter();
        entries
            .map(|entry| {
                for word in &entry.path {
                    assert_eq!(text[word.range.clone()], word.text);
                }
                let path = entry.keys().join(".");
                match entry.what {
                    What::Header(range) => format!("[{path}] {}", range.len()),
                    What::Key => path,
                    What::Value(word) => format!("{path} = {}", word.text),
                }
            })
            .collect()
    }

    #[test]
    fn keys_and_values_have_their_places() {
        let text =
            "a = 1\n[b.\"c d\"]\ne = [\"f\", 'g']\nh = { i = \"j\", k.l = 2 }\n[[m]]\nn = 3\n";
        assert_eq!(
            shown(text),
            [
                "a",
                "a = 1",
                "[b.c d] 50",
                "b.c d.e",
                "b.c d.e = f",
                "b.c d.e = g",
                "b.c d.h",
                "b.c d.h.i",
                "b.c d.h.i = j",
                "b.c d.h.k.l",
                "b.c d.h.k.l = 2",
                "[m] 12",
                "m.n",
                "m.n = 3",
            ]
        );
    }

    #[test]
    fn what_is_broken_does_not_hide_the_rest() {
        let found = shown("[messages.Ask\nrequest = \n[messages.Tell]\nstatus = 200\n");
        assert!(
            found.contains(&"messages.Tell.status = 200".to_owned()),
            "{found:?}"
        );
    }

    #[test]
    fn deep_brackets_do_not_overflow() {
        let deep = format!("a = {}", "[".repeat(200_000));
        assert!(shown(&deep).len() < 3);
    }
}
