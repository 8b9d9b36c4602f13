//! Spans of traces of any origin: what their attributes mean by the conventions of OpenTelemetry, old and new.

use choros_bind::{Content, Envelope, HttpExchange, Side};
use choros_model::observation::{Datum, Number};

use super::http::{Target, call_code, open_body, status};

/// A span, before it is known which other spans there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Span {
    pub(super) number: u64,
    pub(super) trace: Option<String>,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    /// The span that a message was sent in, where a link says so.
    pub(super) link: Option<String>,
    /// The trace of that span, where it is another one.
    pub(super) link_trace: Option<String>,
    pub(super) name: String,
    pub(super) kind: SpanKind,
    pub(super) service: Option<String>,
    /// What the span itself calls the other end.
    pub(super) peer: Option<String>,
    pub(super) start: Option<Number>,
    pub(super) end: Option<Number>,
    /// The two ends of a call share one span (Zipkin).
    pub(super) is_shared: bool,
    /// Messages were fetched in it; another span may tell of their processing.
    pub(super) is_fetch: bool,
    pub(super) attributes: Vec<(String, Datum<'static>)>,
}

/// What a span is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum SpanKind {
    /// Work of one service, without a message.
    #[default]
    Internal,
    Client,
    Server,
    Producer,
    Consumer,
}

impl SpanKind {
    /// By its word: `CLIENT`, `SPAN_KIND_CLIENT`, `client`.
    pub(super) fn named(word: &str) -> SpanKind {
        let word = word.to_ascii_uppercase();
        match word.strip_prefix("SPAN_KIND_").unwrap_or(&word) {
            "CLIENT" => SpanKind::Client,
            "SERVER" => SpanKind::Server,
            "PRODUCER" => SpanKind::Producer,
            "CONSUMER" => SpanKind::Consumer,
            _ => SpanKind::Internal,
        }
    }

    fn side(self) -> Option<Side> {
        match self {
            SpanKind::Client | SpanKind::Producer => Some(Side::Sender),
            SpanKind::Server | SpanKind::Consumer => Some(Side::Receiver),
            SpanKind::Internal => None,
        }
    }
}

/// What tells the other end of a call, by the conventions of many years.
const PEERS: [&str; 3] = ["peer.service", "service.peer.name", "upstream_cluster.name"];
/// Where a client connects to.
const SERVERS: [&str; 5] = [
    "server.address",
    "net.peer.name",
    "http.host",
    "net.peer.ip",
    "peer.hostname",
];
const SERVER_PORTS: [&str; 2] = ["server.port", "net.peer.port"];
const METHODS: [&str; 2] = ["http.request.method", "http.method"];
const STATUSES: [&str; 2] = ["http.response.status_code", "http.status_code"];
const ADDRESSES: [&str; 2] = ["url.full", "http.url"];
const TARGETS: [&str; 3] = ["url.path", "http.target", "http.path"];
const TOPICS: [&str; 4] = [
    "messaging.destination.name",
    "messaging.destination",
    "messaging.kafka.topic",
    "message_bus.destination",
];
/// What is done with a message, by a word of the conventions, or else as the system calls it.
const OPERATIONS: [&str; 3] = [
    "messaging.operation.type",
    "messaging.operation",
    "messaging.operation.name",
];
const EVENT_TYPES: [&str; 4] = [
    "cloudevents.event_type",
    "messaging.message.type",
    "event.type",
    "event.name",
];
const REQUEST_BODIES: [&str; 3] = [
    "http.request.body.content",
    "http.request.body",
    "messaging.message.body",
];
const RESPONSE_BODIES: [&str; 2] = ["http.response.body.content", "http.response.body"];

impl Span {
    /// What the span says of a message; none if it is about none. The attributes go over to it.
    pub(super) fn envelope(&mut self) -> Option<Envelope> {
        self.settle_kind();
        let side = self.kind.side()?;
        let mut envelope = Envelope {
            line: self.number,
            by: self.service.clone(),
            side: Some(side),
            topic: self.word(&TOPICS),
            http: self.exchange(),
            at: self.start.clone(),
            ended: self.end.clone(),
            id: self.tie(),
            session: self.trace.clone(),
            ..Envelope::default()
        };
        envelope.names.extend(self.word(&EVENT_TYPES));
        if let Some(method) = self.word(&["rpc.method"]) {
            let service = self.word(&["rpc.service"]);
            envelope
                .names
                .extend(service.map(|it| format!("{it}/{method}")));
            envelope.names.push(method);
        }
        if !self.name.is_empty() && !envelope.names.contains(&self.name) {
            envelope.names.push(self.name.clone());
        }
        envelope.names.extend(envelope.topic.clone());
        envelope.content = self.content("http.request.header.", &REQUEST_BODIES);
        let peer = self.peer_name();
        match side {
            Side::Sender => {
                envelope.from.clone_from(&self.service);
                envelope.to = peer;
            }
            Side::Receiver => {
                envelope.to.clone_from(&self.service);
                envelope.from = peer;
            }
        }
        envelope.attributes = std::mem::take(&mut self.attributes);
        Some(envelope)
    }

    /// With messages, what is done says at which end it is done: a consumer that fetches them is a client of the broker,
    /// and so is who confirms that they were processed, or sends several that were made before.
    fn settle_kind(&mut self) {
        let Some(operation) = self.word(&OPERATIONS) else {
            return;
        };
        match (operation.to_ascii_lowercase().as_str(), self.kind) {
            ("receive" | "poll", SpanKind::Client | SpanKind::Consumer) => {
                self.kind = SpanKind::Consumer;
                self.is_fetch = true;
            }
            ("send" | "publish", SpanKind::Client) if self.link.is_none() => {
                self.kind = SpanKind::Producer;
            }
            (
                "send" | "publish" | "settle" | "ack" | "nack" | "commit" | "complete" | "abandon"
                | "reject" | "delete",
                SpanKind::Client,
            )
            | ("settle" | "ack" | "nack" | "commit", SpanKind::Consumer) => {
                self.kind = SpanKind::Internal;
            }
            _ => {}
        }
    }

    /// Both ends of a call have the span of the client in common, both ends of a message that of its producer.
    ///
    /// Who receives and names neither parent nor link has nothing in common with the other end: a span of its own would
    /// say that they are two messages.
    fn tie(&self) -> Option<String> {
        match self.kind {
            SpanKind::Server if !self.is_shared => self.parent.clone(),
            SpanKind::Consumer => self.link.clone().or_else(|| self.parent.clone()),
            SpanKind::Internal => None,
            _ => self.id.clone(),
        }
    }

    /// Whether it tells of a request and not at which end of it: then no one knows who did what.
    pub(super) fn lacks_kind(&self) -> bool {
        self.kind == SpanKind::Internal && self.exchange().is_some()
    }

    fn peer_name(&self) -> Option<String> {
        let named = self.word(&PEERS).or_else(|| self.peer.clone());
        if named.is_some() || self.kind != SpanKind::Client {
            return named;
        }
        let Some(host) = self.word(&SERVERS) else {
            let address = self.word(&ADDRESSES)?;
            return Target::parse(&address).host;
        };
        match self.word(&SERVER_PORTS) {
            Some(port) if !host.contains(':') => Some(format!("{host}:{port}")),
            _ => Some(host),
        }
    }

    /// The request, and the response if there was one.
    fn exchange(&self) -> Option<HttpExchange> {
        let method = self.word(&METHODS);
        let code = self.first(&STATUSES).and_then(status);
        let target = self.word(&TARGETS).or_else(|| self.word(&ADDRESSES));
        let route = self.word(&["http.route"]);
        if method.is_none() && code.is_none() && target.is_none() && route.is_none() {
            return self.remote_call();
        }
        let mut target = Target::parse(&target.or(route).unwrap_or_default());
        if let Some(query) = self.word(&["url.query"]) {
            target.add_query(&query);
        }
        Some(HttpExchange {
            method,
            path: target.path,
            query: target.query,
            status: code,
            response: code.map(|_| self.content("http.response.header.", &RESPONSE_BODIES)),
            ..HttpExchange::default()
        })
    }

    /// A remote procedure is a request to `/Service/Method`, and its code is the status.
    fn remote_call(&self) -> Option<HttpExchange> {
        let method = self.word(&["rpc.method"])?;
        let path = match self.word(&["rpc.service"]) {
            Some(service) => format!("/{service}/{method}"),
            None => format!("/{method}"),
        };
        let code = self.first(&["rpc.grpc.status_code", "rpc.response.status_code"]);
        let code = code.and_then(call_code);
        Some(HttpExchange {
            method: Some("POST".to_owned()),
            path,
            query: Vec::new(),
            status: code,
            response: code.map(|_| Content::default()),
            ..HttpExchange::default()
        })
    }

    fn content(&self, headers: &str, bodies: &[&str]) -> Content {
        let mut content = Content::default();
        for (name, value) in &self.attributes {
            if let Some(header) = name.strip_prefix(headers) {
                let header = header.strip_suffix(".0").unwrap_or(header);
                let pair = (header.to_ascii_lowercase(), value.key().into_owned());
                content.headers.push(pair);
            }
        }
        if let Some(body) = self.word(bodies) {
            open_body(&body, &mut content);
        }
        content
    }

    fn first(&self, names: &[&str]) -> Option<&Datum<'static>> {
        let find = |name: &&str| self.attributes.iter().find(|(known, _)| known == name);
        names.iter().find_map(find).map(|(_, value)| value)
    }

    /// The first of these attributes that has a value, as a word.
    fn word(&self, names: &[&str]) -> Option<String> {
        let word = self.first(names)?.key();
        (!word.is_empty()).then(|| word.into_owned())
    }
}
