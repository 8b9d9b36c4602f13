//! The tree of a document.

use std::sync::Arc;

use choros_base::{FileId, Span};

use super::{DefaultNamespace, Namespaces, QName};

/// A document in memory.
#[derive(Debug, Clone)]
pub struct Document {
    pub(super) file: FileId,
    pub(super) path: String,
    pub(super) elements: Vec<ElementData>,
    pub(super) scopes: Vec<Namespaces>,
}

/// Position of an element in its [`Document`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(pub(super) u32);

choros_base::indices!(ElementId);

/// An element of a document.
#[derive(Debug, Clone, Copy)]
pub struct Element<'d> {
    document: &'d Document,
    id: ElementId,
}

/// An attribute; declarations of namespaces are none.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name; most attributes have no namespace.
    pub name: QName,
    /// Its value, with references replaced.
    pub value: Arc<str>,
    /// The place of the value, without the quotes.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) struct ElementData {
    pub(super) name: QName,
    pub(super) attributes: Vec<Attribute>,
    pub(super) parent: Option<ElementId>,
    pub(super) children: Vec<ElementId>,
    pub(super) text: Arc<str>,
    pub(super) text_span: Span,
    pub(super) tag: Span,
    pub(super) scope: u32,
}

impl Document {
    /// The file it was read from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The path it was read from, against which relative locations in it are resolved.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The outermost element.
    pub fn root(&self) -> Element<'_> {
        self.element(ElementId(0))
    }

    /// An element of this document.
    pub fn element(&self, id: ElementId) -> Element<'_> {
        Element { document: self, id }
    }
}

impl<'d> Element<'d> {
    fn data(self) -> &'d ElementData {
        &self.document.elements[self.id.index()]
    }

    pub(super) fn scope(self) -> u32 {
        self.data().scope
    }

    /// Its position, to keep it without a borrow.
    pub fn id(self) -> ElementId {
        self.id
    }

    pub fn document(self) -> &'d Document {
        self.document
    }

    pub fn name(self) -> &'d QName {
        &self.data().name
    }

    /// Its name without the namespace.
    pub fn local(self) -> &'d str {
        &self.data().name.local
    }

    /// Whether it is this name of this namespace.
    pub fn is(self, namespace: &str, local: &str) -> bool {
        self.data().name.is(namespace, local)
    }

    /// The place of its opening tag.
    pub fn span(self) -> Span {
        self.data().tag
    }

    /// Its attributes, in the order of the document.
    pub fn attributes(self) -> &'d [Attribute] {
        &self.data().attributes
    }

    /// The attribute of this name that has no namespace.
    pub fn attribute_node(self, local: &str) -> Option<&'d Attribute> {
        self.attributes()
            .iter()
            .find(|attribute| attribute.name.is("", local))
    }

    /// The value of the attribute of this name that has no namespace.
    pub fn attribute(self, local: &str) -> Option<&'d str> {
        self.attribute_node(local).map(|it| &*it.value)
    }

    /// The value of an attribute with a namespace.
    pub fn attribute_in(self, namespace: &str, local: &str) -> Option<&'d str> {
        self.attributes()
            .iter()
            .find(|attribute| attribute.name.is(namespace, local))
            .map(|it| &*it.value)
    }

    /// The place of an attribute's value; that of the tag when it is not there.
    pub fn attribute_span(self, local: &str) -> Span {
        self.attribute_node(local)
            .map_or(self.span(), |attribute| attribute.span)
    }

    /// The element around it.
    pub fn parent(self) -> Option<Element<'d>> {
        let parent = self.data().parent?;
        Some(self.document.element(parent))
    }

    /// The elements in it, in order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Element<'d>> + 'd {
        let document = self.document;
        self.data()
            .children
            .iter()
            .map(move |&child| document.element(child))
    }

    /// The elements in it with this name.
    pub fn children_named(
        self,
        namespace: &'d str,
        local: &'d str,
    ) -> impl Iterator<Item = Element<'d>> + 'd {
        self.children()
            .filter(move |child| child.is(namespace, local))
    }

    /// The first element in it with this name.
    pub fn child(self, namespace: &str, local: &str) -> Option<Element<'d>> {
        self.children().find(|child| child.is(namespace, local))
    }

    /// The text directly in it, comments removed and references replaced.
    pub fn text(self) -> &'d Arc<str> {
        &self.data().text
    }

    /// The place of that text; the tag when there is none.
    pub fn text_span(self) -> Span {
        self.data().text_span
    }

    /// The prefixes bound here.
    pub fn namespaces(self) -> &'d Namespaces {
        &self.document.scopes[self.data().scope as usize]
    }

    /// The name that a text stands for here; a name without a prefix is in the default namespace.
    ///
    /// The error is the prefix that is not bound.
    pub fn resolve(self, text: &str) -> Result<QName, String> {
        self.namespaces().resolve(text, DefaultNamespace::Applies)
    }
}
