//! Streams: made, found.

use std::collections::HashMap;
use std::time::Duration;

use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{Config, DiscardPolicy, Info, StorageType};
use async_nats::jetstream::{ErrorCode, context::CreateStreamErrorKind};

use super::{Broker, BrokerError};

/// A stream as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPlan {
    pub name: String,
    /// Everything that is published there belongs to it.
    pub subject: String,
    /// How many servers keep it.
    pub replicas: usize,
    pub keep: Keep,
    /// Words about it, for those who find it.
    pub facts: Vec<(String, String)>,
}

/// What a stream keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Everything, or what is not older.
    Messages(Option<Duration>),
    /// The last message of each subject, as a bucket of values does.
    Values,
}

/// What is known of a stream that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamFacts {
    /// Another one for each time that a stream of this name was made.
    pub incarnation: String,
    /// Of the first and the last message; the last one may be gone.
    pub first: u64,
    pub last: u64,
    pub replicas: usize,
    pub facts: Vec<(String, String)>,
}

impl StreamFacts {
    /// What a word about it says.
    pub fn fact(&self, name: &str) -> Option<&str> {
        let mut facts = self.facts.iter();
        facts.find(|(it, _)| it == name).map(|(_, it)| it.as_str())
    }
}

impl Broker {
    /// A stream as it is, after it was made if there was none.
    pub fn make_stream(&self, plan: &StreamPlan) -> Result<StreamFacts, BrokerError> {
        let is_bucket = plan.keep == Keep::Values;
        let config = Config {
            name: plan.name.clone(),
            subjects: vec![plan.subject.clone()],
            num_replicas: plan.replicas,
            storage: StorageType::File,
            allow_direct: true,
            // Nothing goes without anyone's notice: whoever publishes is refused where there is no room.
            discard: DiscardPolicy::New,
            max_age: match plan.keep {
                Keep::Messages(Some(age)) => age,
                Keep::Messages(None) | Keep::Values => Duration::ZERO,
            },
            max_messages_per_subject: if is_bucket { 1 } else { -1 },
            allow_rollup: is_bucket,
            deny_delete: is_bucket,
            metadata: HashMap::from_iter(plan.facts.iter().cloned()),
            ..Config::default()
        };
        let made = self.runtime.block_on(self.jetstream.create_stream(config));
        match made {
            Ok(stream) => Ok(facts(stream.cached_info())),
            Err(error) => match error.kind() {
                CreateStreamErrorKind::JetStream(inner)
                    if inner.error_code() == ErrorCode::STREAM_NAME_EXIST =>
                {
                    self.stream(&plan.name)
                }
                _ => Err(BrokerError::Failed(format!(
                    "cannot make the stream `{}`: {error}",
                    plan.name
                ))),
            },
        }
    }

    /// Finds out what is there under a name.
    pub fn stream(&self, name: &str) -> Result<StreamFacts, BrokerError> {
        let found = self.runtime.block_on(self.jetstream.get_stream(name));
        match found {
            Ok(stream) => Ok(facts(stream.cached_info())),
            Err(error) => Err(match error.kind() {
                GetStreamErrorKind::JetStream(inner)
                    if inner.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                {
                    BrokerError::Absent(name.to_owned())
                }
                _ => BrokerError::Failed(format!("the stream `{name}` does not answer: {error}")),
            }),
        }
    }
}

fn facts(info: &Info) -> StreamFacts {
    let mut facts: Vec<(String, String)> = info.config.metadata.clone().into_iter().collect();
    facts.sort();
    StreamFacts {
        incarnation: info.created.unix_timestamp_nanos().to_string(),
        first: info.state.first_sequence,
        last: info.state.last_sequence,
        replicas: info.config.num_replicas,
        facts,
    }
}
