//! One record of a log in one shape, whatever its form was.

use choros_model::observation::{Datum, Number};

/// What a record says, as far as its form tells.
///
/// Forms fill in what they know by their own rules (the conventions of traces, the attributes of CloudEvents); nothing
/// here is named in the words of a model yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Envelope {
    /// Where it stands: the line of its log or the number of the record in it, from 1.
    pub line: u64,
    /// Who wrote the record, as the record calls it.
    pub by: Option<String>,
    /// The sender of the message; of an exchange, who made the request.
    pub from: Option<String>,
    /// The receiver of the message; of an exchange, who answered.
    pub to: Option<String>,
    /// At which end the record was written.
    pub side: Option<Side>,
    /// What no record says, and the rules of its log say of all: a message may say otherwise.
    pub assumed: Assumed,
    /// What the message is called, the most telling name first: the type of an event, the name of a span, a topic.
    pub names: Vec<String>,
    /// The topic or queue through which it went.
    pub topic: Option<String>,
    /// The request and perhaps the response, where it is an exchange over HTTP.
    pub http: Option<HttpExchange>,
    /// When it was sent, or the request began, in milliseconds.
    pub at: Option<Number>,
    /// When the response ended, in milliseconds.
    pub ended: Option<Number>,
    /// Ties this end of the message, or of the exchange, to the other end.
    pub id: Option<String>,
    /// Which conversation it belongs to, as the form says it: the trace, the key, the subject.
    pub session: Option<String>,
    /// Which call it may be an attempt of, where several records tell of one.
    pub attempt: Option<Attempt>,
    /// Another record of the same thing says something else, and either may be right.
    pub is_contradicted: bool,
    /// What the message, or the request, carries.
    pub content: Content,
    /// Everything else that the record says, by path: attributes of spans, extensions of events, the record itself.
    pub attributes: Vec<(String, Datum<'static>)>,
    /// Labels of attributes with which the form itself says what a message is, who sends it and when: the id of an
    /// event is not the id that a message carries.
    pub own: &'static [&'static [&'static str]],
}

impl Envelope {
    /// Whether an attribute may be data of the message, although no one said so.
    pub fn is_data(&self, attribute: &str) -> bool {
        let mut own = self.own.iter().copied().flatten();
        !own.any(|own| own.eq_ignore_ascii_case(attribute))
    }
}

/// One of several records below one call: whoever made the call may have followed a redirect, or sent it again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attempt {
    /// The call, within its log.
    pub call: String,
    /// It tells of the sender's end, and a record of the whole call does, too.
    pub is_inner: bool,
    /// The call is known to be one request.
    pub is_one_request: bool,
}

/// Which parts are assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumed {
    pub from: bool,
    pub to: bool,
    pub side: bool,
}

/// An end of a message or of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Who sends the message or makes the request.
    Sender,
    /// Who receives the message or answers the request.
    Receiver,
}

/// A request and what came back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpExchange {
    pub method: Option<String>,
    /// The path as it was requested, without the query.
    pub path: String,
    /// The parameters of the query, decoded.
    pub query: Vec<(String, String)>,
    /// The status of the response; none if there was none, or if it was not written down.
    pub status: Option<u16>,
    /// The response; none where the record does not tell of one.
    pub response: Option<Content>,
    /// What the response calls itself, where whoever wrote the record knows it.
    pub response_name: Option<ResponseName>,
}

/// What a response calls itself, if no message fits it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponseName {
    /// As its body says: the element of an XML document.
    Own(String),
    /// As its request is called, with this ending.
    After(&'static str),
}

/// Headers and body of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// Headers, their names in small letters.
    pub headers: Vec<(String, String)>,
    /// The values of the body by path, in the order of the text.
    pub body: Vec<(String, Datum<'static>)>,
    /// The body as it was written, where no one has opened it yet: a text, or bytes in base64 that a binding may open.
    pub closed: Option<String>,
}

/// An envelope, and the places of its message, or of its request and response, among all records of its writer.
///
/// A log may be in another order than that in which things happened: spans are exported when they end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RankedEnvelope {
    pub envelope: Envelope,
    /// Of the message, or of the request.
    pub start: u64,
    /// Of the response.
    pub end: u64,
}

impl Side {
    /// Its word in bindings.
    pub fn name(self) -> &'static str {
        match self {
            Side::Sender => "send",
            Side::Receiver => "recv",
        }
    }

    /// The end with this word.
    pub fn named(name: &str) -> Option<Side> {
        [Side::Sender, Side::Receiver]
            .into_iter()
            .find(|it| it.name() == name)
    }
}
