//! What do the services say to each other?

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use choros_base::{Diagnostic, has_errors};
use choros_codes::diagnostics::{capture_log, capture_route, unusable_mapping};
use choros_exec::Redaction;
use choros_exec::capture::{
    Capture, CaptureSettings, Injection, Output, OutputPlace, Route, Upstream, UpstreamError,
    listen_address,
};
use choros_exec::log::LogFormat;
use choros_exec::otlp::{OtlpReceiver, OtlpSettings};
use choros_report::answers::{CaptureAnswer, RunNotes, Stop};

use crate::WatchContext;
use crate::live::live_message;
use crate::mapping::tell_tally;

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
    /// Where traces are received, instead.
    pub otlp: Option<String>,
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
    /// What is done to requests on the way.
    pub injection: Option<Injection>,
}

/// A client that is silent for so long loses its connection.
const IDLE: Duration = Duration::from_secs(60);

/// Stands between services until it is stopped.
pub fn capture(
    request: &CaptureRequest,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<CaptureAnswer, Stop> {
    if let Some(address) = &request.otlp {
        return received(address, request, world, run);
    }
    let findings = &mut run.findings;
    let routes = routes(request, findings);
    let redaction = redaction(request, findings);
    let outputs = outputs(request, findings);
    let routes = routes?;
    if has_errors(findings) {
        return Err(Stop::Mistakes);
    }
    let keeps_known = world.binding.is_some_and(|it| it.hide.keep_known_secrets);
    let events = world.events.clone();
    let running = Capture::start(CaptureSettings {
        routes,
        keep_host: request.keep_host,
        limit: request.limit,
        binding: world.binding.cloned().unwrap_or_default(),
        redaction,
        usual_secrets: !(request.keep_secrets || keeps_known),
        idle: IDLE,
        injection: request.injection.clone(),
        outputs,
        told: Some(Box::new(move |seen| events.message(|| live_message(seen)))),
    })
    .map_err(|error| Stop::World(error.to_string()))?;
    for (pair, address) in request.pairs.iter().zip(running.addresses()) {
        world.events.listening(format!(
            "listening on http://{address} for {} ({})",
            pair.names.replace(',', " -> "),
            pair.forward
        ));
    }
    running.wait(request.duration, || world.cancel.load(Ordering::Relaxed));
    if world.binding.is_some() {
        tell_tally("capture", &running.tally(), run);
    }
    if let Some(injection) = &request.injection {
        let counts = running.injected().into_iter();
        let counts: Vec<String> = counts
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        run.semantics.seed = Some(injection.seed);
        run.note(match &counts[..] {
            [] => "no fault was injected".to_owned(),
            counts => format!("injected faults: {}", counts.join(", ")),
        });
    }
    let counts = running.stop();
    Ok(CaptureAnswer {
        requests: counts.exchanges,
        unanswered: counts.unanswered,
        truncated: counts.truncated,
        unread: counts.unread,
        upgrades: counts.upgrades,
        observations: counts.observations,
        lost: counts.lost,
    })
}

/// No request with traces is longer, in bytes: a collector sends a few thousand spans at once.
const LONGEST_EXPORT: usize = 1 << 24;

/// Receives traces until it is stopped.
fn received(
    address: &str,
    request: &CaptureRequest,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<CaptureAnswer, Stop> {
    let findings = &mut run.findings;
    let Some(listen) = listen_address(address) else {
        findings.push(capture_route::no_address(address));
        return Err(Stop::Mistakes);
    };
    let redaction = redaction(request, findings);
    if has_errors(findings) {
        return Err(Stop::Mistakes);
    }
    let [path] = &request.logs[..] else {
        let last = request.logs.last().map_or("", String::as_str);
        let reason = "is one file too many: traces go to one";
        findings.push(capture_log::diagnostic(last, reason));
        return Err(Stop::Mistakes);
    };
    let settings = OtlpSettings {
        listen,
        output: Path::new(path),
        append: request.append,
        limit: LONGEST_EXPORT,
        redaction,
        usual_secrets: !request.keep_secrets,
        idle: IDLE,
    };
    let running =
        OtlpReceiver::start(settings).map_err(|error| Stop::World(format!("{path}: {error}")))?;
    world.events.listening(format!(
        "listening on http://{} for traces: OTLP over HTTP and gRPC",
        running.address()
    ));
    running.wait(request.duration, || world.cancel.load(Ordering::Relaxed));
    let counts = running.stop();
    Ok(CaptureAnswer {
        requests: counts.requests,
        unread: counts.refused,
        observations: counts.spans,
        lost: counts.lost,
        ..CaptureAnswer::default()
    })
}

/// The routes that can be taken; what is wrong with the others is a finding, or stops everything.
fn routes(request: &CaptureRequest, findings: &mut Vec<Diagnostic>) -> Result<Vec<Route>, Stop> {
    let mut routes = Vec::new();
    let mut stop = None;
    for pair in &request.pairs {
        match route(pair, request) {
            Ok(route) => routes.push(route),
            Err(Refused::Mistake(mistake)) => findings.push(*mistake),
            Err(Refused::World(reason)) => stop = Some(Stop::World(reason)),
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None => Ok(routes),
    }
}

/// Why there is no route.
enum Refused {
    Mistake(Box<Diagnostic>),
    World(String),
}

fn route(pair: &Pair, request: &CaptureRequest) -> Result<Route, Refused> {
    let (client, service) = match pair.names.split_once(',') {
        Some((client, service)) => (client.trim(), service.trim()),
        None => ("", ""),
    };
    if client.is_empty() || service.is_empty() || client == service {
        return Err(Refused::Mistake(Box::new(capture_route::no_pair(
            &pair.names,
        ))));
    }
    let upstream =
        Upstream::parse(&pair.forward, request.roots.as_deref()).map_err(|error| match error {
            UpstreamError::NotAnAddress(_) => {
                Refused::Mistake(Box::new(capture_route::diagnostic(error.to_string())))
            }
            UpstreamError::Certificates { .. } => Refused::World(error.to_string()),
        })?;
    Ok(Route {
        listen: listen_address(&pair.listen)
            .ok_or_else(|| Refused::Mistake(Box::new(capture_route::no_address(&pair.listen))))?,
        upstream,
        client: client.to_owned(),
        service: service.to_owned(),
    })
}

fn redaction(request: &CaptureRequest, findings: &mut Vec<Diagnostic>) -> Redaction {
    let mut redaction = Redaction::default();
    for text in &request.redact {
        match Redaction::parse(text) {
            Ok(rules) => redaction.extend(rules),
            Err(wrong) => {
                findings.push(unusable_mapping::no_redaction(&wrong));
            }
        }
    }
    redaction
}

fn outputs(request: &CaptureRequest, findings: &mut Vec<Diagnostic>) -> Vec<Output> {
    let mut outputs = Vec::new();
    let owned = |text: &str| match text.split_once('=') {
        Some((owner, rest)) => (Some(owner.to_owned()), rest.to_owned()),
        None => (None, text.to_owned()),
    };
    let parts = |pair: &Pair| {
        let (client, service) = pair.names.split_once(',')?;
        Some((client.trim().to_owned(), service.trim().to_owned()))
    };
    let names: Vec<(String, String)> = request.pairs.iter().filter_map(parts).collect();
    let is_known = |name: &str| {
        let both = |(client, service): &(String, String)| client == name || service == name;
        names.iter().any(both)
    };
    let stranger = |owner: &Option<String>| owner.clone().filter(|owner| !is_known(owner));
    for text in &request.live {
        let (owner, address) = owned(text);
        match stranger(&owner) {
            Some(stranger) => findings.push(capture_log::of_a_stranger(text, &stranger)),
            None => {
                let place = OutputPlace::Live(address);
                outputs.push(Output { owner, place });
            }
        }
    }
    for text in &request.logs {
        let (owner, path) = owned(text);
        if let Some(stranger) = stranger(&owner) {
            findings.push(capture_log::of_a_stranger(text, &stranger));
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
                let append = request.append;
                let place = OutputPlace::File {
                    path: PathBuf::from(&path),
                    format,
                    append,
                };
                // Said before anything is listened to; opening it checks again.
                if append || !place.is_there() {
                    outputs.push(Output { owner, place });
                    continue;
                }
                capture_log::IS_THERE
            }
            _ => "has an unsupported extension: use .jsonl, .xml or .log",
        };
        findings.push(capture_log::diagnostic(&path, reason));
    }
    outputs
}
