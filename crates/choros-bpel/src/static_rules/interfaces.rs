//! Port types: their kinds of operations, their names, and the attribute `portType`.

use choros_xml::document::{Element, QName};
use choros_xml::wsdl::WSDL;

use super::{Rules, rule};

rule!(SA00001 {
    code: "CH1401",
    name: "outgoing-operation",
    section: "3",
    what: "No port type of a partner link has an operation that begins with an output: a notification or a solicit-response operation.",
    why: "WS-BPEL has no activity for such an operation; the partner would wait for a message that the process cannot send, or send one that it cannot receive.",
    example: "<operation name='news'><output message='t:m'/></operation>",
});

rule!(SA00002 {
    code: "CH1402",
    name: "overloaded-operation",
    section: "3",
    what: "No port type of an imported document has two operations with the same name.",
    why: "An activity names its operation by its name alone; which of the two it means is undefined.",
    example: "<operation name='o'><input message='t:m'/></operation>\n<operation name='o'><input message='t:k'/></operation>",
});

rule!(SA00005 {
    code: "CH1405",
    name: "other-port-type",
    section: "5.2",
    what: "If an activity has the attribute `portType`, it is the port type that its partner link and its role imply.",
    why: "The attribute is there for readers; another port type means that the author had another operation in mind.",
    example: "<receive partnerLink='USER' portType='t:Other' operation='o' variable='x'/>",
});

impl<'a> Rules<'a> {
    pub(super) fn interfaces(&mut self) {
        self.overloaded();
        for link in self.all(&["partnerLink"]) {
            for role in ["myRole", "partnerRole"] {
                let Some(port_type) = self.port_type(link, role) else {
                    continue;
                };
                if let Some((kind, operation)) = self.outgoing(&port_type) {
                    let name = operation.attribute("name").unwrap_or("");
                    let span = link.attribute_span(role);
                    self.covers(operation.span(), false);
                    self.report(
                        &SA00001,
                        format!("`{}` has {kind}, `{name}`", port_type.local),
                        span,
                        "this role has the port type",
                    );
                    self.also(operation.span(), "begins with its output");
                }
            }
        }
        for element in self.all(&["receive", "reply", "invoke", "onMessage", "onEvent"]) {
            let Some(written) = element.attribute("portType") else {
                continue;
            };
            let (Ok(written), Some(implied)) =
                (element.resolve(written), self.implied_port_type(element))
            else {
                continue;
            };
            if written != implied {
                let span = element.attribute_span("portType");
                let link = element.attribute("partnerLink").unwrap_or("");
                self.report(
                    &SA00005,
                    format!(
                        "the port type of `{link}` is `{}` here, not `{}`",
                        implied.local, written.local
                    ),
                    span,
                    format!("`{}` is expected", implied.local),
                );
            }
        }
    }

    fn overloaded(&mut self) {
        for document in self.documents {
            let root = document.root();
            for port_type in root.children_named(WSDL, "portType") {
                let operations = port_type.children_named(WSDL, "operation");
                for (again, first) in super::tree::repeated(operations, "name") {
                    let name = again.attribute("name").unwrap_or("");
                    let of = port_type.attribute("name").unwrap_or("");
                    let span = again.attribute_span("name");
                    let message = format!("`{of}` has two operations `{name}`");
                    self.report(&SA00002, message, span, "the second one");
                    self.also(first, "the first one");
                }
            }
        }
    }

    /// The first operation of a port type that begins with its output.
    fn outgoing(&self, port_type: &QName) -> Option<(&'static str, Element<'a>)> {
        let port_type = self.documents.iter().find_map(|document| {
            let root = document.root();
            let target = root.attribute("targetNamespace").unwrap_or("");
            root.children_named(WSDL, "portType").find(|it| {
                target == &*port_type.namespace && it.attribute("name") == Some(&port_type.local)
            })
        })?;
        port_type
            .children_named(WSDL, "operation")
            .find_map(|operation| {
                let first = operation
                    .children()
                    .find(|it| matches!(it.local(), "input" | "output"))?;
                if first.local() == "input" {
                    return None;
                }
                let kind = match operation.child(WSDL, "input") {
                    Some(_) => "a solicit-response operation",
                    None => "a notification",
                };
                Some((kind, operation))
            })
    }
}
