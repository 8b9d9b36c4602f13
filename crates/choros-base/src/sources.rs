//! How a reader asks for another file.
//!
//! Languages that import (BPEL its WSDL, a query its model) never open files themselves: they ask a [`Sources`].
//! The shells pass one that reads the disk, tests pass [`MemorySources`].

use std::collections::BTreeMap;
use std::sync::Arc;

/// A place that texts come from.
pub trait Sources {
    /// The text under this path.
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError>;

    /// The text under a path that another text refers to.
    ///
    /// A place that serves foreign texts may refuse what the user did not name.
    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.read(path)
    }
}

/// Why a text could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// The path that was asked for.
    pub path: String,
    /// What the world answered, in its own words.
    pub reason: String,
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read `{}`: {}", self.path, self.reason)
    }
}

impl std::error::Error for SourceError {}

/// Texts held in memory.
#[derive(Debug, Default, Clone)]
pub struct MemorySources {
    texts: BTreeMap<String, Arc<str>>,
}

impl MemorySources {
    /// Adds a text under a path.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) {
        self.texts.insert(path.into(), text.into());
    }
}

impl<P: Into<String>, T: Into<Arc<str>>, const N: usize> From<[(P, T); N]> for MemorySources {
    fn from(texts: [(P, T); N]) -> MemorySources {
        let texts = texts.map(|(path, text)| (path.into(), text.into()));
        MemorySources {
            texts: texts.into(),
        }
    }
}

impl Sources for MemorySources {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.texts.get(path).cloned().ok_or_else(|| SourceError {
            path: path.to_owned(),
            reason: "no such text".to_owned(),
        })
    }
}
