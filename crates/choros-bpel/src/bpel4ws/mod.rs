//! BPEL4WS 1.1, translated to WS-BPEL 2.0 element by element.
//!
//! The translation keeps places, so that what is found later points at what was written.
//! What WS-BPEL 2.0 writes as elements, the older version writes as attributes: conditions, durations, queries, links.

mod copies;
mod structure;

use std::sync::Arc;

use choros_base::{Diagnostic, Span};
use choros_xml::document::{Attribute, Document, Element, ElementId, NewElement, QName, Rewriting};

use crate::vocabulary::{ABSTRACT, EXECUTABLE};

/// The namespaces of BPEL4WS 1.1, and of the draft that was implemented widely.
const NAMESPACES: [&str; 2] = [
    "http://schemas.xmlsoap.org/ws/2003/03/business-process/",
    "http://schemas.xmlsoap.org/ws/2004/03/business-process/",
];

/// A process in WS-BPEL 2.0, and what was lost on the way.
pub(crate) struct Translated {
    pub(crate) document: Document,
    pub(crate) findings: Vec<Diagnostic>,
}

/// The translation of a process in BPEL4WS 1.1; `None` for other documents.
pub(crate) fn translate(document: &Document) -> Option<Translated> {
    let root = document.root();
    if !is_older(root) || root.local() != "process" {
        return None;
    }
    let namespace = match root.attribute("abstractProcess") {
        Some("yes") => ABSTRACT,
        _ => EXECUTABLE,
    };
    let mut translator = Translator {
        namespace: namespace.into(),
        result: Rewriting::of(document),
        findings: Vec::new(),
    };
    let mut work = vec![(None, root)];
    while let Some((parent, element)) = work.pop() {
        // Pushed backwards, so that elements are added in the order of the document.
        let inner = translator.element(parent, element);
        work.extend(inner.into_iter().rev());
    }
    Some(Translated {
        document: translator.result.finish()?,
        findings: translator.findings,
    })
}

fn is_older(element: Element<'_>) -> bool {
    NAMESPACES.contains(&&*element.name().namespace)
}

/// Elements that are still to be translated, each inside a new one.
type Work<'d> = Vec<(Option<ElementId>, Element<'d>)>;

struct Translator<'d> {
    namespace: Arc<str>,
    result: Rewriting<'d>,
    findings: Vec<Diagnostic>,
}

impl<'d> Translator<'d> {
    fn name(&self, local: &str) -> QName {
        QName::new(self.namespace.clone(), local)
    }

    /// The same element under a name of WS-BPEL 2.0.
    fn like(&self, element: Element<'d>, local: &str) -> NewElement {
        NewElement::like(element, self.name(local))
    }

    /// An element that is not written as one.
    fn empty(&self, element: Element<'d>, local: &str) -> NewElement {
        NewElement {
            name: self.name(local),
            attributes: Vec::new(),
            text: "".into(),
            text_span: element.span(),
        }
    }

    /// An element with the text of an attribute.
    fn with_text(
        &mut self,
        parent: ElementId,
        element: Element<'d>,
        local: &str,
        attribute: &Attribute,
    ) {
        let mut new = self.empty(element, local);
        new.text = structure::expression(&attribute.value);
        new.text_span = if new.text == attribute.value {
            attribute.span
        } else {
            // Offsets in a changed text are not those of the document.
            let start = attribute.span.range().start as u32;
            Span::new(attribute.span.file(), start, start)
        };
        self.result.add(Some(parent), element, new);
    }

    /// Everything inside an element, to be put inside a new one.
    fn inside(&self, parent: ElementId, element: Element<'d>) -> Work<'d> {
        element.children().map(|it| (Some(parent), it)).collect()
    }
}
