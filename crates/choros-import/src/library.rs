//! Descriptions, the files they refer to, and their values by place.

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, SourceError, Span};

use crate::diagnostics::{broken_reference, not_a_description, unreadable_description};
use crate::document::{Document, NodeId, Unreadable, Value};
use crate::{json, yaml};

/// How a description asks for another file, by its path.
pub type OpenFile<'a> = dyn FnMut(&str) -> Result<(FileId, Arc<str>), SourceError> + 'a;

/// How many references lead from one to the next.
const LONGEST_CHAIN: usize = 32;

/// A text that is longer is not read.
const LONGEST_TEXT: usize = 64 << 20;

/// How many other files a description can refer to.
const MOST_FILES: usize = 500;

/// A value in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    file: u32,
    node: NodeId,
}

/// Files that were read, each once.
pub(crate) struct Library<'a> {
    open: &'a mut OpenFile<'a>,
    /// Path and content; none if it could not be read, which was reported.
    files: Vec<(String, Option<Document>)>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl<'a> Library<'a> {
    pub(crate) fn new(open: &'a mut OpenFile<'a>) -> Library<'a> {
        Library {
            open,
            files: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The root of a description that was opened already.
    pub(crate) fn add(&mut self, path: &str, file: FileId, text: &str) -> Option<At> {
        let document = self.read(path, file, text);
        if document.is_none() && !names_a_version(text) {
            self.findings.pop();
            self.findings.push(not_a_description::diagnostic(file));
        }
        self.files.push((path.to_owned(), document));
        self.root(self.files.len() - 1)
    }

    fn read(&mut self, path: &str, file: FileId, text: &str) -> Option<Document> {
        if text.len() > LONGEST_TEXT {
            let reason = format!("it is longer than {} MB", LONGEST_TEXT >> 20);
            let span = Span::new(file, 0, 0);
            self.findings
                .push(unreadable_description::diagnostic(span, &reason));
            return None;
        }
        let read = read_document(file, path, text);
        read.map_err(|it| {
            let finding = unreadable_description::diagnostic(it.span, &it.reason);
            self.findings.push(finding);
        })
        .ok()
    }

    fn root(&self, file: usize) -> Option<At> {
        let document = self.files[file].1.as_ref()?;
        Some(At {
            file: file as u32,
            node: document.root(),
        })
    }

    fn value(&self, at: At) -> &Value {
        match &self.files[at.file as usize].1 {
            Some(document) => &document.node(at.node).value,
            None => &Value::Null,
        }
    }

    pub(crate) fn span(&self, at: At) -> Option<Span> {
        let document = self.files[at.file as usize].1.as_ref()?;
        Some(document.node(at.node).span)
    }

    /// What a mapping has under a key, as it is written.
    pub(crate) fn raw(&self, at: At, key: &str) -> Option<At> {
        let Value::Map(entries) = self.value(at) else {
            return None;
        };
        let (_, node) = entries.iter().find(|(it, _)| it == key)?;
        Some(At { node: *node, ..at })
    }

    /// What a mapping has under a key, references followed.
    pub(crate) fn get(&mut self, at: At, key: &str) -> Option<At> {
        let found = self.raw(at, key)?;
        self.follow(found)
    }

    /// The keys and values of a mapping, as they are written.
    pub(crate) fn entries(&self, at: At) -> Vec<(String, At)> {
        match self.value(at) {
            Value::Map(entries) => entries
                .iter()
                .map(|(key, node)| (key.clone(), At { node: *node, ..at }))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The items of a list, as they are written.
    pub(crate) fn items(&self, at: At) -> Vec<At> {
        match self.value(at) {
            Value::List(items) => items.iter().map(|&node| At { node, ..at }).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn is_map(&self, at: At) -> bool {
        matches!(self.value(at), Value::Map(_))
    }

    pub(crate) fn is_list(&self, at: At) -> bool {
        matches!(self.value(at), Value::List(_))
    }

    pub(crate) fn text(&self, at: At) -> Option<&str> {
        match self.value(at) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn number(&self, at: At) -> Option<&str> {
        match self.value(at) {
            Value::Number(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn truth(&self, at: At) -> Option<bool> {
        match self.value(at) {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    pub(crate) fn text_at(&self, at: At, key: &str) -> Option<String> {
        let found = self.raw(at, key)?;
        self.text(found).map(str::to_owned)
    }

    pub(crate) fn is_true(&self, at: At, key: &str) -> bool {
        self.raw(at, key).and_then(|it| self.truth(it)) == Some(true)
    }

    /// The value itself, or what its `$ref` leads to; a reference that leads nowhere is reported.
    pub(crate) fn follow(&mut self, at: At) -> Option<At> {
        let mut here = at;
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = self.raw(here, "$ref") else {
                return Some(here);
            };
            let text = self.text(reference)?.to_owned();
            match self.target(reference, &text) {
                Ok(next) => here = next,
                Err(reason) => {
                    self.report(reference, &text, &reason);
                    return None;
                }
            }
        }
        let text = self.text_at(at, "$ref").unwrap_or_default();
        self.report(at, &text, "it leads back to itself");
        None
    }

    fn report(&mut self, at: At, text: &str, reason: &str) {
        let Some(span) = self.span(at) else {
            return;
        };
        let finding = broken_reference::diagnostic(span, text, reason);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Where a reference leads: `#/components/schemas/Order`, `common.yaml#/Money`.
    fn target(&mut self, from: At, reference: &str) -> Result<At, String> {
        let (path, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if path.is_empty() {
            from.file as usize
        } else {
            self.neighbour(from, path)?
        };
        let root = self.root(file).ok_or("that file could not be read")?;
        self.point(root, pointer)
    }

    /// A file that another names, relative to its folder.
    fn neighbour(&mut self, from: At, path: &str) -> Result<usize, String> {
        if path.contains("://") {
            return Err("only files next to the description are read, and no addresses".to_owned());
        }
        let base = &self.files[from.file as usize].0;
        let path = joined(base, path);
        if let Some(known) = self.files.iter().position(|(it, _)| *it == path) {
            return Ok(known);
        }
        if self.files.len() >= MOST_FILES {
            return Err(format!(
                "the description refers to more than {MOST_FILES} files"
            ));
        }
        let (file, text) = (self.open)(&path).map_err(|error| error.to_string())?;
        self.add(&path, file, &text);
        Ok(self.files.len() - 1)
    }

    /// What a JSON pointer names below a value.
    pub(crate) fn point(&self, root: At, pointer: &str) -> Result<At, String> {
        let mut here = root;
        for part in pointer.split('/').skip(1) {
            let part = unescaped(part);
            let below = match self.value(here) {
                Value::List(items) => {
                    let item = part.parse().ok().and_then(|it: usize| items.get(it));
                    item.map(|&node| At { node, ..here })
                }
                _ => self.raw(here, &part),
            };
            here = below.ok_or_else(|| format!("there is no `{part}`"))?;
        }
        Ok(here)
    }
}

/// Reads a text as JSON if its file is called so or if it begins like JSON, and as YAML otherwise.
fn read_document(file: FileId, path: &str, text: &str) -> Result<Document, Unreadable> {
    if path.ends_with(".json") {
        return json::read(file, text);
    }
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with('{')
        && let Ok(document) = json::read(file, text)
    {
        return Ok(document);
    }
    yaml::read(file, text)
}

/// A part of a pointer as it is written in an address.
fn unescaped(part: &str) -> String {
    let given = part.as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(&byte) = given.get(at) {
        let digits = part.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
        bytes.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    let text = String::from_utf8_lossy(&bytes);
    text.replace("~1", "/").replace("~0", "~")
}

/// A path relative to the folder of another file, without `.` and without `..` where possible.
fn joined(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = match (path.starts_with('/'), base.rsplit_once('/')) {
        (false, Some((folder, _))) => folder.split('/').collect(),
        _ => Vec::new(),
    };
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|it| !matches!(*it, "" | "..")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
/// Whether a line of a text says that it is a description.
fn names_a_version(text: &str) -> bool {
    text.lines().any(|line| {
        let word =
            line.trim_start_matches(|it: char| it.is_whitespace() || "{\"'\u{feff}".contains(it));
        word.starts_with("openapi") || word.starts_with("swagger")
    })
}
