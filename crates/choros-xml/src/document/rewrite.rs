//! Another document made from one that was read, with the places of the original.

use std::sync::Arc;

use choros_base::Span;

use super::QName;
use super::element::{Attribute, Document, Element, ElementData, ElementId};

/// A document in the making.
///
/// Every element is like one of the original document: it has its place and its prefixes.
#[derive(Debug)]
pub struct Rewriting<'d> {
    original: &'d Document,
    elements: Vec<ElementData>,
}

/// An element of the new document.
#[derive(Debug, Clone)]
pub struct NewElement {
    pub name: QName,
    pub attributes: Vec<Attribute>,
    pub text: Arc<str>,
    /// The place of the text.
    pub text_span: Span,
}

impl NewElement {
    /// The same element under another name.
    pub fn like(element: Element<'_>, name: QName) -> Self {
        Self {
            name,
            attributes: element.attributes().to_vec(),
            text: element.text().clone(),
            text_span: element.text_span(),
        }
    }

    /// Takes an attribute out.
    pub fn take(&mut self, local: &str) -> Option<Attribute> {
        let at = self
            .attributes
            .iter()
            .position(|attribute| attribute.name.is("", local))?;
        Some(self.attributes.remove(at))
    }

    /// Adds an attribute that is written nowhere; its place is that of the text.
    pub fn set(&mut self, local: &str, value: impl Into<Arc<str>>, span: Span) {
        self.attributes.push(Attribute {
            name: QName::unqualified(local),
            value: value.into(),
            span,
        });
    }
}

impl<'d> Rewriting<'d> {
    pub fn of(original: &'d Document) -> Self {
        Self {
            original,
            elements: Vec::new(),
        }
    }

    /// Adds an element inside another one, at the place of `from`; the first is the root.
    pub fn add(
        &mut self,
        parent: Option<ElementId>,
        from: Element<'d>,
        new: NewElement,
    ) -> ElementId {
        let id = ElementId(self.elements.len() as u32);
        let scope = from.scope();
        self.elements.push(ElementData {
            name: new.name,
            attributes: new.attributes,
            parent,
            children: Vec::new(),
            text: new.text,
            text_span: new.text_span,
            tag: from.span(),
            scope,
        });
        if let Some(parent) = parent {
            self.elements[parent.index()].children.push(id);
        }
        id
    }

    /// The new document; `None` if it has no element.
    pub fn finish(self) -> Option<Document> {
        if self.elements.is_empty() {
            return None;
        }
        Some(Document {
            file: self.original.file,
            path: self.original.path.clone(),
            elements: self.elements,
            scopes: self.original.scopes.clone(),
        })
    }
}
