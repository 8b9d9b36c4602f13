//! Listens on the loopback address and hands requests on.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::checks::Token;
use crate::files::Root;
use crate::job::Lanes;
use crate::respond::respond;
use crate::state::State;
use crate::{Page, gallery};

/// So many connections at a time; a browser opens a few per window.
const CONNECTIONS: usize = 512;
/// A request that takes longer to arrive is given up.
const HEADER_TIME: Duration = Duration::from_secs(10);

pub(crate) fn serve(
    page: Page,
    port: u16,
    stop: &Arc<AtomicBool>,
    listening: impl FnOnce(SocketAddr, &str),
) -> std::io::Result<()> {
    let project = Root::new("project", &page.folder)?;
    let copies = gallery::Copies::write(page.gallery)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let state = Arc::new(State {
            address: listener.local_addr()?,
            token: Token::random()?,
            command: page.command,
            project,
            gallery: Root::new("gallery", copies.folder())?,
            examples: page.gallery,
            forms: page.forms,
            answers: Answers::default(),
            lanes: Arc::new(Lanes::new(page.at_a_time)),
            defaults: page.defaults,
            language_words: page.language_words,
        });
        listening(state.address, state.token.text());
        tokio::select! {
            () = accept(listener, state) => {}
            () = stopped(stop) => {}
        }
        Ok::<(), std::io::Error>(())
    })?;
    // Windows end their work when their connections are dropped.
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(())
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = room.clone().acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, perhaps: some will be closed.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let state = state.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let state = state.clone();
                async move { Ok::<_, Infallible>(respond(request, state).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let _ = connection.await;
            drop(permit);
        });
    }
}
