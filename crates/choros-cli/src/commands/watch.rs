//! `choros watch`

use choros::report::ExitStatus;
use choros::verbs::{self, MonitorRequest, WatchRequest};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::log_options::{LogOptions, VerdictOptions, watch_request};
use crate::options::Shared;

/// Do the properties hold on these logs, divided among workers?
///
/// Divides observations by session, or by service if a property sees beyond sessions, and lets a worker judge each
/// part. The verdicts are those of `choros monitor`, in the same order. The workers are those that can share a stream
/// with others; here they run in one process.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros watch shipping/s.prop --log s=shipping/s.jsonl
                                                    judges a log
  choros watch shipping/s.prop --log s=shipping/s.jsonl --partitions 16 --verdicts -
                                                    one line per verdict, as they become known")]
pub(crate) struct Watch {
    /// Files of properties: .prop, or Prop-tester's XML
    #[arg(value_name = "PROPERTIES", required = true)]
    properties: Vec<String>,
    /// A log and the service that wrote it; `-` is standard input (repeatable)
    #[arg(long = "log", value_name = "[SERVICE=]FILE", required = true)]
    logs: Vec<String>,
    /// Divides observations into this many parts
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    partitions: u32,
    #[command(flatten)]
    reading: LogOptions,
    #[command(flatten)]
    verdicts: VerdictOptions,
    /// Keeps at most this many windows per property in each part; the oldest are given up
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    most_windows: usize,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "watch",
    models: &["properties"],
    parts: Parts::AsTheVerbSays,
    always: &[
        "logs",
        "partitions",
        "log_format",
        "binding",
        "names",
        "verdicts",
        "verdict_format",
        "follow",
        "strict",
        "strict_end",
        "lossy",
        "slack",
        "related_only",
        "longest",
        "most_windows",
    ],
    some: &[NO_PARAMETERS],
};

impl Watch {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let to_standard_output = self.verdicts.take_standard_output();
        let request = MonitorRequest {
            properties: self.properties,
            explain: false,
            xquery: false,
            watch: WatchRequest {
                most_windows: self.most_windows,
                partitions: Some(self.partitions),
                ..watch_request(&self.logs, self.reading, self.verdicts)
            },
        };
        let mut workspace = shell.workspace();
        let answered = verbs::monitor(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        report.verb = "watch";
        if to_standard_output {
            shell.finish_aside(&report, &workspace.sources)
        } else {
            shell.finish(&report, &workspace.sources)
        }
    }
}
