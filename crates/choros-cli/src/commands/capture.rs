//! `choros capture`

use std::path::PathBuf;
use std::time::Duration;

use choros::report::ExitStatus;
use choros::verbs::{self, CaptureRequest, Injection, Pair};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::format::Format;
use crate::shell::{Limits, Shell};

/// What do the services say to each other? A proxy that records messages
///
/// Sits between a client and a service, forwards HTTP/1.1 without changing bodies, and writes one line per message:
/// JSON and SOAP bodies become fields, a request and its response share an id. It runs until it is interrupted. A
/// binding names the messages and lists what must never be written.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros capture --listen :8001 --forward http://127.0.0.1:8080 --as c,s -o s.jsonl
  choros capture --listen :8001 --forward https://api.example.org --as c,s --to 127.0.0.1:7000
  choros capture --listen :8001 --forward http://sq:80 --as c,s \\
                 --listen :8002 --forward http://ad:80 --as s,a \\
                 --binding shop.bind.toml -o s=s.jsonl -o a=a.jsonl
  choros capture --otlp :4318 -o traces.jsonl         receives traces, one request per line
  choros capture … --inject lose,delay:300ms:20% --seed 7
                                                      disturbs what passes
  choros capture … --redact 'iban, *.birthday'        also hides these fields")]
pub(crate) struct Capture {
    /// Where clients connect: HOST:PORT, or :PORT for this machine only (repeatable)
    #[arg(long, value_name = "ADDR", required_unless_present = "otlp")]
    listen: Vec<String>,
    /// The service that receives the requests, http or https (once per --listen)
    #[arg(long, value_name = "URL", required_unless_present = "otlp")]
    forward: Vec<String>,
    /// The names of client and service (once per --listen)
    #[arg(long = "as", value_name = "FROM,TO", required_unless_present = "otlp")]
    names: Vec<String>,
    /// Receives OpenTelemetry traces here instead, over HTTP and gRPC: HOST:PORT, or :PORT for this machine only
    #[arg(
        long,
        value_name = "ADDR",
        conflicts_with_all = ["listen", "forward", "names", "to", "binding", "limit", "keep_host", "ca"],
        requires = "output"
    )]
    otlp: Option<String>,
    /// Writes the messages, or only those of NAME, to a file: .jsonl, .xml (Prop-tester) or .log (PACT, without data);
    /// repeatable
    #[arg(
        short,
        long,
        value_name = "[NAME=]FILE",
        required_unless_present = "to"
    )]
    output: Vec<String>,
    /// Appends to existing files
    #[arg(long, requires = "output")]
    append: bool,
    /// Also sends the messages to a listener, such as `choros monitor --listen` (repeatable)
    #[arg(long, value_name = "[NAME=]ADDR")]
    to: Vec<String>,
    /// The binding: what messages are called, where to find id and session, and what is secret
    #[arg(long, alias = "mapping", value_name = "FILE")]
    binding: Option<String>,
    /// More fields whose values are never written; passwords, tokens, keys, cookies and card numbers never are
    /// (repeatable)
    #[arg(long, value_name = "RULES")]
    redact: Vec<String>,
    /// Writes passwords, tokens, keys, cookies and card numbers in the clear; --redact still applies
    #[arg(long)]
    keep_secrets: bool,
    /// Logs at most this many bytes of a body; the whole body is forwarded
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    limit: usize,
    /// Forwards the Host header that the client sent
    #[arg(long)]
    keep_host: bool,
    /// Checks services' certificates against these (PEM) instead of the system's
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Injects faults on the way: lose, delay, duplicate, error, hangup, each with a share of requests and `delay` with a
    /// time if you like (lose,error:20%,delay:300ms) [default share: 10%]
    #[arg(long, value_name = "FAULTS", value_parser = Injection::parse, conflicts_with = "otlp")]
    inject: Option<Injection>,
    /// Seed for injected faults
    #[arg(long, value_name = "N", default_value_t = 0, requires = "inject")]
    seed: u64,
    /// Stops after this many seconds
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Format of the report on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "capture",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &[
        "listen",
        "forward",
        "names",
        "otlp",
        "output",
        "append",
        "to",
        "binding",
        "redact",
        "keep_secrets",
        "limit",
        "keep_host",
        "ca",
        "inject",
        "seed",
        "seconds",
    ],
    some: &[],
};

impl Capture {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = Shell::new(self.format, Limits::default(), caller);
        if self.forward.len() != self.listen.len() || self.names.len() != self.listen.len() {
            return shell.usage_error(
                "--listen, --forward and --as belong together: each must be given as often as the others",
            );
        }
        for address in &self.forward {
            shell.secrets.note_address(address);
        }
        let seed = self.seed;
        let pairs = self.listen.into_iter().zip(self.forward).zip(self.names);
        let request = CaptureRequest {
            pairs: pairs
                .map(|((listen, forward), names)| Pair {
                    listen,
                    forward,
                    names,
                })
                .collect(),
            otlp: self.otlp,
            mapping: self.binding,
            redact: self.redact,
            keep_secrets: self.keep_secrets,
            logs: self.output,
            append: self.append,
            live: self.to,
            limit: self.limit,
            keep_host: self.keep_host,
            roots: self.ca,
            duration: self.seconds.map(Duration::from_secs),
            injection: self.inject.map(|it| it.seeded(seed)),
        };
        let settings = choros::Settings {
            cancel: shell.cancel.clone(),
            events: shell.events.clone(),
            ..choros::Settings::default()
        };
        let mut workspace = shell.workspace();
        let answered = verbs::capture(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}
