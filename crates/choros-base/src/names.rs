//! Interned identifiers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// An interned identifier: cheap to copy, compare and hash.
///
/// The number after it depends on the order of interning.
/// It is not an alphabetical order and must never decide the order of anything printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

/// The store of interned identifiers.
#[derive(Debug, Default, Clone)]
pub struct Names {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, Name>,
}

impl Names {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name for a text; the same text always gives the same name.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.ids.get(text) {
            return name;
        }
        let text: Arc<str> = text.into();
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.clone());
        self.ids.insert(text, name);
        name
    }

    /// The name of a text that has been interned before.
    pub fn get(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    /// The text of a name of this store.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    /// A name that this store has never seen: `base'1`, `base'2`, …
    ///
    /// The prime cannot be typed in any of our model languages, so a fresh name never meets a user's.
    pub fn fresh(&mut self, base: &str) -> Name {
        let stem = base.split('\'').next().unwrap_or(base);
        // Fresh names are asked for many times over the same stem: continue from the number of names, which grows
        // with every call, instead of trying from 1.
        let mut number = self.texts.len();
        loop {
            let candidate = format!("{stem}'{number}");
            if !self.ids.contains_key(candidate.as_str()) {
                return self.intern(&candidate);
            }
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_new_and_keep_their_stem() {
        let mut names = Names::new();
        let x = names.intern("x");
        let first = names.fresh("x");
        let stem = names.text(first).to_owned();
        let second = names.fresh(&stem);
        assert_ne!(first, x);
        assert_ne!(first, second);
        assert!(names.text(second).starts_with("x'"));
        assert_eq!(names.text(second).matches('\'').count(), 1);
    }
}
