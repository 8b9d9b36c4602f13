//! Expressions as they stand in documents.

use std::sync::Arc;

use choros_base::Span;

use super::{Element, Namespaces};

/// The text of an expression, its place, and the prefixes bound there.
#[derive(Debug, Clone)]
pub struct WrittenExpression {
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
    /// The prefixes bound there; the default namespace plays no part in XPath.
    pub namespaces: Namespaces,
}

impl WrittenExpression {
    /// The text inside an element.
    pub fn text_of(element: Element<'_>) -> Self {
        Self {
            text: element.text().clone(),
            span: element.text_span(),
            namespaces: element.namespaces().clone(),
        }
    }

    /// The value of an attribute.
    pub fn attribute_of(element: Element<'_>, attribute: &str) -> Option<Self> {
        let attribute = element.attribute_node(attribute)?;
        Some(Self {
            text: attribute.value.clone(),
            span: attribute.span,
            namespaces: element.namespaces().clone(),
        })
    }

    /// The place of some bytes of the text; the whole place when the document writes it with references, so that
    /// offsets do not agree.
    pub(crate) fn place(&self, start: usize, end: usize) -> Span {
        let range = self.span.range();
        if range.len() != self.text.len() {
            return self.span;
        }
        Span::new(
            self.span.file(),
            (range.start + start) as u32,
            (range.start + end) as u32,
        )
    }
}
