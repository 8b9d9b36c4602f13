//! Names with namespaces.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A name in a namespace; the empty namespace is that of names without one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QName {
    /// The namespace's URI, or nothing.
    pub namespace: Arc<str>,
    /// The name in it.
    pub local: Arc<str>,
}

/// The prefixes that are bound at some place of a document, with their namespaces; the default namespace has the
/// empty prefix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Namespaces {
    bound: BTreeMap<Arc<str>, Arc<str>>,
}

impl QName {
    /// A name in a namespace.
    pub fn new(namespace: impl Into<Arc<str>>, local: impl Into<Arc<str>>) -> Self {
        Self {
            namespace: namespace.into(),
            local: local.into(),
        }
    }

    /// A name without a namespace.
    pub fn unqualified(local: impl Into<Arc<str>>) -> Self {
        Self::new("", local)
    }

    /// Whether it is this name of this namespace.
    pub fn is(&self, namespace: &str, local: &str) -> bool {
        &*self.namespace == namespace && &*self.local == local
    }
}

impl fmt::Display for QName {
    /// `{namespace}local`, or `local` alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.namespace {
            "" => write!(f, "{}", self.local),
            namespace => write!(f, "{{{namespace}}}{}", self.local),
        }
    }
}

impl Namespaces {
    /// Binds a prefix; the empty one is the default namespace.
    pub fn bind(&mut self, prefix: impl Into<Arc<str>>, namespace: impl Into<Arc<str>>) {
        self.bound.insert(prefix.into(), namespace.into());
    }

    /// The namespace of a prefix.
    pub fn of(&self, prefix: &str) -> Option<&Arc<str>> {
        self.bound.get(prefix)
    }

    /// All prefixes, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.bound
            .iter()
            .map(|(prefix, namespace)| (&**prefix, &**namespace))
    }

    /// The name that `text` (`prefix:local` or `local`) stands for where these prefixes are bound.
    ///
    /// `default` says whether a name without a prefix is in the default namespace: so it is for types and elements
    /// in WSDL and XML Schema, and not for attributes and steps of XPath.
    /// The error is the prefix that is not bound.
    pub fn resolve(&self, text: &str, default: DefaultNamespace) -> Result<QName, String> {
        let text = text.trim();
        match (text.split_once(':'), default) {
            (Some((prefix, local)), _) => match self.of(prefix) {
                Some(namespace) => Ok(QName::new(namespace.clone(), local)),
                None => Err(prefix.to_owned()),
            },
            (None, DefaultNamespace::Applies) => {
                let namespace = self.of("").cloned().unwrap_or_else(|| Arc::from(""));
                Ok(QName::new(namespace, text))
            }
            (None, DefaultNamespace::Ignored) => Ok(QName::unqualified(text)),
        }
    }
}

/// Whether names without a prefix are in the default namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultNamespace {
    /// They are.
    Applies,
    /// They are in none.
    Ignored,
}
