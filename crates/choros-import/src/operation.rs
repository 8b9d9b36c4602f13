//! An operation of a description: its request, its answers, what follows them.

use crate::enumerations::Enumerations;
use crate::library::{At, Library};
use crate::lost::{LostList, Reason};
use crate::message::{Flattening, Message, place_below};
use crate::names::{self, GivenNames};
use crate::schema::{Schemas, Shape, Way};

/// A call and its answers.
#[derive(Debug, Default)]
pub(crate) struct Operation {
    pub(crate) method: String,
    /// The template, with the path of the server.
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) request: Message,
    pub(crate) answers: Vec<Answer>,
    /// Calls that the service makes after a good answer.
    pub(crate) callbacks: Vec<Operation>,
    /// `operationId`.
    pub(crate) id: Option<String>,
    /// Where the description has it.
    pub(crate) at: Option<At>,
    /// It can only be called after another one that hands over a value.
    pub(crate) is_linked: bool,
}

#[derive(Debug)]
pub(crate) struct Answer {
    /// As the description has it: `201`, `4XX`, `default`.
    pub(crate) status: String,
    pub(crate) message: Message,
    /// What can be called next, with which values.
    pub(crate) links: Vec<Link>,
    /// Before they are resolved.
    pub(crate) written_links: Vec<(String, At)>,
}

/// A call that takes values from an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// The number of the operation.
    pub(crate) target: usize,
    /// The label of the target's field, and the variable that has its value.
    pub(crate) values: Vec<(String, String)>,
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        self.status.starts_with(['1', '2', '3'])
    }
}

/// An operation that was found, before it is read.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) item: At,
    pub(crate) at: At,
}

/// The methods that are imported.
const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// Headers that HTTP itself sets, and whose parameters the specification ignores.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// What a message carries outside its body: its name, its place, its values, and where the description has it.
type Part = (String, String, Shape, At);

/// Whether a path is one that a binding can have.
fn is_template(path: &str) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    path.split('/').all(|part| {
        let parameter = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        let is_new = parameter.is_none_or(|it| !seen.contains(&it));
        seen.extend(parameter);
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-._~!$&'()+,;=:@%".contains(&it);
        let name = parameter.unwrap_or(part);
        is_new && (parameter.is_none() || !name.is_empty()) && name.bytes().all(is_plain)
    })
}

/// Reads the operations of a description.
pub(crate) struct Operations<'l, 'a> {
    pub(crate) library: &'l mut Library<'a>,
    pub(crate) lost: &'l mut LostList,
    pub(crate) enumerations: &'l mut Enumerations,
    pub(crate) messages: &'l mut GivenNames,
    pub(crate) optional: bool,
    /// Cookies that requests have, each with a value that is known.
    pub(crate) cookies: Vec<(String, Option<String>)>,
}

impl Operations<'_, '_> {
    /// The operations of a path item.
    pub(crate) fn find(&mut self, path: &str, base: &str, item: At) -> Vec<Found> {
        let mut found = Vec::new();
        for (method, at) in self.library.entries(item) {
            let is_method = METHODS.contains(&method.as_str());
            if matches!(method.as_str(), "head" | "options" | "trace") {
                self.lost.note(
                    at,
                    &format!("{} {path}", method.to_uppercase()),
                    Reason::Method,
                );
            }
            if matches!(method.as_str(), "servers") {
                self.lost
                    .note(at, &format!("servers of {path}"), Reason::Servers);
            }
            if !is_method || !self.library.is_map(at) {
                continue;
            }
            if let Some(servers) = self.library.raw(at, "servers") {
                self.lost
                    .note(servers, &format!("servers of {path}"), Reason::Servers);
            }
            if !is_template(path) {
                self.lost.note(
                    at,
                    &format!("{} {path}", method.to_uppercase()),
                    Reason::PathTemplate,
                );
                continue;
            }
            let id = self.library.text_at(at, "operationId");
            let name = match &id {
                Some(id) => names::pascal(id),
                None => names::of_request(&method, path),
            };
            found.push(Found {
                name,
                method: method.to_uppercase(),
                path: format!("{base}{path}"),
                item,
                at,
            });
        }
        found
    }

    /// Reads an operation that the client calls, or (`from_service`) one that the service calls at the client.
    pub(crate) fn read(&mut self, found: &Found, name: String, from_service: bool) -> Operation {
        let (asks, answers) = if from_service {
            (Way::Response, Way::Request)
        } else {
            (Way::Request, Way::Response)
        };
        self.lost.within.clone_from(&name);
        let summary = ["summary", "description"].map(|key| self.library.text_at(found.at, key));
        let mut operation = Operation {
            method: found.method.clone(),
            path: found.path.clone(),
            summary: summary.into_iter().flatten().next().unwrap_or_default(),
            request: self.request(found, &name, asks),
            id: self.library.text_at(found.at, "operationId"),
            at: Some(found.at),
            ..Operation::default()
        };
        let responses = self.library.get(found.at, "responses");
        for (status, at) in responses.map_or_else(Vec::new, |it| self.library.entries(it)) {
            if status.starts_with("x-") {
                continue;
            }
            if !names::is_status(&status) {
                self.lost.note(at, &status, Reason::Status);
            } else {
                operation
                    .answers
                    .extend(self.answer(&name, &status, at, answers));
            }
        }
        operation
            .answers
            .sort_by_key(|it| (!it.is_success(), it.status == "default"));
        if operation.answers.is_empty() {
            self.lost.note(found.at, "", Reason::NoResponses);
        }
        if !from_service && let Some(callbacks) = self.library.get(found.at, "callbacks") {
            for (event, at) in self.library.entries(callbacks) {
                operation.callbacks.extend(self.callback(&event, at));
            }
        }
        self.lost.within.clear();
        operation
    }

    /// The calls that the service makes at an address that it was given.
    fn callback(&mut self, event: &str, at: At) -> Vec<Operation> {
        let Some(target) = self.library.follow(at) else {
            return Vec::new();
        };
        let mut read = Vec::new();
        for (_, item) in self.library.entries(target) {
            let Some(item) = self.library.follow(item) else {
                continue;
            };
            read.extend(self.event(event, item));
            self.lost.note(at, event, Reason::Callback);
        }
        read
    }

    /// The calls of a callback or a webhook.
    pub(crate) fn event(&mut self, event: &str, item: At) -> Vec<Operation> {
        let around = std::mem::take(&mut self.lost.within);
        let path = format!("/{}", names::field_name(event));
        let mut found = self.find(&path, "", item);
        let mut read = Vec::new();
        for found in &mut found {
            if self.library.text_at(found.at, "operationId").is_none() {
                found.name = names::pascal(event);
            }
            let name = self.enumerations.names.give(&found.name);
            let name = self.messages.give(&name);
            read.push(self.read(found, name, true));
        }
        self.lost.within = around;
        read
    }

    fn request(&mut self, found: &Found, name: &str, way: Way) -> Message {
        let mut parts: Vec<Part> = Vec::new();
        let mut parameters: Vec<At> = Vec::new();
        for holder in [found.at, found.item] {
            let list = self.library.get(holder, "parameters");
            for item in list.map_or_else(Vec::new, |it| self.library.items(it)) {
                parameters.extend(self.library.follow(item));
            }
        }
        let mut seen: Vec<(String, String)> = Vec::new();
        for at in parameters {
            let place = self.library.text_at(at, "in").unwrap_or_default();
            let parameter = self.library.text_at(at, "name").unwrap_or_default();
            let key = (place, parameter);
            if key.1.is_empty() || seen.contains(&key) {
                continue;
            }
            if key.0 == "path" && !found.path.contains(&format!("{{{}}}", key.1)) {
                self.lost.note(at, &key.1, Reason::NotInPath);
                continue;
            }
            if let Some(shape) = self.parameter(&key.0, &key.1, at, way) {
                match place_below(&key.0, &key.1) {
                    Some(place) => parts.push((key.1.clone(), place, shape, at)),
                    None => self.lost.note(at, &key.1, Reason::Place),
                }
            }
            seen.push(key);
        }
        let named = found
            .path
            .split('/')
            .filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'));
        for parameter in named {
            let place = format!("path.{parameter}");
            if !parts.iter().any(|(_, it, ..)| *it == place) {
                parts.push((parameter.to_owned(), place, Shape::text(), found.at));
            }
        }
        parts.sort_by_key(|(_, place, ..)| {
            let order = ["path.", "query.", "header."];
            order.iter().position(|it| place.starts_with(it))
        });
        let body = self.library.get(found.at, "requestBody");
        let content = body.and_then(|it| self.library.get(it, "content"));
        let body = content.and_then(|it| self.body(it, way));
        self.message(name.to_owned(), parts, body, way)
    }

    /// What a parameter can be, if it is sent.
    fn parameter(&mut self, place: &str, name: &str, at: At, way: Way) -> Option<Shape> {
        let is_path = place == "path";
        let is_header = place == "header";
        if is_header && OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
            return None;
        }
        if !is_path && !self.library.is_true(at, "required") && !self.optional {
            self.lost.note(at, name, Reason::Optional);
            return None;
        }
        if !matches!(place, "path" | "query" | "header") {
            self.cookie(place, name, at);
            return None;
        }
        let Some(schema) = self.library.raw(at, "schema") else {
            self.lost.note(at, name, Reason::ParameterContent);
            return is_path.then(Shape::text);
        };
        let mut schemas = Schemas::new(self.library, self.lost, way, self.optional);
        let mut shape = schemas.shape(schema, name);
        match &mut shape {
            Shape::Scalar(scalar) => {
                let example = self.library.raw(at, "example");
                let mut examples: Vec<At> = example.into_iter().collect();
                if let Some(named) = self.library.raw(at, "examples") {
                    let values = self.library.entries(named).into_iter();
                    examples.extend(values.filter_map(|(_, it)| self.library.raw(it, "value")));
                }
                let texts = examples.iter().filter_map(|it| self.library.text(*it));
                scalar.examples.extend(texts.map(str::to_owned));
            }
            Shape::Unknown => {}
            _ => self.lost.note(at, name, Reason::PartsInHead),
        }
        match shape {
            Shape::Scalar(_) => Some(shape),
            _ => is_path.then(Shape::text),
        }
    }

    /// A cookie is not a field of a message: a binding sends it with every request.
    fn cookie(&mut self, place: &str, name: &str, at: At) {
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_.".contains(&it);
        if place != "cookie" || !name.bytes().all(is_plain) {
            self.lost.note(at, name, Reason::Place);
            return;
        }
        self.lost.note(at, name, Reason::Cookie);
        let schema = self.library.get(at, "schema");
        let holders = [
            (Some(at), "example"),
            (schema, "example"),
            (schema, "default"),
        ];
        let value = holders.iter().find_map(|(holder, key)| {
            let found = self.library.raw((*holder)?, key)?;
            let text = self.library.text(found).or(self.library.number(found))?;
            let is_safe = |it: u8| it.is_ascii_graphic() && !b";,\"\\".contains(&it);
            text.bytes().all(is_safe).then(|| text.replace('$', "$$"))
        });
        if !self.cookies.iter().any(|(known, _)| known == name) {
            self.cookies.push((name.to_owned(), value));
        }
    }

    /// The shape of a JSON body and its example.
    fn body(&mut self, content: At, way: Way) -> Option<(Shape, At, Option<At>)> {
        let kinds = self.library.entries(content);
        let is_json = |kind: &str| {
            let kind = kind
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            matches!(kind.as_str(), "application/json" | "*/*" | "application/*")
                || kind.ends_with("+json")
        };
        let Some((_, media)) = kinds.iter().find(|(kind, _)| is_json(kind)) else {
            if let Some((kind, at)) = kinds.first() {
                self.lost.note(*at, kind, Reason::NoJson);
            }
            return None;
        };
        let media = self.library.follow(*media)?;
        let Some(schema) = self.library.raw(media, "schema") else {
            self.lost.note(media, "the body", Reason::AnyValue);
            return None;
        };
        let example = self.library.raw(media, "example").or_else(|| {
            let named = self.library.raw(media, "examples")?;
            let (_, first) = self.library.entries(named).into_iter().next()?;
            let first = self.library.follow(first)?;
            self.library.raw(first, "value")
        });
        let target = self.library.follow(schema);
        let example = example.or_else(|| self.library.raw(target?, "example"));
        let mut schemas = Schemas::new(self.library, self.lost, way, self.optional);
        Some((schemas.shape(schema, "body"), schema, example))
    }

    fn answer(&mut self, call: &str, status: &str, at: At, way: Way) -> Option<Answer> {
        let at = self.library.follow(at)?;
        let name = self
            .messages
            .give(&format!("{call}{}", names::of_status(status)));
        let content = self.library.get(at, "content");
        let body = content.and_then(|it| self.body(it, way));
        let headers = self.headers(at, way);
        let message = self.message(name, headers, body, way);
        let links = self.library.get(at, "links");
        Some(Answer {
            status: status.to_owned(),
            message,
            links: Vec::new(),
            written_links: links.map_or_else(Vec::new, |it| self.library.entries(it)),
        })
    }

    /// The headers of a response.
    fn headers(&mut self, at: At, way: Way) -> Vec<Part> {
        let mut found = Vec::new();
        let headers = self.library.get(at, "headers");
        for (header, at) in headers.map_or_else(Vec::new, |it| self.library.entries(it)) {
            let Some(at) = self.library.follow(at) else {
                continue;
            };
            if let Some(shape) = self.parameter("header", &header, at, way) {
                match place_below("header", &header) {
                    Some(place) => found.push((header, place, shape, at)),
                    None => self.lost.note(at, &header, Reason::Place),
                }
            }
        }
        found
    }

    fn message(
        &mut self,
        name: String,
        parts: Vec<Part>,
        body: Option<(Shape, At, Option<At>)>,
        way: Way,
    ) -> Message {
        let mut flattening = Flattening {
            message: Message {
                name,
                ..Message::default()
            },
            labels: GivenNames::default(),
            enumerations: self.enumerations,
            lost: self.lost,
            way,
        };
        for (label, place, shape, at) in &parts {
            flattening.add(label, place, shape, *at);
        }
        let mut example = None;
        if let Some((shape, at, shown)) = body {
            flattening.add("", "body", &shape, at);
            example = shown;
        }
        let mut message = flattening.message;
        for field in &mut message.fields {
            let is_bare =
                field.sort == "String" && field.format.is_none() && field.examples.is_empty();
            let path = field.place.strip_prefix("body.").filter(|_| is_bare);
            if let (Some(example), Some(path)) = (example, path) {
                let pointer = format!("/{}", path.replace('.', "/"));
                let found = self.library.point(example, &pointer).ok();
                let text = found.and_then(|it| self.library.text(it));
                field.examples.extend(text.map(str::to_owned));
            }
        }
        message
    }
}
