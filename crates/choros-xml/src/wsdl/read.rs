//! Reading WSDL documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::Span;

use super::{
    AliasOf, Definitions, HTTP_BINDING, HTTP_TRANSPORTS, HeaderPart, MessageDeclaration,
    OperationBinding, OperationDeclaration, PartDeclaration, PartHolds, PartnerLinkType, Port,
    PortType, Property, PropertyAlias, SOAP_BINDING, SOAP12_BINDING, Service, SoapVersion, Style,
    WSDL, WsdlBinding,
};
use crate::diagnostics::{declared_twice, misplaced_element, unsupported_construct, wrong_root};
use crate::document::{Document, Element, Library, QName, WrittenExpression};
use crate::schema::XSD;

impl Definitions {
    /// Reads the WSDL or schema document of a path, and everything it imports; documents may import each other in a
    /// circle.
    pub fn read(&mut self, library: &mut Library<'_>, path: &str, asked_at: Option<Span>) {
        if let Some(document) = library.load(path, asked_at) {
            self.read_document(library, &document);
        }
    }

    /// The same for a document that was loaded.
    pub fn read_document(&mut self, library: &mut Library<'_>, document: &Arc<Document>) {
        // Documents may import each other in chains of any length: a list of work, not recursion.
        let mut work = vec![document.clone()];
        while let Some(document) = work.pop() {
            if !self.documents.insert(document.path().to_owned()) {
                continue;
            }
            let root = document.root();
            if root.is(XSD, "schema") {
                self.schema.read_element(library, &document, root.id());
            } else if root.is(WSDL, "definitions") {
                self.definitions(library, &document, &mut work);
            } else {
                library.report(wrong_root::diagnostic(
                    "a WSDL or schema document",
                    root.name(),
                    root.span(),
                ));
            }
        }
        self.name_foreign_headers(library);
    }

    /// Headers that are no part of the operation's message carry data that a process does not know.
    fn name_foreign_headers(&mut self, library: &mut Library<'_>) {
        for binding in self.bindings.values() {
            let Some(port_type) = self.port_types.get(&binding.port_type) else {
                continue;
            };
            for operation in &binding.operations {
                let declared = port_type.operations.iter();
                let declared = declared.clone().find(|it| it.name == operation.name);
                for header in &operation.headers {
                    let message = declared.and_then(|it| {
                        if header.is_answered {
                            it.output.as_ref()
                        } else {
                            Some(&it.input)
                        }
                    });
                    let parts = self.messages.get(&header.message);
                    let is_part = message == Some(&header.message)
                        && parts.is_some_and(|it| it.parts.iter().any(|it| it.name == header.part));
                    if !is_part && self.named_headers.insert(header.span) {
                        library.report(unsupported_construct::diagnostic(
                            "a header that is no part of the message",
                            "neither read nor written",
                            header.span,
                        ));
                    }
                }
            }
        }
    }

    fn definitions(
        &mut self,
        library: &mut Library<'_>,
        document: &Arc<Document>,
        work: &mut Vec<Arc<Document>>,
    ) {
        let root = document.root();
        let target: Arc<str> = root.attribute("targetNamespace").unwrap_or_default().into();
        for child in root.children() {
            match (&*child.name().namespace, child.local()) {
                (WSDL, "import" | "include") => {
                    let Some(location) = child.attribute("location") else {
                        library.report(misplaced_element::lacking(
                            "import",
                            "location",
                            child.span(),
                        ));
                        continue;
                    };
                    let span = child.attribute_span("location");
                    work.extend(library.load_relative(document, location, span));
                }
                (WSDL, "types") => {
                    for schema in child.children_named(XSD, "schema") {
                        self.schema.read_element(library, document, schema.id());
                    }
                }
                (WSDL, "message") => self.message_element(library, &target, child),
                (WSDL, "portType") => self.port_type(library, &target, child),
                (WSDL, "binding") => self.binding(library, &target, child),
                (WSDL, "service") => self.service(library, &target, child),
                (WSDL, "documentation") => {}
                (_, "partnerLinkType") => self.partner_link_type(library, &target, child),
                (_, "property") => self.property(library, &target, child),
                (_, "propertyAlias") => self.property_alias(library, child),
                (namespace, local) => library.report(unsupported_construct::diagnostic(
                    &format!("`{}`", QName::new(namespace, local)),
                    "left out",
                    child.span(),
                )),
            }
        }
    }

    fn message_element(
        &mut self,
        library: &mut Library<'_>,
        target: &Arc<str>,
        element: Element<'_>,
    ) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let mut parts: Vec<PartDeclaration> = Vec::new();
        for part in element.children_named(WSDL, "part") {
            let Some(local) = part.attribute("name") else {
                library.report(misplaced_element::lacking("part", "name", part.span()));
                continue;
            };
            let Some((holds, span)) = holds(library, part) else {
                continue;
            };
            parts.push(PartDeclaration {
                name: local.into(),
                holds,
                span,
            });
        }
        let message = MessageDeclaration {
            parts,
            span: element.span(),
        };
        once(
            library,
            "message",
            &mut self.messages,
            name,
            message,
            |it| it.span,
        );
    }

    fn port_type(&mut self, library: &mut Library<'_>, target: &Arc<str>, element: Element<'_>) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let mut operations = Vec::new();
        for operation in element.children_named(WSDL, "operation") {
            let Some(local) = operation.attribute("name") else {
                library.report(misplaced_element::lacking(
                    "operation",
                    "name",
                    operation.span(),
                ));
                continue;
            };
            let message = |library: &mut Library<'_>, kind: &str| {
                let child = operation.child(WSDL, kind)?;
                match child.attribute("message") {
                    Some(_) => library.name_in_attribute(child, "message"),
                    None => {
                        library.report(misplaced_element::lacking(kind, "message", child.span()));
                        None
                    }
                }
            };
            let first = operation
                .children()
                .find(|child| matches!(child.local(), "input" | "output"))
                .map(|child| child.local());
            if first != Some("input") {
                let what = match operation.child(WSDL, "input") {
                    Some(_) => "a solicit-response operation",
                    None => "a notification",
                };
                library.report(unsupported_construct::diagnostic(
                    what,
                    "left out",
                    operation.span(),
                ));
                continue;
            }
            let Some(input) = message(library, "input") else {
                continue;
            };
            let output = message(library, "output");
            let mut faults = Vec::new();
            for fault in operation.children_named(WSDL, "fault") {
                let fault_message = library.name_in_attribute(fault, "message");
                match (fault.attribute("name"), fault_message) {
                    (Some(name), Some(message)) => faults.push((name.into(), message)),
                    _ => library.report(misplaced_element::diagnostic(
                        "a fault has a name and a message",
                        fault.span(),
                    )),
                }
            }
            operations.push(OperationDeclaration {
                name: local.into(),
                input,
                output,
                faults,
                span: operation.span(),
            });
        }
        let port_type = PortType {
            operations,
            span: element.span(),
        };
        once(
            library,
            "port type",
            &mut self.port_types,
            name,
            port_type,
            |it| it.span,
        );
    }

    fn binding(&mut self, library: &mut Library<'_>, target: &Arc<str>, element: Element<'_>) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let Some(port_type) = library.name_in_attribute(element, "type") else {
            return;
        };
        let soap = element
            .children()
            .find(|child| child.is(SOAP_BINDING, "binding") || child.is(SOAP12_BINDING, "binding"));
        let Some(soap) = soap else {
            let what = other_binding(element);
            library.report(unsupported_construct::diagnostic(
                &what,
                "left out: its messages are taken to travel by SOAP",
                element.span(),
            ));
            self.other_bindings.push((port_type, what));
            return;
        };
        let transport = soap.attribute("transport").unwrap_or(HTTP_TRANSPORTS[0]);
        if !HTTP_TRANSPORTS.contains(&transport.trim()) {
            let what = format!("a binding to SOAP over `{transport}`");
            library.report(unsupported_construct::diagnostic(
                &what,
                "its messages are taken to travel over HTTP",
                soap.span(),
            ));
            self.other_bindings.push((port_type.clone(), what));
        }
        let is_http = HTTP_TRANSPORTS.contains(&transport.trim());
        let (namespace, version) = match &*soap.name().namespace {
            SOAP_BINDING => (SOAP_BINDING, SoapVersion::V11),
            _ => (SOAP12_BINDING, SoapVersion::V12),
        };
        let default_style = style_of(soap).unwrap_or(Style::Document);
        let mut operations = Vec::new();
        for operation in element.children_named(WSDL, "operation") {
            let Some(local) = operation.attribute("name") else {
                library.report(misplaced_element::lacking(
                    "operation",
                    "name",
                    operation.span(),
                ));
                continue;
            };
            let extension = operation.child(namespace, "operation");
            let body = operation
                .child(WSDL, "input")
                .and_then(|input| input.child(namespace, "body"));
            for body in operation
                .children()
                .filter_map(|child| child.child(namespace, "body"))
            {
                if body.attribute("use") == Some("encoded") {
                    library.report(unsupported_construct::diagnostic(
                        "the encoded use of a body",
                        "read and written as if it were literal",
                        body.span(),
                    ));
                }
            }
            let mut headers = Vec::new();
            for side in operation.children() {
                for header in side.children_named(namespace, "header") {
                    let message = library.name_in_attribute(header, "message");
                    let (Some(message), Some(part)) = (message, header.attribute("part")) else {
                        library.report(misplaced_element::lacking("header", "part", header.span()));
                        continue;
                    };
                    headers.push(HeaderPart {
                        is_answered: side.is(WSDL, "output"),
                        message,
                        part: part.into(),
                        span: header.span(),
                    });
                }
            }
            operations.push(OperationBinding {
                name: local.into(),
                soap: version,
                style: extension.and_then(style_of).unwrap_or(default_style),
                action: extension
                    .and_then(|it| it.attribute("soapAction"))
                    .unwrap_or_default()
                    .into(),
                namespace: body
                    .and_then(|it| it.attribute("namespace"))
                    .unwrap_or(target)
                    .into(),
                headers,
            });
        }
        let binding = WsdlBinding {
            port_type,
            soap: version,
            is_http,
            operations,
            span: element.span(),
        };
        once(
            library,
            "binding",
            &mut self.bindings,
            name,
            binding,
            |it| it.span,
        );
    }

    fn service(&mut self, library: &mut Library<'_>, target: &Arc<str>, element: Element<'_>) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let mut ports = Vec::new();
        for port in element.children_named(WSDL, "port") {
            let binding = library.name_in_attribute(port, "binding");
            let (Some(local), Some(binding)) = (port.attribute("name"), binding) else {
                library.report(misplaced_element::diagnostic(
                    "a port has a name and a binding",
                    port.span(),
                ));
                continue;
            };
            ports.push(Port {
                name: local.into(),
                binding,
                address: port
                    .children()
                    .filter(|child| child.local() == "address")
                    .find_map(|child| child.attribute("location"))
                    .map(Arc::from),
            });
        }
        let service = Service {
            ports,
            span: element.span(),
        };
        once(
            library,
            "service",
            &mut self.services,
            name,
            service,
            |it| it.span,
        );
    }

    fn partner_link_type(
        &mut self,
        library: &mut Library<'_>,
        target: &Arc<str>,
        element: Element<'_>,
    ) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let mut roles = Vec::new();
        for role in element.children().filter(|child| child.local() == "role") {
            let Some(local) = role.attribute("name") else {
                library.report(misplaced_element::lacking("role", "name", role.span()));
                continue;
            };
            // BPEL 1.1 writes the port type as an element.
            let inner = role.children().find(|child| child.local() == "portType");
            let port_type = match (role.attribute("portType"), inner) {
                (Some(_), _) => library.name_in_attribute(role, "portType"),
                (None, Some(inner)) => library.name_in_attribute(inner, "name"),
                (None, None) => {
                    library.report(misplaced_element::lacking("role", "portType", role.span()));
                    None
                }
            };
            roles.extend(port_type.map(|port_type| (Arc::from(local), port_type)));
        }
        let link = PartnerLinkType {
            roles,
            span: element.span(),
        };
        let links = &mut self.partner_link_types;
        once(library, "partner link type", links, name, link, |it| {
            it.span
        });
    }

    fn property(&mut self, library: &mut Library<'_>, target: &Arc<str>, element: Element<'_>) {
        let Some(name) = named(library, target, element) else {
            return;
        };
        let Some((holds, _)) = holds(library, element) else {
            return;
        };
        let property = Property {
            holds,
            span: element.span(),
        };
        once(
            library,
            "property",
            &mut self.properties,
            name,
            property,
            |it| it.span,
        );
    }

    fn property_alias(&mut self, library: &mut Library<'_>, element: Element<'_>) {
        let Some(property) = library.name_in_attribute(element, "propertyName") else {
            library.report(misplaced_element::lacking(
                "propertyAlias",
                "propertyName",
                element.span(),
            ));
            return;
        };
        let of = if element.attribute("messageType").is_some() {
            library
                .name_in_attribute(element, "messageType")
                .map(|message| AliasOf::Part {
                    message,
                    part: element.attribute("part").map(Arc::from),
                })
        } else if element.attribute("element").is_some() {
            library
                .name_in_attribute(element, "element")
                .map(AliasOf::Element)
        } else if element.attribute("type").is_some() {
            library
                .name_in_attribute(element, "type")
                .map(AliasOf::Type)
        } else {
            library.report(misplaced_element::lacking(
                "propertyAlias",
                "messageType",
                element.span(),
            ));
            None
        };
        let Some(of) = of else {
            return;
        };
        // BPEL 1.1 writes the query as an attribute.
        let query = element
            .children()
            .find(|child| child.local() == "query")
            .map(WrittenExpression::text_of)
            .or_else(|| WrittenExpression::attribute_of(element, "query"))
            .filter(|query| !query.text.trim().is_empty());
        self.aliases.push(PropertyAlias {
            property,
            of,
            query,
            span: element.span(),
        });
    }
}

/// What a binding that is not to SOAP is to.
fn other_binding(element: Element<'_>) -> String {
    let extension = element.children().find(|it| it.local() == "binding");
    let Some(extension) = extension else {
        return "a binding to other than SOAP".to_owned();
    };
    match &*extension.name().namespace {
        HTTP_BINDING => {
            let verb = extension.attribute("verb").unwrap_or("");
            format!("a binding to {}", format!("HTTP {verb}").trim_end())
        }
        other => format!("a binding to `{other}`"),
    }
}

fn style_of(element: Element<'_>) -> Option<Style> {
    match element.attribute("style")? {
        "rpc" => Some(Style::Rpc),
        _ => Some(Style::Document),
    }
}

/// The name of a declaration in the target namespace.
fn named(library: &mut Library<'_>, target: &Arc<str>, element: Element<'_>) -> Option<QName> {
    match element.attribute("name") {
        Some(local) => Some(QName::new(target.clone(), local)),
        None => {
            library.report(misplaced_element::lacking(
                element.local(),
                "name",
                element.span(),
            ));
            None
        }
    }
}

/// The attribute `element` or `type`, and its place.
fn holds(library: &mut Library<'_>, element: Element<'_>) -> Option<(PartHolds, Span)> {
    if element.attribute("element").is_some() {
        let name = library.name_in_attribute(element, "element")?;
        return Some((PartHolds::Element(name), element.attribute_span("element")));
    }
    if element.attribute("type").is_some() {
        let name = library.name_in_attribute(element, "type")?;
        return Some((PartHolds::Type(name), element.attribute_span("type")));
    }
    library.report(misplaced_element::diagnostic(
        format!("`{}` has neither an element nor a type", element.local()),
        element.span(),
    ));
    None
}

/// Adds a declaration; a second one of the same name is reported and left out.
fn once<T>(
    library: &mut Library<'_>,
    what: &str,
    table: &mut BTreeMap<QName, T>,
    name: QName,
    declared: T,
    span: fn(&T) -> Span,
) {
    match table.get(&name) {
        Some(first) => library.report(declared_twice::diagnostic(
            what,
            &name.local,
            span(first),
            span(&declared),
        )),
        None => {
            table.insert(name, declared);
        }
    }
}
