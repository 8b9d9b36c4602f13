//! Documents that name each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{Diagnostic, SourceMap, Sources, Span};

use super::element::{Document, Element};
use super::read::{Limits, Malformed, parse};
use super::{DefaultNamespace, QName};
use crate::diagnostics::{
    document_type, missing_document, not_well_formed, too_large_document, unknown_prefix,
};

/// Reads documents through [`Sources`], each path once, and gathers what is wrong with them.
///
/// Locations are paths relative to the document that names them; what is written as an address is never fetched, those
/// of files included.
pub struct Library<'s> {
    from: &'s dyn Sources,
    /// The texts read so far, for diagnostics.
    pub sources: &'s mut SourceMap,
    /// What is wrong with what was read.
    pub diagnostics: Vec<Diagnostic>,
    /// What is too much in one document.
    pub limits: Limits,
    documents: BTreeMap<String, Option<Arc<Document>>>,
}

impl<'s> Library<'s> {
    /// A library without documents.
    pub fn new(from: &'s dyn Sources, sources: &'s mut SourceMap) -> Self {
        Self {
            from,
            sources,
            diagnostics: Vec::new(),
            limits: Limits::default(),
            documents: BTreeMap::new(),
        }
    }

    /// Adds a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The document of a path; what is wrong with it is reported once, at the first place that asks.
    pub fn load(&mut self, path: &str, asked_at: Option<Span>) -> Option<Arc<Document>> {
        if let Some(known) = self.documents.get(path) {
            return known.clone();
        }
        let read = if is_remote(path) {
            self.report(missing_document::remote(path, asked_at));
            None
        } else {
            let text = match asked_at {
                Some(_) => self.from.read_reference(path),
                None => self.from.read(path),
            };
            match text {
                Ok(text) => self.add(path, text),
                Err(error) => {
                    self.report(missing_document::unreadable(&error, asked_at));
                    None
                }
            }
        };
        self.documents.insert(path.to_owned(), read.clone());
        read
    }

    /// Reads a text that someone else has fetched already.
    pub fn add(&mut self, path: &str, text: Arc<str>) -> Option<Arc<Document>> {
        let known = self
            .sources
            .files()
            .find(|(_, it)| it.name() == path && Arc::ptr_eq(it.text(), &text))
            .map(|(file, _)| file);
        let file = known.unwrap_or_else(|| self.sources.add(path, text.clone()));
        let read = match parse(file, path, &text, self.limits) {
            Ok(document) => Some(Arc::new(document)),
            Err(problem) => {
                self.report(match problem {
                    Malformed::Syntax { span, message } => {
                        not_well_formed::diagnostic(path, span, &message)
                    }
                    Malformed::DocumentType { span } => document_type::diagnostic(path, span),
                    Malformed::TooLarge { span, limit } => {
                        too_large_document::diagnostic(path, span, &limit)
                    }
                });
                None
            }
        };
        self.documents.insert(path.to_owned(), read.clone());
        read
    }

    /// The document that `location`, written in the document `base`, stands for.
    pub fn load_relative(
        &mut self,
        base: &Document,
        location: &str,
        asked_at: Span,
    ) -> Option<Arc<Document>> {
        self.load(&relative(base.path(), location), Some(asked_at))
    }

    /// The name that an attribute of an element stands for; a prefix that is not bound is reported.
    pub fn name_in_attribute(&mut self, element: Element<'_>, attribute: &str) -> Option<QName> {
        let found = element.attribute_node(attribute)?;
        self.name_in(element, &found.value, found.span)
    }

    /// The name that a text at some place of an element stands for; a prefix that is not bound is reported.
    pub fn name_in(&mut self, element: Element<'_>, text: &str, span: Span) -> Option<QName> {
        let scope = element.namespaces();
        match scope.resolve(text, DefaultNamespace::Applies) {
            Ok(name) => Some(name),
            Err(prefix) => {
                self.report(unknown_prefix::diagnostic(&prefix, scope, span));
                None
            }
        }
    }
}

/// Whether a location would have to be fetched from somewhere.
fn is_remote(path: &str) -> bool {
    path.split_once("://")
        .is_some_and(|(scheme, _)| scheme.chars().all(char::is_alphanumeric))
        || path.starts_with("urn:")
        || path.starts_with("//")
}

/// A location as seen from a document: `../x.xsd` of `a/b/c.wsdl` is `a/x.xsd`.
pub fn relative(base: &str, location: &str) -> String {
    let location = location.trim();
    if location.starts_with('/') || is_remote(location) {
        return location.to_owned();
    }
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_absolute = folder.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(location.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    if is_absolute {
        format!("/{joined}")
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_relative_to_the_document_that_names_them() {
        assert_eq!(relative("a/b/c.wsdl", "../x.xsd"), "a/x.xsd");
        assert_eq!(relative("c.wsdl", "./x.xsd"), "x.xsd");
        assert_eq!(relative("c.wsdl", "../x.xsd"), "../x.xsd");
        assert_eq!(relative("/a/c.wsdl", "x.xsd"), "/a/x.xsd");
        assert_eq!(relative("/a/c.wsdl", "/b/x.xsd"), "/b/x.xsd");
        assert_eq!(relative("a/c.wsdl", "http://h/x.xsd"), "http://h/x.xsd");
    }
}
