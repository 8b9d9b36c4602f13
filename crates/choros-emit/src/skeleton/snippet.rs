//! A piece of an expression, with the names that it mentions.

use std::collections::BTreeSet;
use std::fmt;

/// An expression as code, and the types that must be imported for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) names: BTreeSet<String>,
}

/// A condition as code; `None` for one that always holds.
pub(super) type Guard = Option<Snippet>;

impl fmt::Display for Snippet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The condition that one of several holds; `or` is the language's word for it.
pub(super) fn any(guards: &[&Guard], or: &str) -> Guard {
    let mut parts: Vec<&Snippet> = Vec::new();
    for guard in guards {
        let part = guard.as_ref()?;
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let texts: Vec<&str> = parts.iter().map(|it| it.text.as_str()).collect();
    Some(Snippet {
        text: match &texts[..] {
            [only] => (*only).to_owned(),
            several => format!("({})", several.join(&format!(") {or} ("))),
        },
        names: parts.iter().flat_map(|it| it.names.clone()).collect(),
    })
}
