//! What do the services say to each other?

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use choros_base::{Diagnostic, has_errors};
use choros_exec::capture::{
    Capture, CaptureSettings, Counts, Naming, Output, OutputPlace, Redaction, Route, Upstream,
    UpstreamError, listen_address, read_naming,
};
use choros_exec::log::LogFormat;
use choros_report::{Block, Outcome, Report, Sizes, Stat, Stats};

use crate::diagnostics::{capture_log, capture_route, unreadable, unusable_mapping};
use crate::{Settings, Workspace};

/// One pair of services, as the user names it.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Where clients connect to.
    pub listen: String,
    /// Where requests go.
    pub forward: String,
    /// The client and the service, `c,s`.
    pub names: String,
}

/// What to capture, and where to.
#[derive(Debug, Clone, Default)]
pub struct CaptureRequest {
    /// The pairs to stand between.
    pub pairs: Vec<Pair>,
    /// The file that says how messages are called.
    pub mapping: Option<String>,
    /// Rules of redaction.
    pub redact: Vec<String>,
    /// Whether what is a secret by its name or its form is written all the same.
    pub keep_secrets: bool,
    /// The logs: `FILE`, or `service=FILE` for the view of one service.
    pub logs: Vec<String>,
    /// Whether the logs may be there already.
    pub append: bool,
    /// Where lines are sent to: `ADDR` or `service=ADDR`.
    pub live: Vec<String>,
    /// How many bytes of a body are kept.
    pub limit: usize,
    /// Whether the service sees the client's `Host`.
    pub keep_host: bool,
    /// Certificates to check services with.
    pub roots: Option<PathBuf>,
    /// After how long to stop.
    pub duration: Option<Duration>,
}

/// A client that is silent for so long loses its connection.
const IDLE: Duration = Duration::from_secs(60);

/// Stands between services until it is stopped; `announce` is told where it listens.
pub fn capture(
    workspace: &mut Workspace<'_>,
    capturing: &CaptureRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
) -> Report {
    let mut report = Report {
        verb: "capture",
        ..Report::default()
    };
    let routes = routes(capturing, &mut report);
    let naming = naming(workspace, capturing, &mut report.diagnostics);
    let redaction = redaction(capturing, &mut report.diagnostics);
    let outputs = outputs(capturing, &mut report.diagnostics);
    if has_errors(&report.diagnostics) || report.world_failed.is_some() {
        return report;
    }
    let started = Capture::start(CaptureSettings {
        routes,
        keep_host: capturing.keep_host,
        limit: capturing.limit,
        naming,
        redaction,
        usual_secrets: !capturing.keep_secrets,
        idle: IDLE,
        outputs,
    });
    let running = match started {
        Ok(running) => running,
        Err(error) => {
            report.world_failed = Some(error.to_string());
            return report;
        }
    };
    for (pair, address) in capturing.pairs.iter().zip(running.addresses()) {
        announce(&format!(
            "listening on http://{address} for {} ({})",
            pair.names.replace(',', " -> "),
            pair.forward
        ));
    }
    let until = capturing.duration.map(|duration| Instant::now() + duration);
    while !settings.is_cancelled() && until.is_none_or(|until| Instant::now() < until) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let counts = running.stop();
    if counts.lost > 0 {
        report.world_failed = Some(format!(
            "{} of the lines could not be written or sent",
            counts.lost
        ));
    }
    report.outcomes.push(outcome(&counts));
    report
}

fn outcome(counts: &Counts) -> Outcome {
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let mut line = format!(
        "{} requests, {} without an answer; {} bodies not kept whole, {} not read",
        counts.exchanges, counts.unanswered, counts.truncated, counts.unread
    );
    if counts.upgrades > 0 {
        line.push_str(&format!(
            "; {} connections went over to another protocol, which is not seen",
            counts.upgrades
        ));
    }
    Outcome {
        name: "capture".to_owned(),
        sizes: Sizes {
            stats: Stats::default().with(Stat::Observations, number(counts.observations)),
            complete: counts.truncated + counts.unread + counts.lost == 0,
        },
        blocks: vec![Block::Line(line)],
        ..Outcome::default()
    }
}

fn routes(capturing: &CaptureRequest, report: &mut Report) -> Vec<Route> {
    let mut routes = Vec::new();
    for pair in &capturing.pairs {
        match route(pair, capturing) {
            Ok(route) => routes.push(route),
            Err(Refused::Mistake(reason)) => {
                report.diagnostics.push(capture_route::diagnostic(reason));
            }
            Err(Refused::World(reason)) => report.world_failed = Some(reason),
        }
    }
    routes
}

/// Why there is no route.
enum Refused {
    Mistake(String),
    World(String),
}

fn route(pair: &Pair, capturing: &CaptureRequest) -> Result<Route, Refused> {
    let (client, service) = match pair.names.split_once(',') {
        Some((client, service)) => (client.trim(), service.trim()),
        None => ("", ""),
    };
    if client.is_empty() || service.is_empty() || client == service {
        return Err(Refused::Mistake(format!(
            "`--as {}` names no pair: expected two different names such as `c,s`",
            pair.names
        )));
    }
    let upstream =
        Upstream::parse(&pair.forward, capturing.roots.as_deref()).map_err(
            |error| match error {
                UpstreamError::NotAnAddress(_) => Refused::Mistake(error.to_string()),
                UpstreamError::Certificates { .. } => Refused::World(error.to_string()),
            },
        )?;
    Ok(Route {
        listen: listen_address(&pair.listen).ok_or_else(|| {
            Refused::Mistake(format!(
                "`--listen {}` is no address: expected `host:port` or `:port`",
                pair.listen
            ))
        })?,
        upstream,
        client: client.to_owned(),
        service: service.to_owned(),
    })
}

fn naming(
    workspace: &Workspace<'_>,
    capturing: &CaptureRequest,
    diagnostics: &mut Vec<Diagnostic>,
) -> Naming {
    let Some(path) = &capturing.mapping else {
        return Naming::default();
    };
    let text = match workspace.read(path) {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(unreadable::diagnostic(&error));
            return Naming::default();
        }
    };
    read_naming(&text).unwrap_or_else(|error| {
        diagnostics.push(unusable_mapping::diagnostic(path, &error.to_string()));
        Naming::default()
    })
}

fn redaction(capturing: &CaptureRequest, diagnostics: &mut Vec<Diagnostic>) -> Redaction {
    let mut redaction = Redaction::default();
    for text in &capturing.redact {
        match Redaction::parse(text) {
            Ok(rules) => redaction.extend(rules),
            Err(wrong) => {
                let reason = format!(
                    "no rule of redaction: {}; expected paths such as `card` or `*.password`",
                    wrong.join(", ")
                );
                diagnostics.push(unusable_mapping::diagnostic("--redact", &reason));
            }
        }
    }
    redaction
}

fn outputs(capturing: &CaptureRequest, diagnostics: &mut Vec<Diagnostic>) -> Vec<Output> {
    let mut outputs = Vec::new();
    let owned = |text: &str| match text.split_once('=') {
        Some((owner, rest)) => (Some(owner.to_owned()), rest.to_owned()),
        None => (None, text.to_owned()),
    };
    let parts = |pair: &Pair| {
        let (client, service) = pair.names.split_once(',')?;
        Some((client.trim().to_owned(), service.trim().to_owned()))
    };
    let names: Vec<(String, String)> = capturing.pairs.iter().filter_map(parts).collect();
    let is_known = |name: &str| {
        let both = |(client, service): &(String, String)| client == name || service == name;
        names.iter().any(both)
    };
    let stranger = |owner: &Option<String>| {
        let owner = owner.as_ref().filter(|owner| !is_known(owner))?;
        Some(format!(
            "is for `{owner}`, which is in none of the pairs of --as"
        ))
    };
    for text in &capturing.live {
        let (owner, address) = owned(text);
        match stranger(&owner) {
            Some(reason) => diagnostics.push(capture_log::diagnostic(text, &reason)),
            None => {
                let place = OutputPlace::Live(address);
                outputs.push(Output { owner, place });
            }
        }
    }
    for text in &capturing.logs {
        let (owner, path) = owned(text);
        if let Some(reason) = stranger(&owner) {
            diagnostics.push(capture_log::diagnostic(text, &reason));
            continue;
        }
        let services = names.iter().map(|(_, service)| service);
        let shared = owner.is_none()
            && services
                .clone()
                .any(|name| Some(name) != services.clone().next());
        let reason = match LogFormat::of_path(&path) {
            Some(LogFormat::Pact) if shared => {
                "would hold the messages of several services, and a .log belongs to one: write service=FILE"
            }
            Some(format @ (LogFormat::JsonLines | LogFormat::Xml | LogFormat::Pact)) => {
                // Said before anything is listened to; opening it checks again.
                if capturing.append || !Path::new(&path).exists() {
                    let append = capturing.append;
                    let path = PathBuf::from(path);
                    let place = OutputPlace::File {
                        path,
                        format,
                        append,
                    };
                    outputs.push(Output { owner, place });
                    continue;
                }
                "is there already; `--append` goes on with it"
            }
            _ => "has no form that is written: .jsonl, .xml or .log",
        };
        diagnostics.push(capture_log::diagnostic(&path, reason));
    }
    outputs
}
