//! The buffers of an editor.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use choros::base::{Diagnostic, SourceError, SourceMap, Sources};
use choros::model::symbols::Symbols;
use choros::{Disk, FileKind, Request, Settings, Workspace, inspect};
use serde_json::Value;

use crate::answer::VerbAnswer;
use crate::position::{Encoding, Lines};
use crate::uri::{path_of, uri_of};

/// A buffer.
#[derive(Debug)]
pub(crate) struct Document {
    /// How the client calls it.
    pub(crate) uri: String,
    pub(crate) path: String,
    /// Its language, where the path does not say it.
    kind: Option<FileKind>,
    pub(crate) version: i64,
    /// No text had this number before, whatever versions the client tells.
    pub(crate) generation: u64,
    generations: Arc<AtomicU64>,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Lines,
    /// What reading shows; computed when someone asks, thrown away by the next edit.
    reading: OnceCell<Reading>,
    /// What only `check` found.
    pub(crate) checked: Option<Arc<VerbAnswer>>,
    /// What verbs answered about this very text.
    pub(crate) answers: BTreeMap<String, Arc<VerbAnswer>>,
}

/// What reading a text shows.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) symbols: Symbols,
    pub(crate) sources: SourceMap,
}

/// All buffers.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<String, Document>,
    generations: Arc<AtomicU64>,
    /// The folders that the editor works in.
    pub(crate) roots: Vec<PathBuf>,
}

/// The buffers as they are now, and files where there is no buffer.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    texts: Arc<BTreeMap<String, Arc<str>>>,
    folders: Arc<Vec<PathBuf>>,
}

/// Where texts come from while one question is answered.
struct Buffers {
    texts: Arc<BTreeMap<String, Arc<str>>>,
    disk: Disk,
}

impl Sources for Buffers {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.disk.read(path),
        }
    }

    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.disk.read_reference(path),
        }
    }
}

impl Snapshot {
    /// Where texts come from, given more folders that models may refer to.
    pub(crate) fn sources(&self, more: Vec<PathBuf>) -> Box<dyn Sources> {
        let mut folders = self.folders.to_vec();
        folders.extend(more);
        Box::new(Buffers {
            texts: self.texts.clone(),
            disk: Disk::new(folders),
        })
    }

    /// Works on these texts.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Workspace<'_>) -> T) -> T {
        work(&mut Workspace::new(&*self.sources(Vec::new())))
    }

    /// The same texts but for one.
    pub(crate) fn but(&self, path: &str, text: &str) -> Snapshot {
        let mut texts = BTreeMap::clone(&self.texts);
        texts.insert(path.to_owned(), text.into());
        Snapshot {
            texts: Arc::new(texts),
            folders: self.folders.clone(),
        }
    }

    /// The text of a file, if there is one.
    pub(crate) fn text(&self, path: &str) -> Option<Arc<str>> {
        let buffer = self.texts.get(path).cloned();
        buffer.or_else(|| std::fs::read_to_string(path).ok().map(Arc::from))
    }

    /// What reading a file shows.
    pub(crate) fn read(&self, request: &Request) -> Reading {
        self.with(|workspace| {
            let inspection = inspect(workspace, request, &Settings::default());
            Reading {
                findings: inspection.findings,
                symbols: inspection.symbols,
                sources: std::mem::take(&mut workspace.sources),
            }
        })
    }
}

impl Documents {
    pub(crate) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, version: i64, text: &str) {
        let path = path_of(uri);
        let by_path = FileKind::of_path(&path);
        let kind = match by_path {
            Some(_) => None,
            None => FileKind::named(language.trim_start_matches("choros-")),
        };
        let document = Document {
            uri: uri.to_owned(),
            path,
            kind,
            version,
            generation: self.generations.fetch_add(1, Ordering::Relaxed),
            generations: self.generations.clone(),
            text: text.into(),
            lines: Lines::of(text),
            reading: OnceCell::new(),
            checked: None,
            answers: BTreeMap::new(),
        };
        self.open.insert(uri.to_owned(), document);
    }

    pub(crate) fn close(&mut self, uri: &str) -> bool {
        self.open.remove(uri).is_some()
    }

    /// How the client calls a file.
    pub(crate) fn uri(&self, path: &str) -> String {
        let open = self.open.values().find(|it| it.path == path);
        open.map_or_else(|| uri_of(path), |it| it.uri.clone())
    }

    /// Whether these are still the texts of the buffers among these files.
    pub(crate) fn have(&self, texts: &BTreeMap<String, Arc<str>>) -> bool {
        let mut open = self.open.values();
        open.all(|it| texts.get(&it.path).is_none_or(|text| *text == it.text))
    }

    /// Forgets answers that rest on another text of this buffer; whose they were.
    pub(crate) fn forget_answers(&mut self, uri: &str) -> Vec<String> {
        let Some(changed) = self.open.get(uri) else {
            return Vec::new();
        };
        let (path, text) = (changed.path.clone(), changed.text.clone());
        let is_stale =
            |answer: &VerbAnswer| answer.read.get(&path).is_some_and(|known| *known != text);
        let mut whose = Vec::new();
        for document in self.open.values_mut() {
            let before = document.answers.len();
            document.answers.retain(|_, it| !is_stale(it));
            let checked = document.checked.take_if(|it| is_stale(it));
            if checked.is_some() || document.answers.len() < before {
                whose.push(document.uri.clone());
            }
        }
        whose
    }

    /// The buffers as they are now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let documents = self.open.values();
        let texts = documents.map(|it| (it.path.clone(), it.text.clone()));
        let mut folders: BTreeSet<PathBuf> = self.roots.iter().cloned().collect();
        for document in self.open.values() {
            folders.extend(Path::new(&document.path).parent().map(Path::to_owned));
        }
        Snapshot {
            texts: Arc::new(texts.collect()),
            folders: Arc::new(folders.into_iter().collect()),
        }
    }

    /// What reading a buffer shows.
    pub(crate) fn reading<'d>(&self, document: &'d Document) -> &'d Reading {
        document.reading.get_or_init(|| {
            let request = document.request(None);
            self.snapshot().read(&request)
        })
    }
}

impl Document {
    /// It, or one component of it, as a question names it.
    pub(crate) fn request(&self, component: Option<&str>) -> Request {
        Request {
            path: self.path.clone(),
            component: component.map(str::to_owned),
            kind: self.kind,
        }
    }

    pub(crate) fn language(&self) -> Option<FileKind> {
        self.kind.or_else(|| FileKind::of_path(&self.path))
    }

    /// Applies one change; a change without a range is the whole text.
    ///
    /// False for one that makes no sense, which changes nothing.
    pub(crate) fn change(&mut self, change: &Value, encoding: Encoding) -> bool {
        let Some(new) = change.get("text").and_then(Value::as_str) else {
            return false;
        };
        let text = match change.get("range") {
            None | Some(Value::Null) => new.to_owned(),
            Some(range) => {
                let Some(range) = self.lines.read_range(&self.text, range, encoding) else {
                    return false;
                };
                let mut text = self.text.to_string();
                text.replace_range(range, new);
                text
            }
        };
        self.lines = Lines::of(&text);
        self.text = text.into();
        self.forget();
        true
    }

    /// Forgets what was found out: the text, or another that it reads, has changed.
    pub(crate) fn forget(&mut self) {
        self.generation = self.generations.fetch_add(1, Ordering::Relaxed);
        self.reading = OnceCell::new();
        self.checked = None;
        self.answers.clear();
    }
}
