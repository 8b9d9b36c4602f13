//! `choros bind`

use std::path::{Path, PathBuf};

use choros::report::ExitStatus;
use choros::verbs::{self, BindRequest, LogFormat, SampleRequest};
use choros::{FileKind, Request};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::commands::audit::log;
use crate::options::{Shared, kind};

/// How do the messages of a model look in these logs?
///
/// Reads records of logs as you have them (OpenTelemetry, Jaeger, Zipkin, CloudEvents, HAR, access logs, Kafka, CSV, JSON
/// Lines; also in syslog, gzip or zstd) and proposes a binding: which names are which roles, which records are which
/// messages, where their fields are. What cannot be told is asked in comments of the file. The other verbs take the
/// file with --binding.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros bind saga/saga.chor --log saga/logs/correct.jsonl      shows the binding
  choros bind shop.chor --log traces.json -o shop.bind.toml     writes it
  choros bind shop.chor --log order=order.har --log access.log.gz -o shop.bind.toml
  choros bind --from shop.json --from capture.json              translates old mappings")]
pub(crate) struct Bind {
    /// The model: FILE, or FILE#COMPONENT
    #[arg(value_name = "MODEL[#NAME]", required_unless_present = "from")]
    model: Option<String>,
    /// Reads the model as this format, whatever its extension: chor, schora, pact, stg, dot, stga
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// A log, or the log of one role (repeatable)
    #[arg(long = "log", value_name = "[ROLE=]FILE", value_parser = log, required_unless_present = "from")]
    logs: Vec<(Option<String>, String)>,
    /// Reads logs in this format, whatever they look like
    #[arg(long, value_name = "FORM", value_parser = choice::<LogFormat>())]
    log_format: Option<LogFormat>,
    /// Translates a mapping in JSON of an earlier version instead; several become one binding (repeatable)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "logs"])]
    from: Vec<String>,
    /// Writes the binding to a new file; an existing one is never overwritten
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Looks at no more records than this
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    most_records: usize,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "bind",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &[
        "model",
        "logs",
        "log_format",
        "from",
        "output",
        "most_records",
        "parameters",
    ],
    some: &[],
};

impl Bind {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        if let Some(path) = self.output.as_deref().filter(|it| it.exists()) {
            return shell.usage_error(&taken(path));
        }
        let mut workspace = shell.workspace();
        let request = BindRequest {
            model: Request::parse(self.model.as_deref().unwrap_or_default(), self.kind),
            logs: SampleRequest {
                files: self.logs,
                format: self.log_format,
                most_records: self.most_records,
            },
            output: self.output.as_ref().map(|it| it.display().to_string()),
        };
        let answered = if self.from.is_empty() {
            verbs::bind(&mut workspace, &request, &settings)
        } else {
            let is_written = self.output.is_some();
            verbs::translate(&mut workspace, &self.from, is_written, &settings)
        };
        let text = answered.answer.as_ref().ok().map(|it| it.text.clone());
        let mut report = answered.report(&workspace.terms);
        if let (Some(path), Some(text)) = (&self.output, text) {
            shell.write_beside(path, &text, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}

fn taken(path: &Path) -> String {
    format!(
        "`{}` exists and may have been edited; name another file, or move it away",
        path.display()
    )
}
