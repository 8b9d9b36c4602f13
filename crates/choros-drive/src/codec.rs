//! How messages of a model look on the wire.

use choros_data::Terms;
use choros_model::stg::{Operation, Role};
use choros_symex::driver::{ConcreteMessage, KnownTexts};

pub use choros_emit::symbolic::BodyKind;

/// What is sent as a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// `POST`.
    pub method: String,
    /// Where to: `http://host:port/path`.
    pub url: String,
    /// Headers beside those that the transport sets.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// What is sent as a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status: 200.
    pub status: u16,
    /// The type of the body, if there is one.
    pub content_type: Option<String>,
    pub body: Vec<u8>,
    /// Headers beside that one: fields of messages may be there.
    pub headers: Vec<(String, String)>,
    /// What the transport knows about the status: where a redirect leads, what was not found.
    pub remark: Option<String>,
}

impl Reply {
    /// What a response means that is not a message: a refusal; one that leads to another service says nothing of this one.
    pub fn refused(&self) -> Result<Response, DecodeError> {
        if (300..400).contains(&self.status) && self.remark.is_some() {
            Err(DecodeError::Unclear(self.refusal()))
        } else {
            Ok(Response::Refused(self.refusal()))
        }
    }

    /// Why a response with this status is not a message, in words: the status, and what its sender says about it.
    pub fn refusal(&self) -> String {
        let mut text = format!("status {}", self.status);
        let is_plain = self
            .content_type
            .as_deref()
            .is_some_and(|it| it.starts_with("text/plain") || it.contains("json"));
        if is_plain {
            let said = String::from_utf8_lossy(&self.body[..self.body.len().min(4 * MAX_SHOWN)]);
            let said: String = said
                .lines()
                .next()
                .unwrap_or_default()
                .trim()
                .chars()
                .take(MAX_SHOWN)
                .collect();
            if !said.is_empty() {
                text.push_str(&format!(" ({said})"));
            }
        }
        if let Some(remark) = &self.remark {
            text.push_str(&format!(": {remark}"));
        }
        text
    }
}

/// This many characters of an error are worth showing.
const MAX_SHOWN: usize = 80;

/// A request that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The role that was called: the one whose address it came to.
    pub role: Role,
    /// `POST`.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// What a response means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// A message of the model.
    Message(ConcreteMessage),
    /// The call was taken, and that is all.
    Taken,
    /// It was refused: an error of the protocol, or a fault that the model does not have.
    Refused(String),
}

/// A request that means a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub message: ConcreteMessage,
    /// Whether its caller waits for an answer of the model.
    pub awaits_answer: bool,
}

/// Why what came is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// It is wrong, and this is why.
    Wrong(String),
    /// It may be right, but cannot be read here, or not in one way only: no one is to blame.
    Unclear(String),
}

impl From<String> for DecodeError {
    fn from(reason: String) -> DecodeError {
        DecodeError::Wrong(reason)
    }
}

/// Translates between messages and the wire.
///
/// An error of decoding says what is wrong with what came; an error of encoding is a mistake of the mapping.
pub trait Codec: Send + Sync {
    /// A copy, which every worker has for itself.
    fn boxed(&self) -> Box<dyn Codec>;

    /// Where the service is.
    fn target(&self) -> &str;

    fn bodies(&self) -> BodyKind;

    /// What stands in every body of an operation, by place: JSON of simple values.
    fn constants(&self, operation: &str) -> Vec<(String, String)>;

    /// Texts that the service accepts, others in each run.
    fn known_texts(&self, _run: u64, _terms: &Terms) -> Vec<KnownTexts> {
        Vec::new()
    }

    /// Whether a message of the tester goes back as the response to a call of the service.
    fn is_reply(&self, message: &ConcreteMessage) -> bool;

    /// Whether the second operation answers the first.
    fn answers(&self, call: Operation, answer: Operation) -> bool;

    /// A message as a request to the service.
    fn request(&mut self, message: &ConcreteMessage, terms: &mut Terms)
    -> Result<Outgoing, String>;

    /// A message as the response to a call of the service.
    fn reply(&mut self, message: &ConcreteMessage, terms: &mut Terms) -> Result<Reply, String>;

    /// What the response to our request means.
    fn answer(
        &mut self,
        call: &ConcreteMessage,
        reply: &Reply,
        terms: &mut Terms,
    ) -> Result<Response, DecodeError>;

    /// Why the receiver of a message may refuse it and be right, although the model allows it; nothing if not.
    fn doubt(&self, message: &ConcreteMessage, terms: &Terms) -> Option<String>;

    /// Whether a request is meant as a message at all: one that only looks around, such as for a description of the
    /// partner, is turned away and nothing is made of it.
    fn is_call(&self, incoming: &Incoming) -> bool;

    /// What a request of the service means.
    fn call(&mut self, incoming: &Incoming, terms: &mut Terms) -> Result<Call, DecodeError>;

    /// What was odd about messages that were read all the same, since this was last asked.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl Clone for Box<dyn Codec> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
