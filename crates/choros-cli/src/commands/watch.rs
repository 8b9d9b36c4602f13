//! `choros watch`

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use choros::report::ExitStatus;
use choros::verbs::{
    self, AuditRequest, Hook, Hypothesis, MonitorRequest, Screen, SessionsRequest, StreamRequest,
    WatchRequest,
};
use choros::{Content, Request};
use clap::Args;

use crate::applicability::{Parts, Use, Uses};
use crate::broker_options::{BrokerOptions, seconds};
use crate::caller::Caller;
use crate::commands::audit::hypothesis;
use crate::log_options::{LogOptions, VerdictOptions, watch_request};
use crate::options::Shared;

/// Do the properties, or a choreography, hold on what comes, divided among workers?
///
/// Divides observations by session, or by service if a property sees beyond sessions, and lets a worker judge each
/// part. The verdicts are those of `choros monitor`; for a model, those of `choros audit`, told as sessions end. With
/// --log the workers run in this process; with --stream they share a stream of NATS with workers elsewhere, and no
/// verdict is lost or told twice when some of them die.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros watch shipping/s.prop --log s=shipping/s.jsonl
                                                    judges a log
  choros watch shipping/s.prop --log s=shipping/s.jsonl --partitions 16 --verdicts -
                                                    one line per verdict, as they become known
  choros watch shipping/s.prop --stream nats://localhost:4222/shop
                                                    shares a stream that `choros feed` fills
  choros watch shop.chor --log b=b.jsonl --log s=s.jsonl --follow --quiet-after 60
                                                    audits sessions as they end")]
pub(crate) struct Watch {
    /// Files of properties (.prop, or Prop-tester's XML); or one model, FILE or FILE#COMPONENT
    #[arg(value_name = "PROPERTIES|MODEL", required = true)]
    judged_by: Vec<String>,
    /// A log and the service that wrote it; `-` is standard input (repeatable)
    #[arg(
        long = "log",
        value_name = "[SERVICE=]FILE",
        required_unless_present = "stream",
        conflicts_with = "stream"
    )]
    logs: Vec<String>,
    /// A stream: the broker, and what the names of its streams begin with
    #[arg(long, value_name = "nats://HOST:PORT/NAME")]
    stream: Option<String>,
    #[command(flatten)]
    broker: BrokerOptions,
    /// Who watches a stream under the same name shares the work
    #[arg(long, value_name = "NAME", default_value = "watch", requires = "stream", value_parser = watch_name)]
    name: String,
    /// Lets this many threads work on a stream: auto is one per core, 0 only looks on
    #[arg(long, value_name = "N|auto", default_value = "auto", requires = "stream", value_parser = workers)]
    workers: Workers,
    /// Ends once the whole stream is judged, if someone said that it has come to its end
    #[arg(long, requires = "stream")]
    until_end: bool,
    /// Takes a partition of a stream over whose owner was silent for this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", requires = "stream", value_parser = seconds)]
    takeover_after: Duration,
    /// Writes how far a stream was judged after this many messages
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "stream", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: u64,
    /// Shows rates, lag and the last failures of a stream while it is watched
    #[arg(long, requires = "stream")]
    top: bool,
    /// Serves metrics of a stream for Prometheus here, at /metrics, and /healthz: HOST:PORT, or :PORT for this machine only
    #[arg(long, value_name = "ADDR", requires = "stream")]
    metrics: Option<String>,
    /// Posts each verdict of a stream that fails to this address, at least once
    #[arg(long, value_name = "http://…", requires = "stream", value_parser = http)]
    webhook: Option<String>,
    /// Runs this command for each verdict of a stream that fails, at least once; the verdict is its input
    #[arg(long, value_name = "COMMAND", requires = "stream")]
    on_fail: Option<String>,
    /// Posts each verdict of a stream to this collector of OpenTelemetry logs, at least once
    #[arg(long, value_name = "http://…", requires = "stream", value_parser = http)]
    otlp_logs: Option<String>,
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
    sessions: SessionOptions,
    #[command(flatten)]
    shared: Shared,
}

/// How sessions are audited by a model.
#[derive(Args)]
struct SessionOptions {
    /// With a model: the roles that write logs, separated by commas, if not all do
    #[arg(long, value_name = "ROLES", value_delimiter = ',')]
    roles: Vec<String>,
    /// With a model: what may be missing from logs, `cut` (their end), `late` (their start or end), `gaps` (anything);
    /// for all logs, or for one role (repeatable)
    #[arg(long, value_name = "[ROLE=]WORD", value_parser = hypothesis)]
    hypothesis: Vec<(Option<String>, Hypothesis)>,
    /// With a model: cuts a session after this many seconds without a record, by the times of records and ticks; a
    /// session that could continue is then inconclusive
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600)]
    quiet_after: u64,
    /// With a model: holds at most this many observations in each part; the sessions that are quiet for longest are cut
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    most_observations: usize,
}

fn http(text: &str) -> Result<String, String> {
    if text.starts_with("http://") {
        Ok(text.to_owned())
    } else {
        Err(
            "write http://HOST:PORT/PATH; for https let --on-fail run a program such as curl"
                .to_owned(),
        )
    }
}

/// A command of the system's shell, for the line of each verdict.
fn run_for_each(text: String) -> Hook {
    Hook(Arc::new(move |line| {
        let failed = |error: std::io::Error| format!("`{text}`: {error}");
        let mut child = Command::new("sh")
            .args(["-c", &text])
            .stdin(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut input) = child.stdin.take() {
            // A command need not read its input.
            let _ = writeln!(input, "{line}");
        }
        let status = child.wait().map_err(failed)?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("`{text}`: {status}"))
        }
    }))
}

/// Standard error as a screen.
fn screen() -> Screen {
    Screen(Arc::new(|text| {
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\x1b[2J\x1b[H{text}");
        let _ = out.flush();
    }))
}

/// How many threads work; none for one per core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Workers(Option<usize>);

fn workers(text: &str) -> Result<Workers, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(Workers(None)),
        (_, Ok(count)) if count <= 1024 => Ok(Workers(Some(count))),
        _ => Err("write `auto` or a number up to 1024".to_owned()),
    }
}

fn watch_name(text: &str) -> Result<String, String> {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    if !text.is_empty() && text.chars().all(is_letter) {
        Ok(text.to_owned())
    } else {
        Err("use letters, digits, `-` and `_`".to_owned())
    }
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "watch",
    models: &["judged_by"],
    parts: Parts::AsTheVerbSays,
    always: &[
        "logs",
        "stream",
        "credentials",
        "ca",
        "cert",
        "key",
        "name",
        "workers",
        "until_end",
        "takeover_after",
        "checkpoint_every",
        "top",
        "metrics",
        "webhook",
        "on_fail",
        "otlp_logs",
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
    some: &[Use::of(
        &[
            "parameters",
            "roles",
            "hypothesis",
            "quiet_after",
            "most_observations",
        ],
        &[Content::Graphs, Content::Process, Content::Gchor],
    )
    .hint("it is about sessions that a model judges")],
};

impl Watch {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let to_standard_output = self.verdicts.take_standard_output();
        let stream = self.stream.map(|address| StreamRequest {
            broker: self.broker.request(address, &shell),
            name: self.name,
            workers: self.workers.0,
            until_end: self.until_end,
            patience: self.takeover_after,
            checkpoint_every: self.checkpoint_every,
            metrics: self.metrics,
            webhook: self.webhook,
            on_fail: self.on_fail.map(run_for_each),
            otlp: self.otlp_logs,
            screen: self.top.then(screen),
        });
        let watch = WatchRequest {
            most_windows: self.most_windows,
            partitions: Some(self.partitions),
            stream,
            ..watch_request(&self.logs, self.reading, self.verdicts)
        };
        let mut workspace = shell.workspace();
        let model = Request::parse(&self.judged_by[0], None);
        let mut report = if model.is_properties() || model.known_kind().is_none() {
            let request = MonitorRequest {
                properties: self.judged_by,
                explain: false,
                xquery: false,
                watch,
            };
            let answered = verbs::monitor(&mut workspace, &request, &settings);
            answered.report(&workspace.terms)
        } else if self.judged_by.len() > 1 {
            return shell.usage_error("give one model, or files of properties");
        } else {
            let request = AuditRequest {
                model,
                ..AuditRequest::default()
            };
            let sessions = SessionsRequest {
                watch,
                roles: self.sessions.roles,
                hypotheses: self.sessions.hypothesis,
                quiet_after: self.sessions.quiet_after,
                most_observations: self.sessions.most_observations,
            };
            let answered = verbs::audit_sessions(&mut workspace, &request, &sessions, &settings);
            answered.report(&workspace.terms)
        };
        report.verb = "watch";
        if to_standard_output {
            shell.finish_aside(&report, &workspace.sources)
        } else {
            shell.finish(&report, &workspace.sources)
        }
    }
}
