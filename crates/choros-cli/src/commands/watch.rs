//! `choros watch`

use choros::base::Choice;
use choros::report::ExitStatus;
use choros::verbs::{self, LogFormat, MonitorRequest, VerdictForm, WatchRequest};
use clap::Args;

use super::monitor::{log, pair};
use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
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
    /// Reads logs in this format, whatever they look like
    #[arg(long, value_name = "FORM", value_parser = choice::<LogFormat>())]
    log_format: Option<LogFormat>,
    /// The binding: what messages and roles are called in logs, and where their fields are
    #[arg(long, alias = "mapping", value_name = "FILE")]
    binding: Option<String>,
    /// Maps an address in a log to a role (repeatable)
    #[arg(long = "map", value_name = "ADDRESS=ROLE", value_parser = pair)]
    names: Vec<(String, String)>,
    /// Writes one line per verdict to a file; with `-`, to standard output, and the report to standard error
    #[arg(long, value_name = "FILE")]
    verdicts: Option<String>,
    /// Format of verdicts
    #[arg(long, value_parser = choice::<VerdictForm>(), default_value = VerdictForm::Json.word())]
    verdict_format: VerdictForm,
    /// Keeps reading as the logs grow
    #[arg(long)]
    follow: bool,
    /// Stops at the first damaged or unexpected record
    #[arg(long)]
    strict: bool,
    /// Treats the end of a log as the end of its windows: a message still expected there has failed to come
    #[arg(long)]
    strict_end: bool,
    /// Treats logs as samples that drop records by design: missing records decide nothing
    #[arg(long)]
    lossy: bool,
    /// Reorders observations that arrive up to this many milliseconds late
    #[arg(long, value_name = "MS")]
    slack: Option<u64>,
    /// Counts only messages that a property names
    #[arg(long)]
    related_only: bool,
    /// Skips records longer than this, in bytes
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    longest: usize,
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
        let to_standard_output = self.verdicts.as_deref() == Some("-");
        let request = MonitorRequest {
            properties: self.properties,
            explain: false,
            xquery: false,
            watch: WatchRequest {
                logs: self.logs.iter().map(|text| log(text)).collect(),
                format: self.log_format,
                mapping: self.binding,
                names: self.names,
                verdicts: self.verdicts,
                form: self.verdict_format,
                follow: self.follow,
                strict: self.strict,
                strict_end: self.strict_end,
                lossy: self.lossy,
                slack: self.slack,
                related_only: self.related_only,
                longest: self.longest,
                most_windows: self.most_windows,
                partitions: Some(self.partitions),
                ..WatchRequest::default()
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
