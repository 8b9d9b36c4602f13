//! Messages as JSON over HTTP, by a binding.

use std::borrow::Cow;

use choros_bind::{Binding, MessageBinding, Place, Statuses, Template};
use choros_data::{Sort, Terms, Value};
use choros_model::interface::Side;
use choros_model::observation::NotANumber;
use choros_model::stg::{Operation, Role};
use choros_suite::{from_json, has_endless_number, number, read_exactly, to_json};
use choros_symex::ServiceModel;
use choros_symex::driver::{ConcreteMessage, KnownTexts};
use serde_json::{Map, Value as Json};

use crate::codec::{BodyKind, Call, Codec, DecodeError, Incoming, Outgoing, Reply, Response};
use crate::field_place::{Placed, get, json_of, placed, put, read_field, write_field};
use crate::hidden_values::HiddenValues;
use crate::json_place::{Head, from_text, to_text};
use crate::known_texts::known_texts;
use crate::message_fields::{MessageFields, shapes, variable_names};

/// Translates by a binding.
#[derive(Debug, Clone)]
pub struct JsonCodec {
    /// The service under test.
    pub service: Role,
    /// Where it is, without a path of an operation.
    pub target: String,
    /// What differs from the rule: `POST /operation`, fields by their labels, no answer.
    pub binding: Binding,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// Values go from message to message as they are, so that none may be computed: tests that run without us.
    pub only_copies: bool,
    /// The messages of the model.
    pub shapes: Vec<MessageFields>,
    /// What fields without labels are called in the model, by message.
    names: Vec<(MessageFields, Vec<Option<String>>)>,
    /// Calls and their answers, as the binding has them.
    links: Vec<(Operation, Operation)>,
    /// Operations that partners call, for those that are answered under their own names.
    provided: Vec<(Role, Operation)>,
    /// Types of bodies that were JSON all the same.
    other_types: Vec<String>,
    /// What must not be shown.
    pub(crate) hidden: Option<HiddenValues>,
}

impl JsonCodec {
    /// How a model talks by a binding.
    pub fn of(
        model: &ServiceModel,
        target: String,
        binding: Binding,
        terms: &mut Terms,
    ) -> JsonCodec {
        let operations = model.interface.operations.iter();
        let provided = operations
            .filter(|signature| signature.side == Side::Provided)
            .map(|signature| (signature.partner, signature.operation))
            .collect();
        let shapes = shapes(&model.stg, terms);
        let service = model.interface.orchestrator;
        // Names are those of the model that the binding is about.
        let names = match binding.model {
            Some(_) => variable_names(&model.stg, &shapes, terms),
            None => Vec::new(),
        };
        let codec = JsonCodec::new(service, target, binding, shapes, provided, terms);
        JsonCodec { names, ..codec }
    }

    /// Where each field of a message stands.
    fn places(&self, shape: &MessageFields, bound: &MessageBinding) -> Result<Vec<Placed>, String> {
        let named = self.names.iter().find(|(it, _)| it == shape);
        placed(shape, named.map_or(&[], |(_, names)| names), bound)
    }

    /// A codec for the messages of a model.
    pub fn new(
        service: Role,
        target: String,
        binding: Binding,
        shapes: Vec<MessageFields>,
        provided: Vec<(Role, Operation)>,
        terms: &mut Terms,
    ) -> JsonCodec {
        let mut links = Vec::new();
        for message in &binding.messages {
            let answer = Operation(terms.names.intern(&message.name));
            for call in binding.calls(message) {
                links.push((Operation(terms.names.intern(call)), answer));
            }
        }
        JsonCodec {
            service,
            target,
            binding,
            headers: Vec::new(),
            only_copies: false,
            shapes,
            names: Vec::new(),
            links,
            provided,
            other_types: Vec::new(),
            hidden: None,
        }
    }

    /// Whether a message of the service goes back as the response to a call of the tester.
    pub fn is_answer(&self, message: &MessageFields) -> bool {
        message.from == self.service
            && self.shapes.iter().any(|call| {
                call.to == self.service
                    && call.from == message.to
                    && self.links.contains(&(call.operation, message.operation))
                    && (call.operation != message.operation
                        || self.provided.contains(&(call.from, call.operation)))
            })
    }

    /// How a message looks, by the rule where the binding says nothing.
    fn bound(&self, operation: Operation, terms: &Terms) -> Cow<'_, MessageBinding> {
        let name = terms.names.text(operation.0);
        match self.binding.message(name) {
            Some(message) => Cow::Borrowed(message),
            None => Cow::Owned(MessageBinding::new(name)),
        }
    }

    /// What a message is outside of the body, and in it.
    fn write(
        &self,
        message: &ConcreteMessage,
        terms: &Terms,
    ) -> Result<(Head, Option<Json>), String> {
        let shape = self
            .shapes
            .iter()
            .find(|shape| {
                shape.operation == message.operation
                    && shape.from == message.from
                    && shape.to == message.to
            })
            .ok_or_else(|| format!("{} is not a message of the model", message.text(terms)))?;
        let bound = self.bound(message.operation, terms);
        let mut head = Head::default();
        let mut body = Json::Object(Map::new());
        let mut is_empty = true;
        for (place, value) in &bound.when {
            match place {
                Place::Body(path) => {
                    put(&mut body, path, json_of(value))?;
                    is_empty = false;
                }
                place => head.put(place, value.key().into_owned()),
            }
        }
        let fields = self.places(shape, &bound)?;
        for (number, (field, value)) in fields.iter().zip(&message.values).enumerate() {
            if self.only_copies && !field.steps.is_empty() {
                let (name, how) = (&bound.name, &**field);
                return Err(format!(
                    "a field of {name} is computed (`{how}`), which only `choros drive` can do"
                ));
            }
            self.hide(shape, number, value, terms);
            let value = write_field(field, value)?;
            match &field.place {
                Place::Body(path) => {
                    put(&mut body, path, to_json(&value, terms))?;
                    is_empty = false;
                }
                place => head.put(place, to_text(&value, terms)?),
            }
        }
        if let Some(hidden) = &self.hidden {
            hidden.body(&body);
            for (name, text) in head.path.iter().chain(&head.query).chain(&head.headers) {
                hidden.value(&[name], text);
            }
        }
        // A request that has no room for a body by custom goes without one.
        let method = bound.request.as_ref().and_then(|it| it.method.as_deref());
        let needs_none = matches!(method, Some("GET" | "HEAD" | "DELETE" | "OPTIONS"));
        Ok((head, (!is_empty || !needs_none).then_some(body)))
    }

    /// Takes note of a value whose field is called secret in the binding.
    fn hide(&self, shape: &MessageFields, number: usize, value: &Value, terms: &Terms) {
        let Some(hidden) = &self.hidden else { return };
        let named = self.names.iter().find(|(it, _)| it == shape);
        let named = named.and_then(|(_, names)| names.get(number)?.as_deref());
        let label = shape.fields.get(number).and_then(|it| it.0.as_deref());
        let names: Vec<&str> = label.or(named).into_iter().collect();
        if let Ok(text) = to_text(value, terms) {
            hidden.value(&names, &text);
        }
    }

    /// The head of a response; it shares the parameters of the path with its request.
    fn answered(
        &self,
        call: &ConcreteMessage,
        reply: &Reply,
        terms: &Terms,
    ) -> Result<Head, String> {
        let (head, _) = self.write(call, terms)?;
        Ok(Head {
            path: head.path,
            headers: reply.headers.clone(),
            ..Head::default()
        })
    }

    /// The message that a body is, as the one of these shapes that says most about it; or why it is none.
    ///
    /// A body that is as much one message as another is an error: the binding does not tell them apart.
    fn decode_any(
        &self,
        shapes: &[(MessageFields, Head)],
        body: &Json,
        terms: &mut Terms,
    ) -> Result<Result<ConcreteMessage, String>, DecodeError> {
        let mut best: Vec<ConcreteMessage> = Vec::new();
        let mut most = 0;
        let mut reasons = Vec::new();
        for (shape, head) in shapes {
            let name = terms.names.text(shape.operation.0).to_owned();
            match self.decode(shape, head, body, terms) {
                Err(reason) => reasons.push(format!("{name}: {reason}")),
                Ok(message) => {
                    let bound = self.bound(shape.operation, terms);
                    let said = bound.when.len() + usize::from(!bound.status.is_empty());
                    let said = 1_000 * said + shape.fields.len();
                    if said > most || best.is_empty() {
                        (best, most) = (vec![message], said);
                    } else if said == most && !best.contains(&message) {
                        best.push(message);
                    }
                }
            }
        }
        if let [one, other, ..] = &best[..] {
            return Err(DecodeError::Unclear(format!(
                "the binding does not say whether it is {} or {}: add `status` or `when` to tell them apart",
                one.text(terms),
                other.text(terms)
            )));
        }
        Ok(best.pop().ok_or_else(|| reasons.join("; ")))
    }

    /// The message of this shape, if the body is one: its constants are there and its fields fit.
    fn decode(
        &self,
        shape: &MessageFields,
        head: &Head,
        body: &Json,
        terms: &mut Terms,
    ) -> Result<ConcreteMessage, String> {
        let bound = self.bound(shape.operation, terms).into_owned();
        for (place, value) in &bound.when {
            let holds = match place {
                Place::Body(path) => {
                    get(body, path).is_some_and(|found| is_same(found, &json_of(value), terms))
                }
                Place::Query(_) | Place::Header(_) | Place::Path(_) => {
                    head.get(place).is_some_and(|found| found == value.key())
                }
                // Only records have these.
                Place::Status | Place::Attribute(_) | Place::Record(_) => true,
            };
            if !holds {
                return Err(match place {
                    Place::Body(path) => format!("`{}` is not {value}", path.text()),
                    place => format!("`{place}` is not {value}"),
                });
            }
        }
        let mut values = Vec::new();
        for (field, &(_, sort)) in self.places(shape, &bound)?.iter().zip(&shape.fields) {
            let read = field.read_sort(sort);
            let value = match (&field.place, head.get(&field.place)) {
                (Place::Body(path), _) => {
                    let part = get(body, path).unwrap_or(&Json::Null);
                    from_json(part, read, terms)
                }
                (_, Some(text)) => from_text(text, read, terms),
                (_, None) => Err("it is not there".to_owned()),
            };
            let value = value.and_then(|value| read_field(field, value, sort, terms));
            if let Ok(value) = &value {
                self.hide(shape, values.len(), value, terms);
            }
            values.push(value.map_err(|reason| match &field.place {
                Place::Body(path) if !path.text().is_empty() => {
                    format!("`{}`: {reason}", path.text())
                }
                place => format!("`{place}`: {reason}"),
            })?);
        }
        Ok(ConcreteMessage {
            operation: shape.operation,
            from: shape.from,
            to: shape.to,
            fault: None,
            values,
        })
    }
}

/// The method and the path of a request.
pub(crate) fn line(message: &MessageBinding) -> Result<(String, Template), String> {
    match &message.request {
        Some(request) if request.path.can_be_requested() => {
            Ok((request.method().to_owned(), request.path.clone()))
        }
        Some(request) => Err(format!(
            "`{}` is sent, and `{request}` does not say where to",
            message.name
        )),
        None => Ok((
            "POST".to_owned(),
            Template::parse(&format!("/{}", message.name))?,
        )),
    }
}

impl Codec for JsonCodec {
    fn boxed(&self) -> Box<dyn Codec> {
        Box::new(self.clone())
    }

    fn remarks(&mut self) -> Vec<String> {
        let types = std::mem::take(&mut self.other_types).into_iter();
        types
            .map(|it| format!("a body was JSON, but its type says {it}"))
            .collect()
    }

    fn target(&self) -> &str {
        &self.target
    }

    fn bodies(&self) -> BodyKind {
        BodyKind::Json
    }

    fn constants(&self, operation: &str) -> Vec<(String, String)> {
        let bound = self.binding.message(operation);
        let constants = bound.into_iter().flat_map(|it| &it.when);
        let in_body = constants.filter_map(|(place, value)| match place {
            Place::Body(path) => Some((path.text().to_owned(), json_of(value).to_string())),
            _ => None,
        });
        in_body.collect()
    }

    fn known_texts(&self, run: u64, terms: &Terms) -> Vec<KnownTexts> {
        let messages = self.shapes.iter().map(|it| (it.operation, &it.fields[..]));
        known_texts(&self.binding, messages, run, terms)
    }

    fn is_reply(&self, message: &ConcreteMessage) -> bool {
        message.to == self.service
            && self.shapes.iter().any(|call| {
                call.from == self.service
                    && call.to == message.from
                    && self.answers(call.operation, message.operation)
                    && (call.operation != message.operation
                        || !self.provided.contains(&(message.from, message.operation)))
            })
    }

    fn answers(&self, call: Operation, answer: Operation) -> bool {
        self.links.contains(&(call, answer))
    }

    fn request(
        &mut self,
        message: &ConcreteMessage,
        terms: &mut Terms,
    ) -> Result<Outgoing, String> {
        let bound = self.bound(message.operation, terms);
        let (method, template) = line(&bound)?;
        let (mut head, body) = self.write(message, terms)?;
        head.headers.extend(self.headers.iter().cloned());
        if body.is_some() {
            let kind = ("content-type".to_owned(), "application/json".to_owned());
            head.headers.push(kind);
        }
        Ok(Outgoing {
            method,
            url: format!(
                "{}{}",
                self.target.trim_end_matches('/'),
                head.target(template.text())
            ),
            headers: head.headers,
            body: body.map_or_else(Vec::new, |body| body.to_string().into_bytes()),
        })
    }

    fn reply(&mut self, message: &ConcreteMessage, terms: &mut Terms) -> Result<Reply, String> {
        let status = self.bound(message.operation, terms).status.first().copied();
        let (head, body) = self.write(message, terms)?;
        Ok(Reply {
            status: status.map_or(200, Statuses::example),
            content_type: Some("application/json".to_owned()),
            body: body.map_or_else(Vec::new, |body| body.to_string().into_bytes()),
            headers: head.headers,
            remark: None,
        })
    }

    fn answer(
        &mut self,
        call: &ConcreteMessage,
        reply: &Reply,
        terms: &mut Terms,
    ) -> Result<Response, DecodeError> {
        let candidates: Vec<MessageFields> = self
            .shapes
            .iter()
            .filter(|shape| {
                shape.from == self.service
                    && shape.to == call.from
                    && self.answers(call.operation, shape.operation)
            })
            .cloned()
            .collect();
        let is_success = (200..300).contains(&reply.status);
        if candidates.is_empty() {
            return if is_success {
                Ok(Response::Taken)
            } else {
                reply.refused()
            };
        }
        let mut fitting = Vec::new();
        for shape in candidates {
            if self.bound(shape.operation, terms).has_status(reply.status) {
                fitting.push((shape, self.answered(call, reply, terms)?));
            }
        }
        if fitting.is_empty() {
            return reply.refused();
        }
        // What its status tells, and nothing in its body, may have any body.
        let is_told_by_status = fitting.iter().all(|(shape, _)| {
            let bound = self.bound(shape.operation, terms);
            shape.fields.is_empty() && bound.when.is_empty() && !bound.status.is_empty()
        });
        let body = match self.parse(&reply.body, reply.content_type.as_deref()) {
            Err(_) if is_told_by_status => Json::Object(Map::new()),
            body => body?,
        };
        match self.decode_any(&fitting, &body, terms)? {
            Ok(message) => Ok(Response::Message(message)),
            // There may be none on this branch: the call was taken, and that is all.
            Err(_) if matches!(reply.status, 202 | 204) && reply.body.is_empty() => {
                Ok(Response::Taken)
            }
            Err(reasons) => Err(misread(
                &body,
                format!("the response fits no answer ({reasons})"),
            )),
        }
    }

    fn doubt(&self, _: &ConcreteMessage, _: &Terms) -> Option<String> {
        None
    }

    fn is_call(&self, incoming: &Incoming) -> bool {
        let method = |it: &MessageBinding| {
            let request = it.request.as_ref();
            request.is_some_and(|it| it.method.as_deref() == Some(incoming.method.as_str()))
        };
        !matches!(incoming.method.as_str(), "HEAD" | "OPTIONS")
            || self.binding.messages.iter().any(method)
    }

    fn call(&mut self, incoming: &Incoming, terms: &mut Terms) -> Result<Call, DecodeError> {
        let candidates: Vec<MessageFields> = self
            .shapes
            .iter()
            .filter(|shape| shape.from == self.service && shape.to == incoming.role)
            .cloned()
            .collect();
        let path = incoming.target.split('?').next().unwrap_or_default();
        let mut fitting = Vec::new();
        for shape in candidates {
            let (method, template) = line(&self.bound(shape.operation, terms))?;
            if method == incoming.method
                && let Some(head) = Head::of_request(&template, &incoming.target, &incoming.headers)
            {
                fitting.push((shape, head));
            }
        }
        if fitting.is_empty() {
            return Err(DecodeError::Wrong(format!(
                "{} {path} is not an operation of {}",
                incoming.method,
                terms.names.text(incoming.role.0)
            )));
        }
        let content_type = incoming
            .headers
            .iter()
            .find(|(name, _)| name == "content-type")
            .map(|(_, value)| value.as_str());
        let body = self.parse(&incoming.body, content_type)?;
        match self.decode_any(&fitting, &body, terms)? {
            Ok(message) => Ok(Call {
                awaits_answer: self
                    .links
                    .iter()
                    .any(|(call, _)| *call == message.operation),
                message,
            }),
            Err(reasons) => Err(misread(
                &body,
                format!("the request fits no message ({reasons})"),
            )),
        }
    }
}

impl JsonCodec {
    /// The body as JSON, whatever its type is said to be.
    ///
    /// A message may leave its type open, and the receiver may look (RFC 9110, section 8.3).
    /// The model says nothing about types, so JSON under another one is a message, and is remarked on.
    fn parse(&mut self, body: &[u8], content_type: Option<&str>) -> Result<Json, String> {
        if body.is_empty() {
            return Ok(Json::Object(Map::new()));
        }
        // Types are the same in any case of letters.
        let is_other = |it: &&str| !it.to_ascii_lowercase().contains("json");
        let is_json = content_type.filter(is_other).is_none();
        let read = read_exactly(body);
        if let (Some(hidden), Ok(read)) = (&self.hidden, &read) {
            hidden.body(read);
        }
        let Some(other) = content_type.filter(|_| !is_json) else {
            return read;
        };
        let read = read.map_err(|_| format!("the body is {other}, not JSON"))?;
        if !self.other_types.iter().any(|it| it == other) {
            self.other_types.push(other.to_owned());
        }
        Ok(read)
    }
}

/// A body that fits nothing is wrong, unless it has a number that is not read here.
fn misread(body: &Json, reason: String) -> DecodeError {
    if has_endless_number(body) {
        DecodeError::Unclear(format!("{reason}: {}", NotANumber::TOO_LONG))
    } else {
        DecodeError::Wrong(reason)
    }
}

/// Whether a value is the constant that a binding says; `1.0` is `1`.
fn is_same(found: &Json, constant: &Json, terms: &mut Terms) -> bool {
    match (number(found), number(constant)) {
        (Some(_), Some(_)) => {
            let [found, constant] = [found, constant].map(|it| from_json(it, Sort::REAL, terms));
            found.is_ok() && found == constant
        }
        _ => found == constant,
    }
}
