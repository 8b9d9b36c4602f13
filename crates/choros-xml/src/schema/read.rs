//! From documents to declarations.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::Span;

use super::{Declaration, Schema, Setting, XSD};
use crate::diagnostics::{declared_twice, misplaced_element, unsupported_construct, wrong_root};
use crate::document::{Document, Element, ElementId, Library, QName};

impl Schema {
    /// Reads an `xs:schema` element, the root of a document or inside the types of a WSDL document, and everything
    /// it imports and includes; documents may import each other in a circle.
    pub fn read_element(
        &mut self,
        library: &mut Library<'_>,
        document: &Arc<Document>,
        element: ElementId,
    ) {
        // Documents that include others may form chains of any length: a list of work, not recursion.
        let mut work = vec![(document.clone(), element, None::<Arc<str>>)];
        while let Some((document, element, including)) = work.pop() {
            let root = document.element(element);
            if !root.is(XSD, "schema") {
                library.report(wrong_root::diagnostic("a schema", root.name(), root.span()));
                continue;
            }
            // A document without a target namespace takes that of the one that includes it.
            let target: Arc<str> = match (root.attribute("targetNamespace"), including) {
                (Some(target), _) => target.into(),
                (None, Some(including)) => including,
                (None, None) => "".into(),
            };
            let key = (document.path().to_owned(), element, target.clone());
            if !self.documents.insert(key) {
                continue;
            }
            let setting = Setting {
                target: target.clone(),
                has_qualified_elements: root.attribute("elementFormDefault") == Some("qualified"),
                has_qualified_attributes: root.attribute("attributeFormDefault")
                    == Some("qualified"),
            };
            for child in root.children() {
                match child.local() {
                    "import" | "include" | "redefine" | "override" => {
                        if let Some(other) = self.other_document(library, &document, child) {
                            let including = (child.local() != "import").then(|| target.clone());
                            let root = other.root().id();
                            work.push((other, root, including));
                        }
                    }
                    "annotation" => {}
                    _ => self.declare(library, &document, &setting, child),
                }
            }
        }
    }

    fn other_document(
        &mut self,
        library: &mut Library<'_>,
        document: &Document,
        element: Element<'_>,
    ) -> Option<Arc<Document>> {
        if matches!(element.local(), "redefine" | "override") {
            library.report(unsupported_construct::diagnostic(
                &format!("`xs:{}`", element.local()),
                "read like an include; what it changes is left out",
                element.span(),
            ));
        }
        let Some(location) = element.attribute("schemaLocation") else {
            // An import may leave the location out, when the schema is known from elsewhere.
            if element.local() != "import" {
                library.report(misplaced_element::lacking(
                    element.local(),
                    "schemaLocation",
                    element.span(),
                ));
            }
            return None;
        };
        library.load_relative(document, location, element.attribute_span("schemaLocation"))
    }

    fn declare(
        &mut self,
        library: &mut Library<'_>,
        document: &Arc<Document>,
        setting: &Setting,
        element: Element<'_>,
    ) {
        let (what, table): (_, &mut BTreeMap<QName, Declaration>) = match element.local() {
            "element" => ("element", &mut self.elements),
            "simpleType" | "complexType" => ("type", &mut self.types),
            "group" => ("group", &mut self.groups),
            "attribute" => ("attribute", &mut self.attributes),
            "attributeGroup" => ("attribute group", &mut self.attribute_groups),
            other => {
                library.report(unsupported_construct::diagnostic(
                    &format!("`xs:{other}`"),
                    "left out",
                    element.span(),
                ));
                return;
            }
        };
        let Some(local) = element.attribute("name") else {
            library.report(misplaced_element::lacking(
                element.local(),
                "name",
                element.span(),
            ));
            return;
        };
        let name = QName::new(setting.target.clone(), local);
        let declaration = Declaration {
            document: document.clone(),
            element: element.id(),
            setting: setting.clone(),
        };
        let again: Span = element.attribute_span("name");
        if let Some(first) = table.get(&name) {
            library.report(declared_twice::diagnostic(
                what,
                local,
                first.element().attribute_span("name"),
                again,
            ));
            return;
        }
        table.insert(name, declaration);
    }
}
