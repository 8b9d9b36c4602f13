//! SOAP envelopes.

use choros_syntax::quote::{xml_attribute, xml_text};
use std::sync::Arc;

use choros_base::SourceMap;
use choros_data::{SortKind, Terms, Value};

use super::WireError;
use super::read::{document, place, read_element};
use super::write::write_element;
use crate::document::{Element, QName};
use crate::schema::Schema;
use crate::wsdl::{MessageShape, OperationBinding, PartShape, SoapVersion, Style};

/// The namespace of envelopes of SOAP 1.1.
pub(super) const ENVELOPE_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// The namespace of envelopes of SOAP 1.2.
pub(super) const ENVELOPE_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// Which message of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvelopeKind {
    Call,
    Answer,
}

/// What came in an envelope.
#[derive(Debug, Clone, PartialEq)]
pub enum EnvelopeContent {
    /// The message that was expected.
    Message(Value),
    /// A fault instead.
    Fault(SoapFault),
}

/// A fault in an envelope.
#[derive(Debug, Clone, PartialEq)]
pub struct SoapFault {
    /// Its code, without a prefix: `Server`, `Receiver`.
    pub code: String,
    /// Its reason, for people.
    pub reason: String,
    /// Which fault of the operation it is, and with what value, when its detail is the message of one.
    pub detail: Option<(Arc<str>, Value)>,
}

/// The header `Content-Type` of an envelope; in SOAP 1.2 it holds the action too.
pub fn content_type(version: SoapVersion, action: &str) -> String {
    match (version, action) {
        (SoapVersion::V11, _) => "text/xml; charset=utf-8".to_owned(),
        (SoapVersion::V12, "") => "application/soap+xml; charset=utf-8".to_owned(),
        (SoapVersion::V12, action) => {
            let action = action.replace('\\', "\\\\").replace('"', "\\\"");
            format!("application/soap+xml; charset=utf-8; action=\"{action}\"")
        }
    }
}

/// An envelope with a message.
///
/// # Errors
///
/// When the value does not obey the schema, or has no text in XML.
pub fn write_message(
    schema: &Schema,
    terms: &Terms,
    binding: &OperationBinding,
    exchange: EnvelopeKind,
    shape: &MessageShape,
    value: &Value,
) -> Result<String, WireError> {
    let (headers, parts): (Vec<_>, Vec<_>) = parts(shape, value)
        .into_iter()
        .partition(|(part, _)| is_header(binding, exchange, shape, part));
    let mut header = String::new();
    for (part, value) in &headers {
        let name = part_name(part.element.as_ref(), &part.name);
        header.push_str(&write_element(schema, terms, &name, part.holds, value, 2)?);
    }
    let body = match binding.style {
        Style::Document => {
            let mut body = String::new();
            for (part, value) in &parts {
                let name = part_name(part.element.as_ref(), &part.name);
                body.push_str(&write_element(schema, terms, &name, part.holds, value, 2)?);
            }
            body
        }
        Style::Rpc => {
            let wrapper = wrapper(binding, exchange);
            let namespace = xml_attribute(&binding.namespace);
            let mut body = format!("    <o:{wrapper} xmlns:o=\"{namespace}\">\n");
            for (part, value) in &parts {
                // The element of a part has no namespace.
                let name = QName::unqualified(part.name.clone());
                body.push_str(&write_element(schema, terms, &name, part.holds, value, 3)?);
            }
            body.push_str(&format!("    </o:{wrapper}>\n"));
            body
        }
    };
    Ok(envelope(binding.soap, &header, &body))
}

/// An envelope with a fault; `detail` is the message of the fault and its value, when it is one of the operation's.
///
/// # Errors
///
/// When the value does not obey the schema, or has no text in XML.
pub fn write_fault(
    schema: &Schema,
    terms: &Terms,
    version: SoapVersion,
    reason: &str,
    detail: Option<(&MessageShape, &Value)>,
) -> Result<String, WireError> {
    let mut inner = String::new();
    if let Some((shape, value)) = detail {
        for (part, value) in parts(shape, value) {
            let name = part_name(part.element.as_ref(), &part.name);
            inner.push_str(&write_element(schema, terms, &name, part.holds, value, 4)?);
        }
    }
    let reason = xml_text(
        &reason
            .chars()
            .filter(|&it| crate::schema::is_xml_character(it))
            .collect::<String>(),
    );
    let body = match version {
        SoapVersion::V11 => {
            let detail = if inner.is_empty() {
                String::new()
            } else {
                format!("      <detail>\n{inner}      </detail>\n")
            };
            format!(
                "    <s:Fault>\n      <faultcode>s:Server</faultcode>\n      \
                 <faultstring>{reason}</faultstring>\n{detail}    </s:Fault>\n"
            )
        }
        SoapVersion::V12 => {
            let detail = if inner.is_empty() {
                String::new()
            } else {
                format!("      <s:Detail>\n{inner}      </s:Detail>\n")
            };
            format!(
                "    <s:Fault>\n      <s:Code><s:Value>s:Receiver</s:Value></s:Code>\n      \
                 <s:Reason><s:Text xml:lang=\"en\">{reason}</s:Text></s:Reason>\n{detail}    </s:Fault>\n"
            )
        }
    };
    Ok(envelope(version, "", &body))
}

/// What an envelope holds; either version of SOAP is read, whatever the binding says.
///
/// `faults` are the faults of the operation, by name.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_message(
    schema: &Schema,
    terms: &Terms,
    binding: &OperationBinding,
    exchange: EnvelopeKind,
    shape: &MessageShape,
    faults: &[(Arc<str>, Arc<MessageShape>)],
    text: &str,
) -> Result<EnvelopeContent, Vec<WireError>> {
    let mut sources = SourceMap::new();
    let document = document(&mut sources, text)?;
    let reader = Reader {
        schema,
        terms,
        sources: &sources,
    };
    let root = document.root();
    let namespace = [ENVELOPE_11, ENVELOPE_12]
        .into_iter()
        .find(|namespace| root.is(namespace, "Envelope"));
    let Some(namespace) = namespace else {
        return reader.fail(root, "", "it is not a SOAP envelope");
    };
    let Some(body) = root.child(namespace, "Body") else {
        return reader.fail(root, "Envelope", "the envelope has no body");
    };
    if let Some(fault) = body.child(namespace, "Fault") {
        return Ok(EnvelopeContent::Fault(reader.fault(fault, faults)));
    }
    let (headers, parts): (Vec<&PartShape>, Vec<&PartShape>) = shape
        .parts
        .iter()
        .partition(|part| is_header(binding, exchange, shape, part));
    let values = match binding.style {
        Style::Document => reader.document_parts(body, &parts)?,
        Style::Rpc => {
            let wrapper = wrapper(binding, exchange);
            // Some services leave the namespace of the wrapper out, or the word `Response`.
            let found = body.children().next();
            match found {
                Some(element)
                    if element.local() == wrapper || element.local() == &*binding.name =>
                {
                    reader.rpc_parts(element, &parts)?
                }
                Some(other) => {
                    let message = format!("`{wrapper}` is expected, not `{}`", other.local());
                    return reader.fail(other, "Envelope/Body", message);
                }
                None => {
                    let message = format!("`{wrapper}` is expected");
                    return reader.fail(body, "Envelope/Body", message);
                }
            }
        }
    };
    let in_header = reader.header_parts(root, namespace, &headers)?;
    let (mut in_header, mut in_body) = (in_header.into_iter(), values.into_iter());
    let values = shape.parts.iter().filter_map(|part| {
        if is_header(binding, exchange, shape, part) {
            in_header.next()
        } else {
            in_body.next()
        }
    });
    match join(terms, shape, values.collect()) {
        Some(value) => Ok(EnvelopeContent::Message(value)),
        None => reader.fail(body, "Envelope/Body", "the parts do not make a message"),
    }
}

struct Reader<'r> {
    schema: &'r Schema,
    terms: &'r Terms,
    sources: &'r SourceMap,
}

impl Reader<'_> {
    fn fail<T>(
        &self,
        element: Element<'_>,
        path: &str,
        message: impl Into<String>,
    ) -> Result<T, Vec<WireError>> {
        Err(vec![WireError {
            path: path.to_owned(),
            place: Some(place(self.sources, element.span())),
            message: message.into(),
        }])
    }

    /// Parts in the header, beside which there may be headers of others.
    fn header_parts(
        &self,
        envelope: Element<'_>,
        namespace: &str,
        parts: &[&PartShape],
    ) -> Result<Vec<Value>, Vec<WireError>> {
        let header = envelope.child(namespace, "Header");
        let mut values = Vec::new();
        for part in parts {
            let name = part_name(part.element.as_ref(), &part.name);
            let mut found = header.into_iter().flat_map(Element::children);
            match found.find(|it| *it.name() == name) {
                Some(element) => values.push(self.part(element, part.holds, "Envelope/Header")?),
                None => {
                    let message = format!("`{name}` is missing in the header");
                    return self.fail(header.unwrap_or(envelope), "Envelope", message);
                }
            }
        }
        Ok(values)
    }

    fn document_parts(
        &self,
        body: Element<'_>,
        parts: &[&PartShape],
    ) -> Result<Vec<Value>, Vec<WireError>> {
        let mut values = Vec::new();
        let mut elements = body.children();
        for part in parts {
            let name = part_name(part.element.as_ref(), &part.name);
            match elements.next() {
                Some(element) if *element.name() == name => {
                    values.push(self.part(element, part.holds, "Envelope/Body")?);
                }
                Some(other) => {
                    let message = format!("`{name}` is expected, not `{}`", other.name());
                    return self.fail(other, "Envelope/Body", message);
                }
                None => return self.fail(body, "Envelope/Body", format!("`{name}` is missing")),
            }
        }
        match elements.next() {
            Some(other) => {
                let message = format!("the element `{}` is not expected", other.name());
                self.fail(other, "Envelope/Body", message)
            }
            None => Ok(values),
        }
    }

    fn rpc_parts(
        &self,
        wrapper: Element<'_>,
        parts: &[&PartShape],
    ) -> Result<Vec<Value>, Vec<WireError>> {
        let path = format!("Envelope/Body/{}", wrapper.local());
        let mut values = Vec::new();
        for part in parts {
            match wrapper
                .children()
                .find(|child| child.local() == &*part.name)
            {
                Some(element) => values.push(self.part(element, part.holds, &path)?),
                None => {
                    let message = format!("the part `{}` is missing", part.name);
                    return self.fail(wrapper, &path, message);
                }
            }
        }
        Ok(values)
    }

    fn part(
        &self,
        element: Element<'_>,
        holds: crate::schema::TypeId,
        path: &str,
    ) -> Result<Value, Vec<WireError>> {
        read_element(self.schema, self.terms, self.sources, element, holds).map_err(|errors| {
            errors
                .into_iter()
                .map(|error| WireError {
                    path: format!("{path}/{}", error.path),
                    ..error
                })
                .collect()
        })
    }

    /// Both versions: children without a namespace in SOAP 1.1, capitalised in 1.2.
    fn fault(&self, fault: Element<'_>, faults: &[(Arc<str>, Arc<MessageShape>)]) -> SoapFault {
        let child = |parent: Element<'_>, name: &str| {
            parent
                .children()
                .find(|child| child.local().eq_ignore_ascii_case(name))
                .map(|child| child.text().trim().to_owned())
        };
        let inside = |outer: &str, inner: &str| {
            let outer = fault.children().find(|it| it.local() == outer)?;
            child(outer, inner)
        };
        let code = child(fault, "faultcode")
            .or_else(|| inside("Code", "Value"))
            .unwrap_or_default();
        let reason = child(fault, "faultstring")
            .or_else(|| inside("Reason", "Text"))
            .unwrap_or_default();
        let detail = fault
            .children()
            .find(|child| child.local().eq_ignore_ascii_case("detail"));
        SoapFault {
            code: code.rsplit(':').next().unwrap_or_default().to_owned(),
            reason,
            detail: detail.and_then(|detail| self.detail(detail, faults)),
        }
    }

    fn detail(
        &self,
        detail: Element<'_>,
        faults: &[(Arc<str>, Arc<MessageShape>)],
    ) -> Option<(Arc<str>, Value)> {
        // Beside the message of the fault there may be other things, such as the name of the machine.
        faults.iter().find_map(|(name, shape)| {
            let mut values = Vec::new();
            for part in &shape.parts {
                let wanted = part_name(part.element.as_ref(), &part.name);
                let element = detail.children().find(|it| *it.name() == wanted)?;
                values.push(self.part(element, part.holds, "detail").ok()?);
            }
            Some((name.clone(), join(self.terms, shape, values)?))
        })
    }
}

/// Whether a part of a message stands in the header.
fn is_header(
    binding: &OperationBinding,
    exchange: EnvelopeKind,
    shape: &MessageShape,
    part: &PartShape,
) -> bool {
    binding.headers.iter().any(|it| {
        it.is_answered == (exchange == EnvelopeKind::Answer)
            && it.message == shape.name
            && it.part == part.name
    })
}

fn envelope(version: SoapVersion, header: &str, body: &str) -> String {
    let namespace = match version {
        SoapVersion::V11 => ENVELOPE_11,
        SoapVersion::V12 => ENVELOPE_12,
    };
    let header = match header {
        "" => String::new(),
        header => format!("  <s:Header>\n{header}  </s:Header>\n"),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<s:Envelope xmlns:s=\"{namespace}\">\n{header}  \
         <s:Body>\n{body}  </s:Body>\n</s:Envelope>\n"
    )
}

fn wrapper(binding: &OperationBinding, exchange: EnvelopeKind) -> String {
    match exchange {
        EnvelopeKind::Call => binding.name.to_string(),
        EnvelopeKind::Answer => format!("{}Response", binding.name),
    }
}

fn part_name(element: Option<&QName>, part: &Arc<str>) -> QName {
    element
        .cloned()
        .unwrap_or_else(|| QName::unqualified(part.clone()))
}

/// The parts of a message's value.
fn parts<'v>(shape: &'v MessageShape, value: &'v Value) -> Vec<(&'v PartShape, &'v Value)> {
    match (&shape.parts[..], value) {
        ([only], value) => vec![(only, value)],
        (parts, Value::Record { fields, .. }) => parts.iter().zip(fields).collect(),
        _ => Vec::new(),
    }
}

/// The message's value from those of its parts.
fn join(terms: &Terms, shape: &MessageShape, mut values: Vec<Value>) -> Option<Value> {
    if shape.parts.len() == 1 {
        return values.pop();
    }
    match terms.sort_kind(shape.sort) {
        SortKind::Record(fields) if fields.len() == values.len() => Some(Value::Record {
            sort: shape.sort,
            fields: values,
        }),
        _ => None,
    }
}
