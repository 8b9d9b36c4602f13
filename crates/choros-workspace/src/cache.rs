//! A store of proofs, by what they are about.
//!
//! What is taken from it is checked as a certificate is, so no one has to trust the program that filled it.

use std::fmt;
use std::sync::Arc;

/// Where texts are kept; the world is after it.
pub trait Store: Send + Sync {
    /// The text under a key.
    fn get(&self, key: &str) -> Option<String>;

    /// Keeps a text under a key.
    fn put(&self, key: &str, text: &str) -> Result<(), String>;
}

/// A store of proofs.
#[derive(Clone)]
pub struct Cache(Arc<dyn Store>);

impl Cache {
    /// A cache that keeps its proofs in a store.
    pub fn new(store: impl Store + 'static) -> Cache {
        Cache(Arc::new(store))
    }

    /// The text under a key.
    pub fn get(&self, key: &str) -> Option<String> {
        self.0.get(key)
    }

    /// Keeps a text under a key.
    pub fn put(&self, key: &str, text: &str) -> Result<(), String> {
        self.0.put(key, text)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache")
    }
}
