//! `choros feed`

use std::time::Duration;

use choros::report::ExitStatus;
use choros::verbs::{self, FeedRequest};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::broker_options::{BrokerOptions, seconds};
use crate::caller::Caller;
use crate::log_options::{LogOptions, feed_reading};
use crate::options::Shared;

/// Puts logs into a stream that workers watch
///
/// Divides observations into partitions of a stream of NATS and puts each there once, whatever crashes: run it again,
/// and it continues where it was. `choros watch --stream` judges them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros feed --log s=s.jsonl --stream nats://localhost:4222/shop --end
                                                    a log, and nothing more
  choros feed --log s=s.jsonl --follow --tick 1 --stream nats://localhost:4222/shop
                                                    a log that grows, and the time
  choros feed new.prop --change watch --stream nats://localhost:4222/shop
                                                    other properties from here on")]
pub(crate) struct Feed {
    /// Files of properties that are judged from here on, with --change
    #[arg(value_name = "PROPERTIES", requires = "change")]
    properties: Vec<String>,
    /// A log and the service that wrote it; `-` is standard input (repeatable)
    #[arg(long = "log", value_name = "[SERVICE=]FILE")]
    logs: Vec<String>,
    /// The stream: the broker, and what the names of its streams begin with
    #[arg(long, value_name = "nats://HOST:PORT/NAME", required = true)]
    stream: Option<String>,
    #[command(flatten)]
    broker: BrokerOptions,
    /// Divides a stream that is made into this many partitions
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    partitions: u32,
    /// Divides a stream that is made by this
    #[arg(long, value_enum, default_value_t = DivideBy::Session)]
    divide_by: DivideBy,
    /// Lets this many servers keep a stream that is made
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
    /// Lets a stream that is made forget messages after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    keep: Option<Duration>,
    /// A name for these logs: logs with the same name are the same, and what is there of them is not put there again
    #[arg(long, value_name = "NAME", default_value = "log")]
    source: String,
    #[command(flatten)]
    reading: LogOptions,
    /// Keeps reading as the logs grow
    #[arg(long)]
    follow: bool,
    /// Stops at the first damaged record
    #[arg(long)]
    strict: bool,
    /// Says that nothing more will come: open windows end
    #[arg(long)]
    end: bool,
    /// Says what time it is, every this many seconds: windows in time end although nothing is seen
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    tick: Option<Duration>,
    /// Lets the watch of this name judge other properties from here on
    #[arg(long, value_name = "NAME", requires = "properties")]
    change: Option<String>,
    /// Tries for this many seconds if the broker does not answer
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    patience: Duration,
    #[command(flatten)]
    shared: Shared,
}

/// By what observations are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DivideBy {
    /// Each session is in one partition
    Session,
    /// The log of each service is in one partition
    Service,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "feed",
    models: &["properties"],
    parts: Parts::AsTheVerbSays,
    always: &[
        "logs",
        "stream",
        "credentials",
        "ca",
        "cert",
        "key",
        "partitions",
        "divide_by",
        "replicas",
        "keep",
        "source",
        "log_format",
        "binding",
        "names",
        "follow",
        "strict",
        "end",
        "tick",
        "change",
        "patience",
    ],
    some: &[NO_PARAMETERS],
};

impl Feed {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        if self.logs.is_empty() && self.change.is_none() && !self.end {
            return shell.usage_error("nothing to put there: give --log, --change or --end");
        }
        let address = self.stream.unwrap_or_default();
        let request = FeedRequest {
            broker: self.broker.request(address, &shell),
            reading: feed_reading(&self.logs, self.reading, self.follow, self.strict),
            source: self.source,
            partitions: self.partitions,
            replicas: usize::from(self.replicas),
            by_service: self.divide_by == DivideBy::Service,
            keep: self.keep,
            end: self.end,
            tick: self.tick,
            change: self.change,
            patience: self.patience,
        };
        let mut workspace = shell.workspace();
        let answered = verbs::feed(&mut workspace, &request, &self.properties, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}
