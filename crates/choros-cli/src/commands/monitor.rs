//! `choros monitor`

use std::time::Duration;

use choros::report::ExitStatus;
use choros::verbs::{self, MonitorRequest, WatchRequest};
use clap::{Args, ValueEnum};

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::log_options::{LogOptions, VerdictOptions, log, watch_request};
use crate::options::Shared;

/// Do the properties hold on these logs or streams?
///
/// Checks properties on logs of services, message by message and in bounded memory, and reports each verdict as soon as
/// it is known. A property fails if any of its windows fails, holds if one passes and none fails, and is otherwise
/// unknown. Damaged records are counted and reported; the rest is judged.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros monitor shipping/s.prop --log s=shipping/s.jsonl
                                                    judges a log
  choros monitor shipping/s.prop --log s=shipping/s.jsonl --verdicts -
                                                    one line per verdict, as they become known
  choros monitor shipping/s.prop --explain          the automata of the properties
  choros monitor s.prop --log s=s.jsonl --follow --state s.st
                                                    runs forever, and resumes after a restart
  choros monitor s.prop --listen :7000              observations over TCP or HTTP
  choros monitor s.prop --log s=s.jsonl --publish :7001
                                                    a tester that serves its verdicts
  choros monitor global.prop --verdicts-from s=:7001 --verdicts-from a=:7002
                                                    verdicts of testers")]
pub(crate) struct Monitor {
    /// Files of properties: .prop, or Prop-tester's XML
    #[arg(value_name = "PROPERTIES", required = true)]
    properties: Vec<String>,
    /// A log and the service that wrote it; `-` is standard input (repeatable)
    #[arg(long = "log", value_name = "[SERVICE=]FILE")]
    logs: Vec<String>,
    #[command(flatten)]
    reading: LogOptions,
    /// Accepts observations over TCP (one per line) or HTTP POST: HOST:PORT, or :PORT for this machine only
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Stops after this many connections
    #[arg(long, value_name = "N")]
    connections: Option<usize>,
    /// Reads the verdicts of another tester, to judge global properties (repeatable)
    #[arg(long, value_name = "SERVICE=ADDR", value_parser = pair)]
    verdicts_from: Vec<(String, String)>,
    /// Waits up to this many seconds for a tester to start
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    patience: u64,
    /// Serves verdicts to every client that connects
    #[arg(long, value_name = "ADDR")]
    publish: Option<String>,
    #[command(flatten)]
    verdicts: VerdictOptions,
    /// Keeps at most this many windows per property; the oldest are given up
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    most_windows: usize,
    /// Saves the state to this file, and continues from it after a restart
    #[arg(long, value_name = "FILE")]
    state: Option<String>,
    /// How often to save the state, in milliseconds
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
        "binding",
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
            return shell.usage_error(
                "--verdicts-from reads verdicts of other testers and cannot be combined with logs",
            );
        }
        if self.state.is_some()
            && (self.listen.is_some() || self.logs.iter().any(|it| is_stdin(it)))
        {
            return shell.usage_error(
                "--state needs logs in files: what came over a connection cannot be read again",
            );
        }
        let to_standard_output = self.verdicts.take_standard_output();
        let request = MonitorRequest {
            properties: self.properties,
            explain: self.explain,
            xquery: self.emit.is_some(),
            watch: WatchRequest {
                listen: self.listen,
                connections: self.connections,
                verdicts_from: self.verdicts_from,
                patience: Duration::from_secs(self.patience),
                publish: self.publish,
                most_windows: self.most_windows,
                state: self.state,
                state_every: Duration::from_millis(self.state_every),
                ..watch_request(&self.logs, self.reading, self.verdicts)
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

fn is_stdin(text: &str) -> bool {
    log(text).1 == "-"
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((left, right)) if !left.is_empty() && !right.is_empty() => {
            Ok((left.to_owned(), right.to_owned()))
        }
        _ => Err("two names with `=` between them".to_owned()),
    }
}
