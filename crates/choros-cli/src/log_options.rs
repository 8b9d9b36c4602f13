//! Options of verbs that watch logs: what logs are called, and what is done with verdicts as they become known.

use choros::base::Choice;
use choros::verbs::{LogFormat, VerdictForm, WatchRequest};
use clap::Args;

use crate::choice::choice;

/// How logs are read.
#[derive(Args)]
pub(crate) struct LogOptions {
    /// Reads logs in this format, whatever they look like
    #[arg(long, value_name = "FORM", value_parser = choice::<LogFormat>())]
    log_format: Option<LogFormat>,
    /// The binding: what messages and roles are called in logs, and where their fields are
    #[arg(long, alias = "mapping", value_name = "FILE")]
    binding: Option<String>,
    /// Maps an address in a log to a role (repeatable)
    #[arg(long = "map", value_name = "ADDRESS=ROLE", value_parser = address_and_role)]
    names: Vec<(String, String)>,
}

/// What a verdict takes into account, and where it goes.
#[derive(Args)]
pub(crate) struct VerdictOptions {
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
}

impl VerdictOptions {
    /// Whether verdicts take standard output, so that the report must go elsewhere.
    pub(crate) fn take_standard_output(&self) -> bool {
        self.verdicts.as_deref() == Some("-")
    }
}

/// What both groups ask for, of these logs; the rest is as usual.
pub(crate) fn watch_request(
    logs: &[String],
    reading: LogOptions,
    verdicts: VerdictOptions,
) -> WatchRequest {
    WatchRequest {
        logs: logs.iter().map(|text| log(text)).collect(),
        format: reading.log_format,
        mapping: reading.binding,
        names: reading.names,
        verdicts: verdicts.verdicts,
        form: verdicts.verdict_format,
        follow: verdicts.follow,
        strict: verdicts.strict,
        strict_end: verdicts.strict_end,
        lossy: verdicts.lossy,
        slack: verdicts.slack,
        related_only: verdicts.related_only,
        longest: verdicts.longest,
        ..WatchRequest::default()
    }
}

/// How logs are read that are put somewhere and not judged.
pub(crate) fn feed_reading(
    logs: &[String],
    reading: LogOptions,
    follow: bool,
    strict: bool,
) -> WatchRequest {
    WatchRequest {
        logs: logs.iter().map(|text| log(text)).collect(),
        format: reading.log_format,
        mapping: reading.binding,
        names: reading.names,
        follow,
        strict,
        ..WatchRequest::default()
    }
}

/// `SERVICE=FILE` or `FILE`.
pub(crate) fn log(text: &str) -> (Option<String>, String) {
    match text.split_once('=') {
        Some((service, path)) if !service.is_empty() => (Some(service.to_owned()), path.to_owned()),
        _ => (None, text.to_owned()),
    }
}

/// `ADDRESS=ROLE`.
pub(crate) fn address_and_role(text: &str) -> Result<(String, String), String> {
    // An address may hold `=`, a role does not.
    match text.rsplit_once('=') {
        Some((address, role)) if !address.trim().is_empty() && !role.trim().is_empty() => {
            Ok((address.trim().to_owned(), role.trim().to_owned()))
        }
        _ => Err("write it as ADDRESS=ROLE, such as localhost:8080=buyer".to_owned()),
    }
}
