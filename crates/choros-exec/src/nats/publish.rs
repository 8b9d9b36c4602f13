//! Messages that are kept if the last one is as expected.

use async_nats::HeaderMap;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use bytes::Bytes;

use super::{Broker, Header};

/// A message on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    pub subject: String,
    pub headers: Vec<Header>,
    pub payload: Vec<u8>,
    pub expected: Expected,
}

/// What must be last for a message to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Anything,
    /// The message with this number is the last one of the stream.
    InStream(u64),
    /// The message with this number is the last one of the subject; 0 if there is none.
    OnSubject(u64),
}

/// Why it is not known that a message was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishFault {
    /// Another one is last: it was not kept.
    Refused,
    /// It may have been kept, or may be later; why no one knows.
    Unanswered(String),
}

impl Broker {
    /// Publishes messages one after the other without waiting between them; the number of the last.
    ///
    /// The first one that was not kept is what is told; those after it may have been kept where they expect anything.
    pub fn publish(&self, messages: Vec<Outgoing>) -> Result<u64, PublishFault> {
        let mut last = 0;
        for result in self.publish_each(messages) {
            last = result?;
        }
        Ok(last)
    }

    /// The same, with what became of each.
    pub fn publish_each(&self, messages: Vec<Outgoing>) -> Vec<Result<u64, PublishFault>> {
        self.runtime.block_on(async {
            let mut answers = Vec::with_capacity(messages.len());
            for message in messages {
                let headers = headers(&message);
                let payload = Bytes::from(message.payload);
                let sent = self
                    .jetstream
                    .publish_with_headers(message.subject, headers, payload);
                answers.push(sent.await);
            }
            let mut results = Vec::with_capacity(answers.len());
            let mut is_silent = false;
            for answer in answers {
                results.push(match answer {
                    Err(error) => Err(fault(&error)),
                    // Where one was not answered in time, the others had as long.
                    Ok(_) if is_silent => Err(PublishFault::Unanswered(SILENT.to_owned())),
                    Ok(answer) => answer.await.map(|it| it.sequence).map_err(|error| {
                        is_silent = error.kind() == PublishErrorKind::TimedOut;
                        fault(&error)
                    }),
                });
            }
            results
        })
    }
}

/// Why something is not known that was asked behind something that is not known.
const SILENT: &str = "the broker does not answer";

fn headers(message: &Outgoing) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in &message.headers {
        headers.insert(name.as_str(), value.as_str());
    }
    match message.expected {
        Expected::Anything => {}
        Expected::InStream(last) => {
            headers.insert("Nats-Expected-Last-Sequence", last.to_string());
        }
        Expected::OnSubject(last) => {
            headers.insert("Nats-Expected-Last-Subject-Sequence", last.to_string());
        }
    }
    headers
}

fn fault(error: &PublishError) -> PublishFault {
    match error.kind() {
        PublishErrorKind::WrongLastSequence => PublishFault::Refused,
        _ => PublishFault::Unanswered(error.to_string()),
    }
}
