//! Messages as SOAP over HTTP, by the bindings of WSDL documents.

use std::sync::Arc;

use crate::{BodyKind, Call, Codec, DecodeError, Incoming, Outgoing, Reply, Response};
use choros_data::{Terms, Value};
use choros_model::interface::Side;
use choros_model::stg::{Operation, Role};
use choros_symex::driver::ConcreteMessage;
use choros_xml::schema::Schema;
use choros_xml::wire::{
    EnvelopeContent, EnvelopeKind, WireError, beyond_us, content_type, read_message, write_fault,
    write_message,
};
use choros_xml::wsdl::{MessageShape, OperationBinding, SoapVersion};

use crate::soap_text::body_text;

/// Translates by WSDL.
#[derive(Debug, Clone)]
pub struct SoapCodec {
    /// The service under test.
    pub service: Role,
    /// Where it is.
    pub target: String,
    /// The types of messages.
    pub schema: Schema,
    pub operations: Vec<SoapOperation>,
}

/// An operation and how it travels.
#[derive(Debug, Clone)]
pub struct SoapOperation {
    /// Who takes part in it beside the service.
    pub partner: Role,
    pub operation: Operation,
    /// Who offers it.
    pub side: Side,
    /// How it travels.
    pub binding: OperationBinding,
    /// What it is called with.
    pub input: Arc<MessageShape>,
    /// What it answers.
    pub output: Option<Arc<MessageShape>>,
    /// Its faults, by name.
    pub faults: Vec<(Arc<str>, Arc<MessageShape>)>,
}

impl SoapCodec {
    fn operation(
        &self,
        message: &ConcreteMessage,
        terms: &Terms,
    ) -> Result<&SoapOperation, String> {
        let partner = if message.from == self.service {
            message.to
        } else {
            message.from
        };
        self.operations
            .iter()
            .find(|one| one.partner == partner && one.operation == message.operation)
            .ok_or_else(|| format!("{} is in no WSDL document", message.text(terms)))
    }
}

impl Codec for SoapCodec {
    fn boxed(&self) -> Box<dyn Codec> {
        Box::new(self.clone())
    }

    fn target(&self) -> &str {
        &self.target
    }

    fn bodies(&self) -> BodyKind {
        BodyKind::Xml
    }

    fn constants(&self, _: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    fn is_reply(&self, message: &ConcreteMessage) -> bool {
        message.to == self.service
            && self.operations.iter().any(|one| {
                one.side == Side::Used
                    && one.partner == message.from
                    && one.operation == message.operation
            })
    }

    fn answers(&self, call: Operation, answer: Operation) -> bool {
        call == answer
    }

    fn request(
        &mut self,
        message: &ConcreteMessage,
        terms: &mut Terms,
    ) -> Result<Outgoing, String> {
        let one = self.operation(message, terms)?;
        let value = whole(message, &one.input)?;
        let text = write_message(
            &self.schema,
            terms,
            &one.binding,
            EnvelopeKind::Call,
            &one.input,
            &value,
        )
        .map_err(|error| error.to_string())?;
        let binding = &one.binding;
        let mut headers = vec![(
            "content-type".to_owned(),
            content_type(binding.soap, &binding.action),
        )];
        if binding.soap == SoapVersion::V11 {
            headers.push(("soapaction".to_owned(), format!("\"{}\"", binding.action)));
        }
        Ok(Outgoing {
            method: "POST".to_owned(),
            url: self.target.clone(),
            headers,
            body: text.into_bytes(),
        })
    }

    fn reply(&mut self, message: &ConcreteMessage, terms: &mut Terms) -> Result<Reply, String> {
        let one = self.operation(message, terms)?;
        let (status, text) = match message.fault {
            Some(fault) => {
                let name = terms.names.text(fault).to_owned();
                let shape = one.faults.iter().find(|(known, _)| **known == *name);
                let detail = match shape {
                    Some((_, shape)) => Some((&**shape, whole(message, shape)?)),
                    None => None,
                };
                let detail = detail.as_ref().map(|(shape, value)| (*shape, value));
                let text = write_fault(&self.schema, terms, one.binding.soap, &name, detail);
                (500, text)
            }
            None => {
                let shape = one
                    .output
                    .as_ref()
                    .ok_or_else(|| format!("{} has no answer", message.text(terms)))?;
                let text = write_message(
                    &self.schema,
                    terms,
                    &one.binding,
                    EnvelopeKind::Answer,
                    shape,
                    &whole(message, shape)?,
                );
                (200, text)
            }
        };
        Ok(Reply {
            status,
            content_type: Some(content_type(one.binding.soap, "")),
            body: text.map_err(|error| error.to_string())?.into_bytes(),
            headers: Vec::new(),
            remark: None,
        })
    }

    fn answer(
        &mut self,
        call: &ConcreteMessage,
        reply: &Reply,
        terms: &mut Terms,
    ) -> Result<Response, DecodeError> {
        let one = self.operation(call, terms)?;
        let is_success = (200..300).contains(&reply.status);
        let Some(shape) = &one.output else {
            return if is_success {
                Ok(Response::Taken)
            } else {
                reply.refused()
            };
        };
        if matches!(reply.status, 202 | 204) && reply.body.is_empty() {
            return Ok(Response::Taken);
        }
        let text = match body_text(&reply.body, reply.content_type.as_deref()) {
            Ok(text) => text,
            // An error without an envelope is an error of the protocol, as a reset is.
            Err(DecodeError::Wrong(_)) if !is_success => {
                return reply.refused();
            }
            Err(misread) => return Err(misread),
        };
        let received = read_message(
            &self.schema,
            terms,
            &one.binding,
            EnvelopeKind::Answer,
            shape,
            &one.faults,
            &text,
        );
        let message = |fault, values| ConcreteMessage {
            operation: call.operation,
            from: call.to,
            to: call.from,
            fault,
            values,
        };
        match received {
            Ok(EnvelopeContent::Message(value)) => {
                Ok(Response::Message(message(None, carried(value, shape))))
            }
            Ok(EnvelopeContent::Fault(fault)) => Ok(match fault.detail {
                Some((name, value)) => {
                    let shape = one.faults.iter().find(|(known, _)| *known == name);
                    let values = shape.map_or_else(Vec::new, |(_, shape)| carried(value, shape));
                    let name = terms.names.intern(&name);
                    Response::Message(message(Some(name), values))
                }
                None => Response::Refused(format!("fault {}: {}", fault.code, fault.reason)),
            }),
            Err(_) if !is_success => reply.refused(),
            Err(errors) => Err(misread(&text, &errors)),
        }
    }

    fn doubt(&self, message: &ConcreteMessage, terms: &Terms) -> Option<String> {
        let one = self.operation(message, terms).ok()?;
        // Our messages are calls of what the service provides, and answers to what it uses.
        let is_call = one.side == Side::Provided;
        let shape = match message.fault {
            Some(fault) => {
                let name = terms.names.text(fault);
                let (_, shape) = one.faults.iter().find(|(known, _)| **known == *name)?;
                shape
            }
            None if is_call => &one.input,
            None => one.output.as_ref()?,
        };
        let value = whole(message, shape).ok()?;
        match (&shape.parts[..], &value) {
            ([part], value) => self.schema.doubt(part.holds, value),
            (parts, Value::Record { fields, .. }) => parts
                .iter()
                .zip(fields)
                .find_map(|(part, value)| self.schema.doubt(part.holds, value)),
            _ => None,
        }
    }

    fn is_call(&self, incoming: &Incoming) -> bool {
        incoming.method == "POST"
    }

    fn call(&mut self, incoming: &Incoming, terms: &mut Terms) -> Result<Call, DecodeError> {
        let header = |wanted: &str| {
            let found = incoming.headers.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let text = body_text(&incoming.body, header("content-type"))?;
        let offered = |one: &&SoapOperation| one.partner == incoming.role && one.side == Side::Used;
        // The action says which operation is meant, but only the body can be relied on.
        let action = header("soapaction").unwrap_or_default().trim_matches('"');
        let mut operations: Vec<&SoapOperation> = self.operations.iter().filter(offered).collect();
        operations.sort_by_key(|one| &*one.binding.action != action);
        let mut first = None;
        for one in operations {
            let received = read_message(
                &self.schema,
                terms,
                &one.binding,
                EnvelopeKind::Call,
                &one.input,
                &[],
                &text,
            );
            match received {
                Ok(EnvelopeContent::Message(value)) => {
                    return Ok(Call {
                        message: ConcreteMessage {
                            operation: one.operation,
                            from: self.service,
                            to: one.partner,
                            fault: None,
                            values: carried(value, &one.input),
                        },
                        awaits_answer: one.output.is_some() || !one.faults.is_empty(),
                    });
                }
                Ok(EnvelopeContent::Fault(_)) => {
                    first.get_or_insert(DecodeError::Wrong("a fault is not a call".to_owned()));
                }
                Err(errors) => {
                    first.get_or_insert(misread(&text, &errors));
                }
            }
        }
        Err(first.unwrap_or_else(|| {
            let role = terms.names.text(incoming.role.0);
            DecodeError::Wrong(format!("{role} has no operations"))
        }))
    }
}

/// The value of a message in SOAP: one whose message has no parts carries nothing in the model, and an empty record here.
fn whole(message: &ConcreteMessage, shape: &MessageShape) -> Result<Value, String> {
    match &message.values[..] {
        [value] => Ok(value.clone()),
        [] if shape.parts.is_empty() => Ok(Value::Record {
            sort: shape.sort,
            fields: Vec::new(),
        }),
        values => Err(format!(
            "{} values where SOAP has one message",
            values.len()
        )),
    }
}

/// What a message with this value carries in the model: nothing if it has no parts.
fn carried(value: Value, shape: &MessageShape) -> Vec<Value> {
    if shape.parts.is_empty() {
        Vec::new()
    } else {
        vec![value]
    }
}

fn misread(text: &str, errors: &[WireError]) -> DecodeError {
    let texts: Vec<String> = errors.iter().take(3).map(ToString::to_string).collect();
    let reason = format!("the envelope cannot be read: {}", texts.join("; "));
    match beyond_us(text, errors) {
        Some(why) => DecodeError::Unclear(format!("{reason} ({why})")),
        None => DecodeError::Wrong(reason),
    }
}
