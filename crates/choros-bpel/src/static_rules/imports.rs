//! Imports and mandatory extensions.

use std::sync::Arc;

use choros_xml::document::{Document, Element, Library, relative};
use choros_xml::schema::XSD;
use choros_xml::wsdl::WSDL;

use super::tree::{children, declared};
use super::{Rules, rule};

rule!(SA00009 {
    code: "CH1409",
    name: "mandatory-extension",
    section: "5.3",
    what: "No extension is declared with `mustUnderstand=\"yes\"`.",
    why: "Choros knows no extension, and the process says that it means something else without this one.",
    example: "<extensions><extension namespace='urn:more' mustUnderstand='yes'/></extensions>",
});

rule!(SA00011 {
    code: "CH1411",
    name: "other-import-namespace",
    section: "5.4",
    what: "An imported document defines the namespace that the import gives.",
    why: "The names that the process uses would belong to a namespace that the document does not define.",
    example: "<import importType='http://schemas.xmlsoap.org/wsdl/' namespace='urn:other' location='s.wsdl'/>",
});

rule!(SA00012 {
    code: "CH1412",
    name: "import-without-namespace",
    section: "5.4",
    what: "A document that is imported without a namespace has no target namespace.",
    why: "What it defines would be looked for among names without a namespace, and not be found.",
    example: "<import importType='http://schemas.xmlsoap.org/wsdl/' location='s.wsdl'/>",
});

rule!(SA00013 {
    code: "CH1413",
    name: "wrong-import-type",
    section: "5.4",
    what: "The attribute `importType` is `http://schemas.xmlsoap.org/wsdl/` for a WSDL document and `http://www.w3.org/2001/XMLSchema` for a schema.",
    why: "An engine reads the document by this attribute; with another value it finds nothing in it.",
    example: "<import importType='http://www.w3.org/2001/XMLSchema' namespace='urn:t' location='s.wsdl'/>",
});

/// The documents that a process imports, and those that these import.
pub(super) fn documents(library: &mut Library<'_>, process: &Document) -> Vec<Arc<Document>> {
    let mut found: Vec<Arc<Document>> = Vec::new();
    let mut work: Vec<Arc<Document>> = Vec::new();
    for import in children(process.root(), "import") {
        if let Some(location) = import.attribute("location")
            && is_readable(import)
        {
            let span = import.attribute_span("location");
            work.extend(library.load_relative(process, location, span));
        }
    }
    while let Some(document) = work.pop() {
        if found.iter().any(|it| it.path() == document.path()) {
            continue;
        }
        let root = document.root();
        for import in root.children().filter(|it| it.is(WSDL, "import")) {
            if let Some(location) = import.attribute("location") {
                let span = import.attribute_span("location");
                work.extend(library.load_relative(&document, location, span));
            }
        }
        found.push(document);
    }
    found.sort_by(|one, other| one.path().cmp(other.path()));
    found
}

/// Whether an import is of a document that can be read: by its type, or by the end of its name.
fn is_readable(import: Element<'_>) -> bool {
    matches!(import.attribute("importType"), None | Some(WSDL | XSD))
        || import
            .attribute("location")
            .is_some_and(|it| it.ends_with(".wsdl") || it.ends_with(".xsd"))
}

impl Rules<'_> {
    pub(super) fn imports(&mut self) {
        for extension in declared(self.root, "extensions", "extension") {
            if extension.attribute("mustUnderstand") == Some("yes") {
                let namespace = extension.attribute("namespace").unwrap_or("");
                self.report(
                    &SA00009,
                    format!("the extension `{namespace}` must be understood, and is unknown"),
                    extension.attribute_span("namespace"),
                    "not known here",
                );
            }
        }
        let base = self.root.document().path();
        for import in children(self.root, "import") {
            let Some(location) = import.attribute("location") else {
                continue;
            };
            let path = relative(base, location);
            let Some(document) = self.documents.iter().find(|it| it.path() == path) else {
                continue;
            };
            self.import(import, &document.clone());
        }
    }

    fn import(&mut self, import: Element<'_>, document: &Document) {
        let root = document.root();
        let location = import.attribute("location").unwrap_or("");
        let expected = match (&*root.name().namespace, root.local()) {
            (WSDL, "definitions") => WSDL,
            (XSD, "schema") => XSD,
            _ => return,
        };
        if import.attribute("importType") != Some(expected) {
            let span = import.attribute_span("importType");
            self.covers(import.span(), false);
            self.report(
                &SA00013,
                format!("`{location}` is imported as something else than it is"),
                span,
                format!("`{expected}` is expected"),
            );
        }
        let target = root.attribute("targetNamespace").unwrap_or("");
        match import.attribute("namespace") {
            Some(namespace) if namespace != target => {
                let span = import.attribute_span("namespace");
                let message = format!("`{location}` does not define the namespace `{namespace}`");
                self.report(&SA00011, message, span, format!("it defines `{target}`"));
                self.also(root.span(), "the imported document");
            }
            None if !target.is_empty() => {
                let message =
                    format!("`{location}` defines a namespace, and the import gives none");
                let label = format!("`namespace=\"{target}\"` is missing");
                self.report(&SA00012, message, import.span(), label);
            }
            _ => {}
        }
    }
}
