//! What is asked of a stream.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use choros_codes::diagnostics::unusable_stream;
use choros_exec::broker_address::BrokerAddress;
use choros_report::answers::{RunNotes, Stop};

use super::super::WatchRequest;

/// Where a broker is, and how it knows who asks.
#[derive(Debug, Clone, Default)]
pub struct BrokerRequest {
    /// `nats://HOST:PORT/NAME`.
    pub address: String,
    /// A file of credentials.
    pub credentials: Option<PathBuf>,
    /// Certificates that the broker's is checked with.
    pub roots: Option<PathBuf>,
    /// A certificate and its key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

impl BrokerRequest {
    /// The address, if it is one.
    pub(super) fn parsed(&self, run: &mut RunNotes) -> Result<BrokerAddress, Stop> {
        BrokerAddress::parse(&self.address).map_err(|wrong| {
            let found = unusable_stream::diagnostic(&wrong.to_string());
            run.findings.push(found);
            Stop::Mistakes
        })
    }
}

/// How a stream is watched.
#[derive(Debug, Clone)]
pub struct StreamRequest {
    pub broker: BrokerRequest,
    /// Those who watch under the same name share the work.
    pub name: String,
    /// So many threads work here; none looks on; without a number as many as there are cores.
    pub workers: Option<usize>,
    /// Ends when all partitions have come to their end.
    pub until_end: bool,
    /// A partition whose owner is silent for so long is taken over.
    pub patience: Duration,
    /// A checkpoint is written after so many messages.
    pub checkpoint_every: u64,
    /// Metrics are shown here.
    pub metrics: Option<String>,
    /// Each failure is posted here, at least once.
    pub webhook: Option<String>,
    /// Each failure is given to this, at least once.
    pub on_fail: Option<Hook>,
    /// Each verdict is posted to this collector of OpenTelemetry, at least once.
    pub otlp: Option<String>,
    /// What is going on is shown here.
    pub screen: Option<Screen>,
}

/// Takes a line; in words why not.
type TakesLine = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// Takes the line of a verdict; in words why not.
#[derive(Clone)]
pub struct Hook(pub Arc<TakesLine>);

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

/// Shows a text instead of the one before.
#[derive(Clone)]
pub struct Screen(pub Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Screen")
    }
}

/// What is put into a stream.
#[derive(Debug, Clone)]
pub struct FeedRequest {
    pub broker: BrokerRequest,
    /// The logs, and how they are read.
    pub reading: WatchRequest,
    /// Logs with the same source are the same logs: what is there of them is not put there again.
    pub source: String,
    /// Into how many partitions a stream that is made is divided.
    pub partitions: u32,
    /// How many servers keep a stream that is made.
    pub replicas: usize,
    /// Whether a stream that is made is divided by service, and not by session.
    pub by_service: bool,
    /// For how long a stream that is made keeps its messages; without a number forever.
    pub keep: Option<Duration>,
    /// Says that nothing more will come.
    pub end: bool,
    /// Says what time it is, so often.
    pub tick: Option<Duration>,
    /// The watch whose properties change from here on.
    pub change: Option<String>,
    /// The broker may be away for so long.
    pub patience: Duration,
}
