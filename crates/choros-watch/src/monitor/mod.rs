//! Do the properties hold on these logs or streams?

mod automaton;
mod changed_verdicts;
mod doubt;
mod evidence;
mod hear;
mod inputs;
mod ledger;
mod saved_state;
mod sessions;
mod stream;
mod watch;

use std::time::Duration;

use choros_data::Terms;
use choros_exec::log::LogFormat;
use choros_exec::verdicts::VerdictForm;
use choros_query::property::Properties;
use choros_report::answers::{Monitoring, RunNotes, Stop};

pub use automaton::automaton;
pub use sessions::{SessionModel, SessionsRequest, audit};
pub use stream::{BrokerRequest, FeedRequest, Hook, Screen, StreamRequest, feed};

use crate::WatchContext;

#[derive(Debug, Clone)]
pub struct WatchRequest {
    /// Logs: the service, where it is said, and the file; `-` is standard input.
    pub logs: Vec<(Option<String>, String)>,
    /// The form of all logs, where the extension does not say.
    pub format: Option<LogFormat>,
    /// A mapping file.
    pub mapping: Option<String>,
    /// Addresses and the roles they stand for.
    pub names: Vec<(String, String)>,
    /// Listen here for observations.
    pub listen: Option<String>,
    /// Stop listening after this many connections.
    pub connections: Option<usize>,
    /// Hear the verdicts of other testers: service and address.
    pub verdicts_from: Vec<(String, String)>,
    /// How long a tester that is not there is waited for.
    pub patience: Duration,
    /// Hand out verdicts here.
    pub publish: Option<String>,
    /// Write verdicts to this file; `-` is standard output.
    pub verdicts: Option<String>,
    /// Format of verdicts.
    pub form: VerdictForm,
    /// Logs may grow.
    pub follow: bool,
    /// The first problem ends the run.
    pub strict: bool,
    /// The end of a log ends its windows.
    pub strict_end: bool,
    /// Logs are samples that lose records by design.
    pub lossy: bool,
    /// Milliseconds that an observation may come late.
    pub slack: Option<u64>,
    /// Only messages that some property names count.
    pub related_only: bool,
    /// No record is longer, in bytes.
    pub longest: usize,
    /// No property holds more open windows.
    pub most_windows: usize,
    /// Save the state here, and continue from it.
    pub state: Option<String>,
    /// How often.
    pub state_every: Duration,
    /// Observations are divided among this many workers; without it one monitor takes all.
    pub partitions: Option<u32>,
    /// Observations come from a stream that many processes watch, and not from logs.
    pub stream: Option<StreamRequest>,
}

impl Default for WatchRequest {
    fn default() -> Self {
        WatchRequest {
            logs: Vec::new(),
            format: None,
            mapping: None,
            names: Vec::new(),
            listen: None,
            connections: None,
            verdicts_from: Vec::new(),
            patience: Duration::from_secs(30),
            publish: None,
            verdicts: None,
            form: VerdictForm::default(),
            follow: false,
            strict: false,
            strict_end: false,
            lossy: false,
            slack: None,
            related_only: false,
            longest: 1 << 20,
            most_windows: 1_000_000,
            state: None,
            state_every: Duration::from_secs(1),
            partitions: None,
            stream: None,
        }
    }
}

/// Watches properties over logs, or hears the verdicts of others.
pub fn monitor(
    properties: &Properties,
    request: &WatchRequest,
    terms: &Terms,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Monitoring, Stop> {
    if let Some(stream) = &request.stream {
        stream::watch(properties, request, stream, terms, world, run)
    } else if request.verdicts_from.is_empty() {
        watch::watch(properties, request, terms, world, run)
    } else {
        hear::hear(properties, request, world, run)
    }
}
