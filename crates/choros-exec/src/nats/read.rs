//! Messages of a stream, by their numbers.

use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::{HeaderMap, Message};
use futures_util::StreamExt;

use super::{ANSWER, Broker, BrokerError};

/// A name and its value.
pub type Header = (String, String);

/// A message of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerMessage {
    pub sequence: u64,
    /// The headers that a publisher gave it, and the broker's.
    pub headers: Vec<Header>,
    pub payload: Vec<u8>,
    /// So many messages come after it.
    pub pending: u64,
}

impl BrokerMessage {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(it, _)| it.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// No answer to one question is longer, in bytes.
const MOST_BYTES: usize = 8 << 20;

impl Broker {
    /// Up to so many messages of a stream after this number, in order; any server that keeps the stream answers, so
    /// the last ones may be missing.
    pub fn read(
        &self,
        stream: &str,
        after: u64,
        most: usize,
    ) -> Result<Vec<BrokerMessage>, BrokerError> {
        self.runtime.block_on(self.batch(stream, after, most))
    }

    async fn batch(
        &self,
        stream: &str,
        after: u64,
        most: usize,
    ) -> Result<Vec<BrokerMessage>, BrokerError> {
        let failed = |why: String| BrokerError::Failed(format!("the stream `{stream}`: {why}"));
        let inbox = self.client.new_inbox();
        let subscribed = self.client.subscribe(inbox.clone()).await;
        let mut answers = subscribed.map_err(|error| failed(error.to_string()))?;
        let question = format!(
            "{{\"seq\":{},\"batch\":{most},\"max_bytes\":{MOST_BYTES}}}",
            after + 1
        );
        let subject = format!("$JS.API.DIRECT.GET.{stream}");
        let asked = self
            .client
            .publish_with_reply(subject, inbox, question.into());
        asked.await.map_err(|error| failed(error.to_string()))?;
        let mut messages = Vec::new();
        let end = loop {
            match tokio::time::timeout(ANSWER, answers.next()).await {
                Err(_) | Ok(None) => break Err(failed("it does not answer".to_owned())),
                Ok(Some(message)) => match message.status.map(|it| it.as_u16()) {
                    // The end of the batch; nothing there.
                    Some(204 | 404) => break Ok(messages),
                    Some(503) => break Err(BrokerError::Absent(stream.to_owned())),
                    Some(status) => break Err(failed(format!("status {status}"))),
                    None => match found(&message) {
                        Some(found) => messages.push(found),
                        None => break Err(failed("a message has no number".to_owned())),
                    },
                },
            }
        };
        let _ = answers.unsubscribe().await;
        end
    }

    /// The last message on a subject, from the server that leads the stream.
    pub fn last_on(
        &self,
        stream: &str,
        subject: &str,
    ) -> Result<Option<BrokerMessage>, BrokerError> {
        self.runtime.block_on(async {
            let failed = |why: String| BrokerError::Failed(format!("the stream `{stream}`: {why}"));
            let handle = self.jetstream.get_stream_no_info(stream).await;
            let handle = handle.map_err(|error| failed(error.to_string()))?;
            match handle.get_last_raw_message_by_subject(subject).await {
                Ok(message) => Ok(Some(BrokerMessage {
                    sequence: message.sequence,
                    headers: listed(&message.headers),
                    payload: message.payload.to_vec(),
                    pending: 0,
                })),
                Err(error) => match error.kind() {
                    LastRawMessageErrorKind::NoMessageFound => Ok(None),
                    _ => Err(failed(error.to_string())),
                },
            }
        })
    }
}

fn found(message: &Message) -> Option<BrokerMessage> {
    let headers = message.headers.as_ref().map(listed).unwrap_or_default();
    let number = |name: &str| {
        let mut headers = headers.iter();
        let (_, value) = headers.find(|(it, _)| it == name)?;
        value.parse().ok()
    };
    Some(BrokerMessage {
        sequence: number("Nats-Sequence")?,
        pending: number("Nats-Num-Pending").unwrap_or(0),
        payload: message.payload.to_vec(),
        headers,
    })
}

fn listed(headers: &HeaderMap) -> Vec<Header> {
    let headers = headers.iter();
    let mut all: Vec<Header> = headers
        .filter_map(|(name, values)| Some((name.to_string(), values.first()?.as_str().to_owned())))
        .collect();
    all.sort();
    all
}
