//! A forwarding proxy that writes down what passes (the thesis' SOAP-Forwarder).
//!
//! Bytes of bodies are never altered; see the crate's README for what may happen to heads.

mod bound;
pub mod coding;
mod exchange;
mod forward;
mod inject;
mod line;
pub mod reading;
mod recorder;
mod redactor;
mod scrub;
mod secret_names;
mod secret_values;
mod sink;
pub mod tee;
mod upstream;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use choros_bind::{Binder, Binding, BindingTally, Vocabulary};
use choros_model::observation::Observation;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

pub use crate::address::listen_address;
use crate::hiding::{Pseudonyms, Redaction};
pub use inject::{InjectedFault, Injection};
pub use secret_names::is_secret as is_secret_name;
pub use secret_values::is_random;
pub use upstream::{Upstream, UpstreamError};

use crate::log::LogFormat;
use crate::milliseconds_since_1970;
use bound::BoundCapture;
use forward::Forward;
use inject::Injected;
pub(crate) use recorder::LineSink;
use recorder::{OwnedSink, Recorder, Tally};
pub(crate) use redactor::Redactor;
pub(crate) use sink::FileSink;
use sink::LiveSink;

/// How long the proxy may take to end: the caller that stopped it waits a second at most.
const GRACE: Duration = Duration::from_millis(200);

/// One pair of services that the proxy stands between.
pub struct Route {
    /// Where clients connect to; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Where requests go.
    pub upstream: Upstream,
    /// The name of the client.
    pub client: String,
    /// The name of the service.
    pub service: String,
}

/// What the proxy does with what passes.
pub struct CaptureSettings {
    /// The pairs it stands between.
    pub routes: Vec<Route>,
    /// Whether the service sees the `Host` that the client sent, and not its own.
    pub keep_host: bool,
    /// How many bytes of a body are kept for the log; all of them are forwarded.
    pub limit: usize,
    /// What messages are called, and what they carry; what it does not name is what it calls itself if it names no
    /// messages, or says so.
    pub binding: Binding,
    /// What must not be written, besides what the binding says.
    pub redaction: Redaction,
    /// Whether what is a secret by its name or its form is not written either.
    pub usual_secrets: bool,
    /// A client that says nothing for so long loses its connection.
    pub idle: Duration,
    /// What is done to requests on the way.
    pub injection: Option<Injection>,
    /// Where lines go.
    pub outputs: Vec<Output>,
    /// Is told of each message, as it is written.
    pub told: Option<Told>,
}

/// Someone who hears of each message, on the thread that forwards it.
pub type Told = Box<dyn Fn(&Observation<'_>) + Send + Sync>;

/// Where the lines of a service go.
pub struct Output {
    /// The service whose view it is; without one, what every service behind the proxy receives and sends.
    pub owner: Option<String>,
    pub place: OutputPlace,
}

/// A place that lines go to.
pub enum OutputPlace {
    /// A log of a form.
    File {
        /// Where it is.
        path: PathBuf,
        format: LogFormat,
        /// Whether it may be there already.
        append: bool,
    },
    /// Those who listen at an address, in JSON Lines.
    Live(String),
}

/// A proxy that runs until it is stopped.
pub struct Capture {
    runtime: Runtime,
    addresses: Vec<SocketAddr>,
    exchanges: Arc<AtomicU64>,
    answered: Arc<AtomicU64>,
    recorder: Arc<Recorder>,
    injected: Arc<Injected>,
}

/// What passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaptureCounts {
    /// Requests that came.
    pub exchanges: u64,
    /// Requests that got no answer: the service was not reached, broke off, or had not answered at the end.
    pub unanswered: u64,
    /// Connections that went over to another protocol, whose messages are not seen.
    pub upgrades: u64,
    /// Lines that were made.
    pub observations: u64,
    /// Messages whose body was not kept whole.
    pub truncated: u64,
    /// Messages whose body could not be read.
    pub unread: u64,
    /// Lines that could not be written or sent.
    pub lost: u64,
}

impl OutputPlace {
    /// Whether it is a file that is there already.
    pub fn is_there(&self) -> bool {
        matches!(self, OutputPlace::File { path, .. } if path.exists())
    }
}

impl Capture {
    /// Waits so long, or until it is to stop.
    pub fn wait(&self, duration: Option<Duration>, is_over: impl Fn() -> bool) {
        let until = duration.map(|duration| Instant::now() + duration);
        while !is_over() && until.is_none_or(|until| Instant::now() < until) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Starts listening.
    pub fn start(settings: CaptureSettings) -> io::Result<Capture> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let tally = Tally::default();
        let pseudonyms = Pseudonyms::fresh().ok_or_else(|| {
            io::Error::other("the system provides no random numbers for pseudonyms")
        })?;
        let mut sinks: Vec<OwnedSink> = Vec::new();
        for output in settings.outputs {
            let sink: Box<dyn LineSink> = match &output.place {
                OutputPlace::File {
                    path,
                    format,
                    append,
                } => {
                    let first = settings.routes.first().map(|route| route.service.as_str());
                    let owner = output.owner.as_deref().or(first).unwrap_or_default();
                    Box::new(FileSink::open(path, *format, *append, owner)?)
                }
                OutputPlace::Live(address) => {
                    Box::new(LiveSink::connect(address.clone(), tally.lost.clone())?)
                }
            };
            sinks.push((output.owner, sink));
        }
        let pairs = settings.routes.iter();
        let both = pairs
            .clone()
            .flat_map(|it| [it.client.clone(), it.service.clone()]);
        let vocabulary = Vocabulary {
            roles: both.collect(),
            messages: Vec::new(),
        };
        let secret = settings.binding.hide.secret.join(", ");
        let secret = Redaction::parse(&secret).unwrap_or_default();
        let recorder = Arc::new(Recorder {
            pairs: pairs
                .map(|route| (route.client.clone(), route.service.clone()))
                .collect(),
            redactor: Redactor {
                rules: vec![settings.redaction, secret],
                usual: settings.usual_secrets,
                pseudonyms,
            },
            bound: BoundCapture::new(Binder::new(settings.binding, vocabulary)),
            limit: settings.limit,
            run: run_name(),
            sinks: Mutex::new(sinks),
            told: settings.told,
            tally,
        });
        let exchanges = Arc::new(AtomicU64::new(0));
        let answered = Arc::new(AtomicU64::new(0));
        let injected: Arc<Injected> = Arc::default();
        let mut addresses = Vec::new();
        for (number, route) in settings.routes.into_iter().enumerate() {
            let socket = runtime
                .block_on(TcpListener::bind(route.listen))
                .map_err(|error| {
                    let reason = format!("cannot listen on {}: {error}", route.listen);
                    io::Error::new(error.kind(), reason)
                })?;
            addresses.push(socket.local_addr()?);
            let recorder = recorder.clone();
            let forward = Arc::new(Forward {
                route: number,
                upstream: route.upstream,
                keep_host: settings.keep_host,
                limit: settings.limit,
                exchanges: exchanges.clone(),
                idle: settings.idle,
                answered: answered.clone(),
                injection: settings.injection.clone(),
                injected: injected.clone(),
                listener: Arc::new(move |heard| recorder.hear(&heard)),
            });
            runtime.spawn(accept(socket, forward));
        }
        Ok(Capture {
            runtime,
            addresses,
            exchanges,
            answered,
            recorder,
            injected,
        })
    }

    /// Where each pair is listened for, in order.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// What became of what passed.
    pub fn tally(&self) -> BindingTally {
        self.recorder.bound.tally()
    }

    /// What was done to requests on the way, each kind with its number.
    pub fn injected(&self) -> Vec<(&'static str, u64)> {
        self.injected.counts()
    }

    /// What passed so far.
    pub fn counts(&self) -> CaptureCounts {
        counts(&self.exchanges, &self.answered, &self.recorder.tally)
    }

    /// Stops; lines that wait get a moment to be sent.
    pub fn stop(self) -> CaptureCounts {
        let Capture {
            runtime,
            exchanges,
            answered,
            recorder,
            ..
        } = self;
        runtime.shutdown_timeout(GRACE);
        // Dropping a sink sends what still waits in it.
        recorder
            .sinks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        counts(&exchanges, &answered, &recorder.tally)
    }
}

fn counts(exchanges: &AtomicU64, answered: &AtomicU64, tally: &Tally) -> CaptureCounts {
    let (exchanges, answered) = (
        exchanges.load(Ordering::Relaxed),
        answered.load(Ordering::Relaxed),
    );
    CaptureCounts {
        exchanges,
        unanswered: exchanges.saturating_sub(answered),
        upgrades: tally.upgrades.load(Ordering::Relaxed),
        observations: tally.observations.load(Ordering::Relaxed),
        truncated: tally.truncated.load(Ordering::Relaxed),
        unread: tally.unread.load(Ordering::Relaxed),
        lost: tally.lost.load(Ordering::Relaxed),
    }
}

/// A name that no other run has had.
fn run_name() -> String {
    let since = milliseconds_since_1970();
    format!("{since:x}{:x}", std::process::id())
}

async fn accept(socket: TcpListener, forward: Arc<Forward>) {
    loop {
        match socket.accept().await {
            Ok((client, _)) => {
                tokio::spawn(forward.clone().serve(client));
            }
            // Out of file descriptors, or a client that was gone already: others may still come.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}
