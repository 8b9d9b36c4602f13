//! A forwarding proxy that writes down what passes (the thesis' SOAP-Forwarder).
//!
//! Bytes of bodies are never altered; see the crate's README for what may happen to heads.

mod exchange;
mod forward;
mod tee;
mod upstream;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

pub use upstream::{Upstream, UpstreamError};

use exchange::Listener;
use forward::Forward;

/// How long exchanges under way may take to end after the proxy was told to stop.
const GRACE: Duration = Duration::from_secs(2);

/// A proxy that runs until it is stopped.
pub struct Capture {
    runtime: Runtime,
    addresses: Vec<SocketAddr>,
    exchanges: Arc<AtomicU64>,
    failures: Arc<AtomicU64>,
}

/// One pair of services that the proxy stands between.
pub struct Route {
    /// Where clients connect to; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Where requests go.
    pub upstream: Upstream,
}

/// How the proxy forwards.
pub struct Forwarding {
    /// Whether the service sees the `Host` that the client sent, and not its own.
    pub keep_host: bool,
    /// How many bytes of a body are kept for the log; all of them are forwarded.
    pub limit: usize,
}

impl Capture {
    /// Starts listening; `listener` is told of every message that passed, a request always before its response.
    pub(crate) fn start(
        routes: Vec<Route>,
        forwarding: &Forwarding,
        listener: Listener,
    ) -> io::Result<Capture> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let exchanges = Arc::new(AtomicU64::new(0));
        let failures = Arc::new(AtomicU64::new(0));
        let mut addresses = Vec::new();
        for (number, route) in routes.into_iter().enumerate() {
            let socket = runtime.block_on(TcpListener::bind(route.listen)).map_err(|error| {
                io::Error::new(error.kind(), format!("cannot listen on {}: {error}", route.listen))
            })?;
            addresses.push(socket.local_addr()?);
            let forward = Arc::new(Forward {
                route: number,
                upstream: route.upstream,
                keep_host: forwarding.keep_host,
                limit: forwarding.limit,
                exchanges: exchanges.clone(),
                failures: failures.clone(),
                listener: listener.clone(),
            });
            runtime.spawn(accept(socket, forward));
        }
        Ok(Capture {
            runtime,
            addresses,
            exchanges,
            failures,
        })
    }

    /// Where each pair is listened for, in order.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Exchanges begun so far, and those that the service did not answer.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.exchanges.load(Ordering::Relaxed),
            self.failures.load(Ordering::Relaxed),
        )
    }

    /// Stops; exchanges under way get a moment to end.
    pub fn stop(self) -> (u64, u64) {
        let counts = self.counts();
        self.runtime.shutdown_timeout(GRACE);
        counts
    }
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
