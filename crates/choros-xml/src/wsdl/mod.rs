//! WSDL 1.1: messages, port types, bindings, services, and the extensions of BPEL.

mod message;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::Span;

use crate::document::{Namespaces, QName, WrittenExpression};
use crate::schema::Schema;

pub use message::{MessageShape, PartShape};

/// The namespace of WSDL 1.1.
pub const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";
/// The namespace of bindings to SOAP 1.1.
pub const SOAP_BINDING: &str = "http://schemas.xmlsoap.org/wsdl/soap/";
/// The namespace of bindings to SOAP 1.2.
pub const SOAP12_BINDING: &str = "http://schemas.xmlsoap.org/wsdl/soap12/";

/// What bindings to SOAP call HTTP.
const HTTP_TRANSPORTS: [&str; 4] = [
    "http://schemas.xmlsoap.org/soap/http",
    "http://schemas.xmlsoap.org/soap/http/",
    "http://www.w3.org/2003/05/soap/bindings/HTTP/",
    "",
];

/// The namespace of bindings to plain HTTP.
const HTTP_BINDING: &str = "http://schemas.xmlsoap.org/wsdl/http/";

/// A partner link with the port types of its roles.
#[derive(Debug, Clone)]
pub struct Partner {
    /// Its name, which is that of the partner's role in messages.
    pub name: Arc<str>,
    /// What the service offers.
    pub offers: Option<QName>,
    /// What the service uses.
    pub uses: Option<QName>,
}

/// Everything that the WSDL and schema documents of a run define.
#[derive(Debug, Default, Clone)]
pub struct Definitions {
    /// Types and elements.
    pub schema: Schema,
    pub messages: BTreeMap<QName, MessageDeclaration>,
    pub port_types: BTreeMap<QName, PortType>,
    pub bindings: BTreeMap<QName, WsdlBinding>,
    /// Bindings to other than SOAP over HTTP: the port type, and to what.
    pub other_bindings: Vec<(QName, String)>,
    pub services: BTreeMap<QName, Service>,
    /// Partner link types (an extension of BPEL).
    pub partner_link_types: BTreeMap<QName, PartnerLinkType>,
    /// Properties (an extension of BPEL).
    pub properties: BTreeMap<QName, Property>,
    /// Where properties stand in messages, in the order of the documents (an extension of BPEL).
    pub aliases: Vec<PropertyAlias>,
    documents: BTreeSet<String>,
    /// Headers about which something was said.
    named_headers: BTreeSet<Span>,
    shapes: BTreeMap<QName, Option<Arc<MessageShape>>>,
}

/// A message as it is declared.
#[derive(Debug, Clone)]
pub struct MessageDeclaration {
    /// Its parts, in order.
    pub parts: Vec<PartDeclaration>,
    /// Where it is declared.
    pub span: Span,
}

/// A part as it is declared.
#[derive(Debug, Clone)]
pub struct PartDeclaration {
    pub name: Arc<str>,
    pub holds: PartHolds,
    /// Where the name of the element or type is written.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum PartHolds {
    /// The element of this name.
    Element(QName),
    /// Whatever this type allows, in an element named after the part.
    Type(QName),
}

/// A port type: operations that belong together.
#[derive(Debug, Clone)]
pub struct PortType {
    /// The operations, in order.
    pub operations: Vec<OperationDeclaration>,
    /// Where it is declared.
    pub span: Span,
}

/// An operation: one-way when it has no output.
#[derive(Debug, Clone)]
pub struct OperationDeclaration {
    pub name: Arc<str>,
    /// The message that calls it.
    pub input: QName,
    /// The message it answers with.
    pub output: Option<QName>,
    /// The messages it may answer with instead, by the fault's name.
    pub faults: Vec<(Arc<str>, QName)>,
    /// Where it is declared.
    pub span: Span,
}

/// How the operations of a port type travel.
#[derive(Debug, Clone)]
pub struct WsdlBinding {
    pub port_type: QName,
    /// The version of SOAP.
    pub soap: SoapVersion,
    /// Whether it is over HTTP.
    pub is_http: bool,
    /// The operations, in order.
    pub operations: Vec<OperationBinding>,
    /// Where it is declared.
    pub span: Span,
}

/// How one operation travels.
#[derive(Debug, Clone)]
pub struct OperationBinding {
    /// The operation's name.
    pub name: Arc<str>,
    /// The version of SOAP.
    pub soap: SoapVersion,
    /// How its messages stand in the body.
    pub style: Style,
    /// The value of the header `SOAPAction`.
    pub action: Arc<str>,
    /// The namespace of the element around the parts, for [`Style::Rpc`].
    pub namespace: Arc<str>,
    /// The parts that stand in the header of the envelope.
    pub headers: Vec<HeaderPart>,
}

/// A part of a message that stands in the header of its envelope.
#[derive(Debug, Clone)]
pub struct HeaderPart {
    /// Whether it is a header of the answer, not of the call.
    pub is_answered: bool,
    pub message: QName,
    pub part: Arc<str>,
    /// Where the header is declared.
    pub span: Span,
}

/// How a message stands in the body of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Its one part is the body.
    Document,
    /// An element named after the operation holds an element per part.
    Rpc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoapVersion {
    /// SOAP 1.1, `text/xml`.
    V11,
    /// SOAP 1.2, `application/soap+xml`.
    V12,
}

/// A service: ports with addresses.
#[derive(Debug, Clone)]
pub struct Service {
    /// Its ports, in order.
    pub ports: Vec<Port>,
    /// Where it is declared.
    pub span: Span,
}

/// A binding at an address.
#[derive(Debug, Clone)]
pub struct Port {
    pub name: Arc<str>,
    pub binding: QName,
    pub address: Option<Arc<str>>,
}

/// Who talks to whom over which port types.
#[derive(Debug, Clone)]
pub struct PartnerLinkType {
    /// One or two roles, each with the port type it offers.
    pub roles: Vec<(Arc<str>, QName)>,
    /// Where it is declared.
    pub span: Span,
}

/// A property: a datum that several messages carry.
#[derive(Debug, Clone)]
pub struct Property {
    pub holds: PartHolds,
    /// Where it is declared.
    pub span: Span,
}

/// Where a property stands in a message or element.
#[derive(Debug, Clone)]
pub struct PropertyAlias {
    pub property: QName,
    /// In what.
    pub of: AliasOf,
    /// The path to it, relative to that; `None` when it is the whole.
    pub query: Option<WrittenExpression>,
    /// Where it is declared.
    pub span: Span,
}

/// What a property stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AliasOf {
    /// A part of a message.
    Part {
        message: QName,
        /// The part; `None` when the message has only one.
        part: Option<Arc<str>>,
    },
    Element(QName),
    Type(QName),
}

impl Definitions {
    /// The alias of a property in messages of a type.
    pub fn alias(&self, property: &QName, message: &QName) -> Option<&PropertyAlias> {
        self.aliases.iter().find(|alias| {
            alias.property == *property
                && matches!(&alias.of, AliasOf::Part { message: of, .. } if of == message)
        })
    }

    /// The operation of a port type.
    pub fn operation(&self, port_type: &QName, operation: &str) -> Option<&OperationDeclaration> {
        self.port_types
            .get(port_type)?
            .operations
            .iter()
            .find(|one| &*one.name == operation)
    }

    /// How an operation of a port type travels: its first binding to SOAP, or document/literal over SOAP 1.1 when
    /// there is none.
    pub fn operation_binding(&self, port_type: &QName, operation: &str) -> OperationBinding {
        self.bindings
            .values()
            .filter(|binding| binding.port_type == *port_type)
            .flat_map(|binding| &binding.operations)
            .find(|one| &*one.name == operation)
            .cloned()
            .unwrap_or_else(|| OperationBinding {
                name: operation.into(),
                soap: SoapVersion::V11,
                style: Style::Document,
                action: "".into(),
                namespace: port_type.namespace.clone(),
                headers: Vec::new(),
            })
    }

    /// Other ways than SOAP over HTTP, in words, by which alone what these partners offer or use can be reached.
    pub fn only_otherwise(&self, partners: &[Partner]) -> Vec<String> {
        let used = partners
            .iter()
            .flat_map(|it| it.offers.iter().chain(&it.uses));
        let used: BTreeSet<&QName> = used.collect();
        let mut found = Vec::new();
        for (port_type, what) in &self.other_bindings {
            let mut bindings = self
                .bindings
                .values()
                .filter(|it| it.port_type == *port_type);
            if used.contains(port_type) && !bindings.any(|it| it.is_http) {
                found.push(what.clone());
            }
        }
        found
    }

    /// The addresses at which a port type is offered, in the order of services.
    pub fn addresses(&self, port_type: &QName) -> Vec<&str> {
        self.services
            .values()
            .flat_map(|service| &service.ports)
            .filter(|port| {
                self.bindings
                    .get(&port.binding)
                    .is_some_and(|binding| binding.port_type == *port_type)
            })
            .filter_map(|port| port.address.as_deref())
            .collect()
    }
}

impl PropertyAlias {
    /// The prefixes bound where the query is written.
    pub fn namespaces(&self) -> Option<&Namespaces> {
        self.query.as_ref().map(|query| &query.namespaces)
    }
}
