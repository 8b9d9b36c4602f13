//! A receiver of OpenTelemetry traces: OTLP over HTTP (JSON and Protocol Buffers) and over gRPC, on one port.
//!
//! Each request becomes a line of OTLP JSON, without what is secret.

mod answer;
mod redact;
mod wire;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder as RuntimeBuilder, Runtime};

use crate::capture::{FileSink, LineSink, Redactor};
use crate::hiding::{Pseudonyms, Redaction};
use crate::log::LogFormat;

/// Where spans come from, and where they go.
pub struct OtlpSettings<'s> {
    /// Port 0 picks a free one.
    pub listen: SocketAddr,
    pub output: &'s Path,
    /// Whether the file may be there already.
    pub append: bool,
    /// No request is longer, packed or unpacked, in bytes.
    pub limit: usize,
    /// What must not be written.
    pub redaction: Redaction,
    /// Whether what is a secret by its name or its form is not written either.
    pub usual_secrets: bool,
    /// A client that says nothing for so long loses its connection.
    pub idle: Duration,
}

/// A receiver that runs until it is stopped.
pub struct OtlpReceiver {
    runtime: Runtime,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OtlpCounts {
    pub requests: u64,
    /// Requests that were refused: not OTLP, damaged, or too long.
    pub refused: u64,
    pub spans: u64,
    /// Requests that could not be written.
    pub lost: u64,
}

/// What all connections share.
struct Shared {
    limit: usize,
    idle: Duration,
    redactor: Redactor,
    /// None once the receiver has ended.
    sink: Mutex<Option<FileSink>>,
    requests: AtomicU64,
    refused: AtomicU64,
    spans: AtomicU64,
    lost: AtomicU64,
}

/// How long the receiver may take to end.
const GRACE: Duration = Duration::from_millis(200);

impl OtlpReceiver {
    /// Starts listening.
    pub fn start(settings: OtlpSettings<'_>) -> io::Result<OtlpReceiver> {
        let runtime = RuntimeBuilder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let pseudonyms = Pseudonyms::fresh().ok_or_else(|| {
            io::Error::other("the system provides no random numbers for pseudonyms")
        })?;
        let listen = settings.listen;
        let socket = runtime
            .block_on(TcpListener::bind(listen))
            .map_err(|error| {
                let reason = format!("cannot listen on {listen}: {error}");
                io::Error::new(error.kind(), reason)
            })?;
        let address = socket.local_addr()?;
        let sink = FileSink::open(settings.output, LogFormat::Otlp, settings.append, "")?;
        let shared = Arc::new(Shared {
            limit: settings.limit,
            idle: settings.idle,
            redactor: Redactor {
                rules: vec![settings.redaction],
                usual: settings.usual_secrets,
                pseudonyms,
            },
            sink: Mutex::new(Some(sink)),
            requests: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            spans: AtomicU64::new(0),
            lost: AtomicU64::new(0),
        });
        runtime.spawn(accept(socket, shared.clone()));
        Ok(OtlpReceiver {
            runtime,
            address,
            shared,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits so long, or until it is to stop.
    pub fn wait(&self, duration: Option<Duration>, is_over: impl Fn() -> bool) {
        let until = duration.map(|duration| Instant::now() + duration);
        while !is_over() && until.is_none_or(|until| Instant::now() < until) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops; what was accepted is in the file.
    pub fn stop(self) -> OtlpCounts {
        let OtlpReceiver {
            runtime, shared, ..
        } = self;
        runtime.shutdown_timeout(GRACE);
        *shared.sink.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
        OtlpCounts {
            requests: count(&shared.requests),
            refused: count(&shared.refused),
            spans: count(&shared.spans),
            lost: count(&shared.lost),
        }
    }
}

impl Shared {
    /// Writes a request down; false if that was not possible.
    fn keep(&self, mut request: Value) -> bool {
        let spans = redact::request(&mut request, &self.redactor);
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |_: LogFormat| format!("{request}\n");
        let is_kept = spans == 0 || sink.as_mut().is_some_and(|sink| sink.take(&line).is_ok());
        if is_kept {
            self.spans.fetch_add(spans, Ordering::Relaxed);
        } else {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        is_kept
    }
}

async fn accept(socket: TcpListener, shared: Arc<Shared>) {
    loop {
        match socket.accept().await {
            Ok((client, _)) => {
                tokio::spawn(serve(client, shared.clone()));
            }
            // Out of file descriptors, or a client that was gone already: others may still come.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn serve(client: TcpStream, shared: Arc<Shared>) {
    let _ = client.set_nodelay(true);
    let idle = shared.idle;
    let service = service_fn(move |request| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(answer::answered(request, &shared).await) }
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(idle);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(idle))
        .max_concurrent_streams(64);
    // A client that breaks off is its own affair.
    let _ = builder
        .serve_connection(TokioIo::new(client), service)
        .await;
}
