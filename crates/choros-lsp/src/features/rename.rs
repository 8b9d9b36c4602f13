//! Another name for something, wherever it stands, if that changes no meaning.
//!
//! A language's symbols say which places mean the same.
//! The new texts are read, and the renaming is refused unless
//!
//! - reading finds in them what it found before, place by place,
//! - the world calls everything as before, and
//! - the same places mean the same as before: no two names have become one, none has become two, and none is something
//!   else now.
//!
//! So a name that is taken, a keyword, or one that a binder in between would catch is refused, and we need not know
//! the rules of each language for that.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use choros::Request;
use choros::base::Diagnostic;
use choros::model::symbols::{Occurrence, Shorthand, Symbol, SymbolKind};
use serde_json::{Value, json};

use super::About;
use super::neighbours::{is_same, neighbours};
use crate::documents::Reading;
use crate::position::Lines;

/// The name at a position, if it can have another.
pub(crate) fn prepare(about: About<'_>, offset: usize) -> Value {
    let reading = about.documents.reading(about.document);
    match reading.symbols.at(offset) {
        Some((symbol, place)) => json!({
            "range": about.span(place.span),
            "placeholder": symbol.name,
        }),
        None => Value::Null,
    }
}

/// The edits that give the name at a position another, or why there are none.
pub(crate) fn rename(about: About<'_>, offset: usize, new: &str) -> Result<Value, String> {
    let own = about.documents.reading(about.document);
    let Some((symbol, _)) = own.symbols.at(offset) else {
        return Err("there is no name here to rename".to_owned());
    };
    if symbol.name == new {
        return Ok(json!({"changes": {}}));
    }
    let nothing = Symbol {
        places: Vec::new(),
        ..symbol.clone()
    };
    let snapshot = about.documents.snapshot();
    let mut changed = vec![Changed::new(
        about.document.request(None),
        about.document.text.clone(),
        own,
        symbol,
        new,
    )];
    let beside = neighbours(about);
    for neighbour in &beside {
        let Some(text) = snapshot.text(&neighbour.path) else {
            continue;
        };
        let request = Request::file(&neighbour.path);
        let mut symbols = neighbour.reading.symbols.symbols.iter();
        // A file that says nothing of the name may still rest on it.
        let other = symbols.find(|it| is_same(symbol, it)).unwrap_or(&nothing);
        changed.push(Changed::new(request, text, &neighbour.reading, other, new));
    }
    let mut after = snapshot.clone();
    for file in &changed {
        after = after.but(&file.request.path, &file.after());
    }
    let mut changes = serde_json::Map::new();
    for file in &changed {
        file.keeps_meaning(&after.read(&file.request))?;
        if file.edits.is_empty() {
            continue;
        }
        let uri = about.documents.uri(&file.request.path);
        changes.insert(uri, file.to_json(about));
    }
    Ok(json!({"changes": changes}))
}

/// A file and what changes in it.
struct Changed<'a> {
    request: Request,
    before: Arc<str>,
    reading: &'a Reading,
    symbol: &'a Symbol,
    new: &'a str,
    /// In the order of the text; an insertion before a replacement at the same byte.
    edits: Vec<Edit>,
}

struct Edit {
    range: Range<usize>,
    text: String,
}

/// What a name is, and where it stands.
type Meaning = (SymbolKind, String, String, BTreeSet<(usize, usize)>);

impl<'a> Changed<'a> {
    fn new(
        request: Request,
        before: Arc<str>,
        reading: &'a Reading,
        symbol: &'a Symbol,
        new: &'a str,
    ) -> Self {
        let mut edits = Vec::new();
        for place in &symbol.places {
            match place.shorthand {
                Shorthand::NamedByVariable(field) => {
                    let at = field.range().start;
                    edits.push(Edit {
                        range: at..at,
                        text: format!("{new} = "),
                    });
                    continue;
                }
                Shorthand::NamesField(field) => {
                    let at = field.range().start;
                    edits.push(Edit {
                        range: at..at,
                        text: format!("{} = ", symbol.name),
                    });
                }
                Shorthand::None => {}
            }
            let range = place.span.range();
            // What is in quotes stays in quotes.
            let is_quoted = before
                .get(range.clone())
                .is_some_and(|it| it.starts_with('"'));
            let text = if is_quoted {
                choros::syntax::quote::json(new)
            } else {
                new.to_owned()
            };
            edits.push(Edit { range, text });
        }
        edits.sort_by_key(|it| (it.range.start, it.range.end));
        Changed {
            request,
            before,
            reading,
            symbol,
            new,
            edits,
        }
    }

    fn after(&self) -> String {
        let mut text = String::with_capacity(self.before.len());
        let mut at = 0;
        for edit in &self.edits {
            text.push_str(&self.before[at..edit.range.start]);
            text.push_str(&edit.text);
            at = edit.range.end;
        }
        text.push_str(&self.before[at..]);
        text
    }

    /// Where a byte is afterwards: after what was inserted before it.
    fn moved(&self, offset: usize) -> usize {
        let mut moved = offset;
        for edit in &self.edits {
            let is_before =
                edit.range.end <= offset && (edit.range.start < offset || edit.range.is_empty());
            if is_before {
                moved = moved + edit.text.len() - edit.range.len();
            }
        }
        moved
    }

    /// Where a place of a name is afterwards.
    fn place(&self, place: &Occurrence) -> (usize, usize) {
        let range = place.span.range();
        if let Shorthand::NamedByVariable(field) = place.shorthand {
            // The field gets its name written before it, the new one or the one that it had.
            let named = |it: &Edit| it.range.is_empty() && it.range.start == field.range().start;
            if let Some(edit) = self.edits.iter().find(|it| named(it)) {
                let end = self.moved(field.range().start);
                let start = end - edit.text.len();
                return (start, end - " = ".len());
            }
        }
        let start = self.moved(range.start);
        let replaced = self.edits.iter().find(|it| it.range == range);
        let length = replaced.map_or(range.len(), |it| it.text.len());
        (start, start + length)
    }

    fn keeps_meaning(&self, after: &Reading) -> Result<(), String> {
        let kinds = |reading: &Reading, place: &dyn Fn(usize) -> usize| {
            let mut found: BTreeMap<(&str, usize), usize> = BTreeMap::new();
            // What is wrong with another file is said there.
            let is_own = |it: &&Diagnostic| {
                let file = it.primary().map(|it| reading.sources.file(it.file()));
                file.is_some_and(|it| it.name() == self.request.path)
            };
            for finding in reading.findings.iter().filter(is_own) {
                let at = finding.primary().map_or(0, |it| it.range().start);
                *found.entry((finding.code.code, place(at))).or_default() += 1;
            }
            found
        };
        let before = kinds(self.reading, &|at| self.moved(at));
        let now = kinds(after, &|at| at);
        let (old, new, path) = (&self.symbol.name, self.new, &self.request.path);
        for (&(code, at), count) in &now {
            if before.get(&(code, at)) != Some(count) {
                let fresh = after.findings.iter().find(|it| {
                    it.code.code == code && it.primary().is_some_and(|it| it.range().start == at)
                });
                let said = fresh.map_or("it is wrong there", |it| it.message.as_str());
                return Err(format!(
                    "`{old}` cannot be called `{new}` in {path}: {said} ({code})"
                ));
            }
        }
        let outside = |reading: &Reading| reading.symbols.outside.clone();
        for (before, now) in outside(self.reading).iter().zip(&outside(after)) {
            if before.name != now.name {
                return Err(format!(
                    "`{old}` cannot be called `{new}`: by {path}, services know it as `{}`; {}",
                    before.name, before.advice
                ));
            }
        }
        if before.len() != now.len() || self.expected() != meanings(after) {
            return Err(format!(
                "`{old}` cannot be called `{new}` in {path}: it would mean something else"
            ));
        }
        Ok(())
    }

    /// What every name should be afterwards.
    fn expected(&self) -> BTreeSet<Meaning> {
        let symbols = self.reading.symbols.symbols.iter();
        symbols
            .map(|symbol| {
                let is_renamed = symbol == self.symbol;
                let is_owned = self.symbol.kind == SymbolKind::Message
                    && symbol.owner == self.symbol.name
                    && !symbol.owner.is_empty();
                let name = if is_renamed { self.new } else { &symbol.name };
                let owner = if is_owned { self.new } else { &symbol.owner };
                let places = symbol.places.iter().map(|it| self.place(it));
                let (name, owner) = (name.to_owned(), owner.to_owned());
                (symbol.kind, owner, name, places.collect())
            })
            .collect()
    }

    fn to_json(&self, about: About<'_>) -> Value {
        let lines = Lines::of(&self.before);
        // An insertion and a replacement at one byte are one edit for editors that mind.
        let mut joined: Vec<(Range<usize>, String)> = Vec::new();
        for edit in &self.edits {
            match joined.last_mut() {
                Some((range, text))
                    if range.end == edit.range.start && range.start == range.end =>
                {
                    range.end = edit.range.end;
                    text.push_str(&edit.text);
                }
                _ => joined.push((edit.range.clone(), edit.text.clone())),
            }
        }
        let edits = joined.into_iter().map(|(range, text)| {
            json!({
                "range": lines.range(&self.before, range, about.encoding),
                "newText": text,
            })
        });
        Value::Array(edits.collect())
    }
}

/// What every name is.
fn meanings(reading: &Reading) -> BTreeSet<Meaning> {
    let symbols = reading.symbols.symbols.iter();
    symbols
        .map(|symbol| {
            let places = symbol.places.iter().map(|place| {
                let range = place.span.range();
                (range.start, range.end)
            });
            let (owner, name) = (symbol.owner.clone(), symbol.name.clone());
            (symbol.kind, owner, name, places.collect())
        })
        .collect()
}
