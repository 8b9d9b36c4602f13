//! XML Schema: declarations, and the sorts and formulas they mean.
//!
//! Documents are read into a [`Schema`] (`read`); a type is built when it is asked for (`resolve`), with the sort of
//! its values; what values obey beyond their sort is a formula (`formula`), and a computation on values (`check`)
//! that shares no code with it.

mod attributes;
mod check;
mod digits;
mod expression;
mod facets;
mod formula;
mod groups;
mod lexical;
mod pattern;
mod read;
mod resolve;
mod restriction;
mod simple;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::Span;
use choros_data::Terms;

use crate::diagnostics::unresolved_name;
use crate::document::{Document, Element, ElementId, Library, QName};

pub use check::SchemaViolation;
pub use facets::Facets;
pub use formula::UNFOLDED;
pub use formula::field_at;
pub use pattern::Pattern;
pub use simple::{Primitive, SimpleType, Whitespace};
pub use simple::{decimal_text, is_xml_character};
pub(crate) use simple::{read_decimal, read_integer};
pub use types::{
    AttributeField, ComplexType, Content, ElementField, GroupKind, Occurs, Particle, Shape, Type,
    TypeId,
};

/// The namespace of XML Schema.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// The namespace of `nil` and `type` in documents.
pub const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The declarations of all schema documents of a run, and the types built from them.
#[derive(Debug, Default, Clone)]
pub struct Schema {
    elements: BTreeMap<QName, Declaration>,
    types: BTreeMap<QName, Declaration>,
    groups: BTreeMap<QName, Declaration>,
    attributes: BTreeMap<QName, Declaration>,
    attribute_groups: BTreeMap<QName, Declaration>,
    documents: BTreeSet<(String, ElementId, Arc<str>)>,
    built: Vec<Type>,
    /// Whether it was said that a type is too large.
    is_too_large: bool,
    known: BTreeMap<(Kind, QName), Option<TypeId>>,
    reported_recursion: BTreeSet<QName>,
}

/// A declaration at its place, with what its document says about namespaces.
#[derive(Debug, Clone)]
struct Declaration {
    document: Arc<Document>,
    element: ElementId,
    setting: Setting,
}

/// What a schema document says about all its declarations.
#[derive(Debug, Clone)]
struct Setting {
    target: Arc<str>,
    has_qualified_elements: bool,
    has_qualified_attributes: bool,
}

/// What a name may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Element,
    Type,
}

impl Declaration {
    fn element(&self) -> Element<'_> {
        self.document.element(self.element)
    }
}

impl Schema {
    /// Reads the schema document of a path.
    pub fn read_document(&mut self, library: &mut Library<'_>, path: &str, asked_at: Option<Span>) {
        if let Some(document) = library.load(path, asked_at) {
            let root = document.root().id();
            self.read_element(library, &document, root);
        }
    }

    /// The type of a declared element; a name that is not declared is reported at `span`.
    pub fn element_type(
        &mut self,
        library: &mut Library<'_>,
        terms: &mut Terms,
        name: &QName,
        span: Span,
    ) -> Option<TypeId> {
        if !self.elements.contains_key(name) {
            let declared: Vec<QName> = self.elements.keys().cloned().collect();
            library.report(unresolved_name::diagnostic("element", name, declared, span));
            return None;
        }
        self.build(library, terms, Kind::Element, name)
    }

    /// The type of a name, declared or built in; a name that is not declared is reported at `span`.
    pub fn named_type(
        &mut self,
        library: &mut Library<'_>,
        terms: &mut Terms,
        name: &QName,
        span: Span,
    ) -> Option<TypeId> {
        let is_builtin = &*name.namespace == XSD;
        if !is_builtin && !self.types.contains_key(name) {
            let declared: Vec<QName> = self.types.keys().cloned().collect();
            library.report(unresolved_name::diagnostic("type", name, declared, span));
            return None;
        }
        if is_builtin && !resolve::is_built_in(&name.local) {
            library.report(unresolved_name::diagnostic(
                "type",
                name,
                resolve::built_in_names(),
                span,
            ));
            return None;
        }
        self.build(library, terms, Kind::Type, name)
    }

    /// Whether an element of this name is declared.
    pub fn has_element(&self, name: &QName) -> bool {
        self.elements.contains_key(name)
    }

    /// Whether a type of this name is declared.
    pub fn has_type(&self, name: &QName) -> bool {
        self.types.contains_key(name)
    }

    /// The names of all declared elements.
    pub fn element_names(&self) -> impl Iterator<Item = &QName> {
        self.elements.keys()
    }

    /// The names of all declared types.
    pub fn type_names(&self) -> impl Iterator<Item = &QName> {
        self.types.keys()
    }

    /// A type that was built.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.built[id.index()]
    }
}
