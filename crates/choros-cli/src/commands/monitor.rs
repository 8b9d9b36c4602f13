//! `choros monitor`

use std::time::Duration;

use choros::base::Choice;
use choros::report::ExitStatus;
use choros::verbs::{self, LogFormat, MonitorRequest, VerdictForm, WatchRequest};
use clap::{Args, ValueEnum};

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::Shared;

/// Do the properties hold on these logs or streams?
///
/// Watches properties over logs of services, message by message and within bounded memory, and says as soon as it is
/// known what becomes of each window. A property fails if any of its windows fails, holds if one passes and none fails,
/// and is unknown otherwise. Damaged records are counted and reported; the rest is judged.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros monitor shipping/s.prop --log s=shipping/s.jsonl
                                                    judges a log
  choros monitor shipping/s.prop --log s=shipping/s.jsonl --verdicts -
                                                    one line per verdict, as they become known
  choros monitor shipping/s.prop --explain          the automata of the properties
  choros monitor s.prop --log s=s.jsonl --follow --state s.st
                                                    goes on for ever, and after a restart
  choros monitor s.prop --listen :7000              observations over TCP or HTTP
  choros monitor s.prop --log s=s.jsonl --publish :7001
                                                    a tester for others to hear
  choros monitor global.prop --verdicts-from s=:7001 --verdicts-from a=:7002
                                                    verdicts of testers")]
pub(crate) struct Monitor {
    /// Files of properties: .prop, or Prop-tester's XML
    #[arg(value_name = "PROPERTIES", required = true)]
    properties: Vec<String>,
    /// A log, and the service whose log it is; `-` is standard input (may be repeated)
    #[arg(long = "log", value_name = "[SERVICE=]FILE")]
    logs: Vec<String>,
    /// The form of the logs, where the extension does not say: jsonl, xml, log, csv, har
    #[arg(long, value_name = "FORM", value_parser = form)]
    log_format: Option<LogFormat>,
    /// Says which paths of foreign records are op, from, to, id, session, at and data
    #[arg(long, value_name = "FILE")]
    mapping: Option<String>,
    /// The role that an address stands for (may be repeated)
    #[arg(long = "map", value_name = "ADDRESS=ROLE", value_parser = pair)]
    names: Vec<(String, String)>,
    /// Takes observations from whoever connects, as lines or posted over HTTP: HOST:PORT, or :PORT on this machine
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Stops listening after so many connections
    #[arg(long, value_name = "N")]
    connections: Option<usize>,
    /// Hears the verdicts of another tester and judges global properties (may be repeated)
    #[arg(long, value_name = "SERVICE=ADDR", value_parser = pair)]
    verdicts_from: Vec<(String, String)>,
    /// Waits so many seconds for a tester that is not there yet
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    patience: u64,
    /// Hands verdicts to whoever connects
    #[arg(long, value_name = "ADDR")]
    publish: Option<String>,
    /// Writes one line per verdict; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    verdicts: Option<String>,
    /// How verdicts are written
    #[arg(long, value_parser = choice::<VerdictForm>(), default_value = VerdictForm::Json.word())]
    verdict_format: VerdictForm,
    /// Waits for the logs to grow
    #[arg(long)]
    follow: bool,
    /// Ends at the first damaged or strange record
    #[arg(long)]
    strict: bool,
    /// The end of a log ends its windows: what was expected and not seen has failed
    #[arg(long)]
    strict_end: bool,
    /// Takes logs for samples that lose records by design: what may have been dropped decides nothing
    #[arg(long)]
    lossy: bool,
    /// Puts observations in order that come up to so many milliseconds late
    #[arg(long, value_name = "MS")]
    slack: Option<u64>,
    /// Counts only messages that some property names
    #[arg(long)]
    related_only: bool,
    /// Skips records that are longer, in bytes
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    longest: usize,
    /// Gives up the oldest windows of a property beyond so many
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    most_windows: usize,
    /// Saves what is known here, and goes on from it after a restart
    #[arg(long, value_name = "FILE")]
    state: Option<String>,
    /// How often it is saved, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    state_every: u64,
    /// Shows the automata of the properties instead of watching them
    #[arg(long)]
    explain: bool,
    /// Writes the properties in another language instead of watching them
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// XQuery 3.0 with sliding windows
    Xquery,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "monitor",
    models: &["properties"],
    parts: Parts::AsTheVerbSays,
    always: &[
        "logs",
        "log_format",
        "mapping",
        "names",
        "listen",
        "connections",
        "verdicts_from",
        "patience",
        "publish",
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
        "state",
        "state_every",
        "explain",
        "emit",
    ],
    some: &[NO_PARAMETERS],
};

impl Monitor {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let shows = self.explain || self.emit.is_some();
        let has_input =
            !self.logs.is_empty() || self.listen.is_some() || !self.verdicts_from.is_empty();
        if !shows && !has_input {
            return shell.usage_error("nothing to watch: give --log, --listen or --verdicts-from");
        }
        if !self.verdicts_from.is_empty() && (!self.logs.is_empty() || self.listen.is_some()) {
            return shell
                .usage_error("--verdicts-from hears other testers, and reads no logs itself");
        }
        if self.state.is_some()
            && (self.listen.is_some() || self.logs.iter().any(|it| is_stdin(it)))
        {
            return shell.usage_error(
                "--state needs logs in files: what came over a connection cannot be read again",
            );
        }
        let to_standard_output = self.verdicts.as_deref() == Some("-");
        let request = MonitorRequest {
            properties: self.properties,
            explain: self.explain,
            xquery: self.emit.is_some(),
            watch: WatchRequest {
                logs: self.logs.iter().map(|text| log(text)).collect(),
                format: self.log_format,
                mapping: self.mapping,
                names: self.names,
                listen: self.listen,
                connections: self.connections,
                verdicts_from: self.verdicts_from,
                patience: Duration::from_secs(self.patience),
                publish: self.publish,
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
                state: self.state,
                state_every: Duration::from_millis(self.state_every),
            },
        };
        let mut workspace = shell.workspace();
        let answered = verbs::monitor(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        if to_standard_output {
            shell.finish_aside(&report, &workspace.sources)
        } else {
            shell.finish(&report, &workspace.sources)
        }
    }
}

/// `SERVICE=FILE` or `FILE`.
fn log(text: &str) -> (Option<String>, String) {
    match text.split_once('=') {
        Some((service, path)) if !service.is_empty() => (Some(service.to_owned()), path.to_owned()),
        _ => (None, text.to_owned()),
    }
}

fn is_stdin(text: &str) -> bool {
    log(text).1 == "-"
}

fn form(text: &str) -> Result<LogFormat, String> {
    LogFormat::named(text).ok_or_else(|| {
        let names: Vec<&str> = LogFormat::ALL.into_iter().map(LogFormat::name).collect();
        format!("known forms: {}", names.join(", "))
    })
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((left, right)) if !left.is_empty() && !right.is_empty() => {
            Ok((left.to_owned(), right.to_owned()))
        }
        _ => Err("two names with `=` between them".to_owned()),
    }
}
