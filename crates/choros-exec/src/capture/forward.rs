//! Passing one client's requests on to a service.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Mutex;

use super::exchange::{Exchange, Listener, RequestHead, ResponseHead};
use super::inject::{Injected, InjectedFault, Injection};
use super::tee::{Kept, Passing, tee};
use super::upstream::Upstream;

/// What went over to another protocol may be silent this many times longer: it has a pulse of its own.
const SILENT_TUNNEL: u32 = 10;

/// What all connections of one pair share.
pub(super) struct Forward {
    pub(super) route: usize,
    pub(super) upstream: Upstream,
    pub(super) keep_host: bool,
    pub(super) limit: usize,
    pub(super) exchanges: Arc<AtomicU64>,
    /// How long a client may take to send the head of a request, the first or the next, and between two pieces of a
    /// body.
    pub(super) idle: Duration,
    pub(super) answered: Arc<AtomicU64>,
    pub(super) listener: Listener,
    pub(super) injection: Option<Injection>,
    pub(super) injected: Arc<Injected>,
}

/// The connection of the client ends without an answer.
type HungUp = io::Error;

impl Forward {
    /// Serves one client until it goes away.
    pub(super) async fn serve(self: Arc<Self>, client: TcpStream) {
        // Without it a small answer may wait 40 ms for a packet to be filled.
        let _ = client.set_nodelay(true);
        // One connection to the service per client: what the client does to its connection happens to that one, and
        // no other client waits after it.
        let sender: Arc<Mutex<Option<SendRequest<Passing>>>> = Arc::default();
        let forward = self.clone();
        let service = service_fn(move |request| {
            let (forward, sender) = (forward.clone(), sender.clone());
            async move { forward.answer(request, &sender).await }
        });
        // A client that breaks off is its own affair; the exchange it broke is told as far as it went.
        let _ = Builder::new()
            .preserve_header_case(true)
            .timer(TokioTimer::new())
            .header_read_timeout(self.idle)
            // A client that has said all it wants to say may still listen.
            .half_close(true)
            .serve_connection(TokioIo::new(client), service)
            .with_upgrades()
            .await;
    }

    async fn answer(
        &self,
        mut request: Request<Incoming>,
        sender: &Mutex<Option<SendRequest<Passing>>>,
    ) -> Result<Response<Passing>, HungUp> {
        let target = request
            .uri()
            .path_and_query()
            .map_or("/", |target| target.as_str())
            .to_owned();
        let head = RequestHead {
            method: request.method().clone(),
            target: target.clone(),
            headers: request.headers().clone(),
        };
        let number = self.exchanges.fetch_add(1, Ordering::Relaxed) + 1;
        let exchange = Exchange::new(self.route, number, head, self.listener.clone());
        let Ok(uri) = self.upstream.target(&target).parse::<Uri>() else {
            return Ok(refusal(
                StatusCode::BAD_REQUEST,
                "the target of the request cannot be forwarded",
            ));
        };
        let fate = self.injection.as_ref().and_then(|it| it.fate(number));
        if let Some(fault) = fate {
            self.injected.note(fault);
        }
        match fate {
            Some(InjectedFault::Lose) => return Err(hung_up()),
            Some(InjectedFault::Error) => {
                let injected = "an error was injected";
                return Ok(refusal(StatusCode::INTERNAL_SERVER_ERROR, injected));
            }
            Some(InjectedFault::Delay) => {
                let delay = self.injection.as_ref().map(Injection::delay);
                tokio::time::sleep(delay.unwrap_or_default()).await;
            }
            Some(InjectedFault::Duplicate | InjectedFault::HangUp) | None => {}
        }
        let upgrading = request.headers().contains_key(header::UPGRADE);
        let client_side = upgrading.then(|| hyper::upgrade::on(&mut request));
        *request.uri_mut() = uri;
        *request.version_mut() = Version::HTTP_11;
        if !upgrading {
            remove_hop_by_hop(request.headers_mut());
        }
        if !self.keep_host {
            request
                .headers_mut()
                .insert(header::HOST, self.upstream.authority().clone());
        }
        let told = exchange.clone();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = is_cut.clone();
        let over = move |kept: Kept| {
            cut.store(kept.cut, Ordering::Relaxed);
            told.request_over(&kept);
        };
        let (parts, body) = request.into_parts();
        let body = if fate == Some(InjectedFault::Duplicate) {
            let Ok(whole) = body.collect().await else {
                let reason = "the request has no end";
                return Ok(refusal(StatusCode::REQUEST_TIMEOUT, reason));
            };
            let whole = whole.to_bytes();
            self.once_more(&parts, &exchange.request, whole.clone())
                .await;
            tee(Full::new(whole), self.limit, None, over)
        } else {
            tee(body, self.limit, Some(self.idle), over)
        };
        let request = Request::from_parts(parts, body);
        let mut response = match self.send(request, sender, &exchange).await {
            Ok(response) => response,
            Err(_) if is_cut.load(Ordering::Relaxed) => {
                let reason = "the request has no end";
                return Ok(refusal(StatusCode::REQUEST_TIMEOUT, reason));
            }
            Err(error) => {
                return Ok(refusal(
                    StatusCode::BAD_GATEWAY,
                    &format!("the service did not answer: {error}"),
                ));
            }
        };
        self.answered.fetch_add(1, Ordering::Relaxed);
        let head = ResponseHead {
            status: response.status(),
            headers: response.headers().clone(),
        };
        if let (StatusCode::SWITCHING_PROTOCOLS, Some(client_side)) =
            (response.status(), client_side)
        {
            let service_side = hyper::upgrade::on(&mut response);
            tokio::spawn(tunnel(client_side, service_side, self.idle * SILENT_TUNNEL));
        } else {
            remove_hop_by_hop(response.headers_mut());
        }
        let response = response.map(|body| {
            // A service may take its time between the pieces of an answer.
            tee(body, self.limit, None, move |kept| {
                exchange.response_over(head, kept)
            })
        });
        if fate == Some(InjectedFault::HangUp) {
            let _ = response.into_body().collect().await;
            return Err(hung_up());
        }
        Ok(response)
    }

    /// Sends a copy of a request, in an exchange of its own; no one gets its answer.
    async fn once_more(&self, parts: &Parts, head: &RequestHead, body: Bytes) {
        let number = self.exchanges.fetch_add(1, Ordering::Relaxed) + 1;
        let head = RequestHead {
            method: head.method.clone(),
            target: head.target.clone(),
            headers: head.headers.clone(),
        };
        let exchange = Exchange::new(self.route, number, head, self.listener.clone());
        let told = exchange.clone();
        let body = tee(Full::new(body), self.limit, None, move |kept| {
            told.request_over(&kept);
        });
        let mut request = Request::new(body);
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = parts.uri.clone();
        *request.version_mut() = parts.version;
        *request.headers_mut() = parts.headers.clone();
        let Ok(response) = self.send(request, &Mutex::default(), &exchange).await else {
            return;
        };
        self.answered.fetch_add(1, Ordering::Relaxed);
        let head = ResponseHead {
            status: response.status(),
            headers: response.headers().clone(),
        };
        let body = tee(response.into_body(), self.limit, None, move |kept| {
            exchange.response_over(head, kept);
        });
        let _ = body.collect().await;
    }

    /// Sends a request over the connection of before, or over a new one.
    async fn send(
        &self,
        mut request: Request<Passing>,
        sender: &Mutex<Option<SendRequest<Passing>>>,
        exchange: &Exchange,
    ) -> io::Result<Response<Incoming>> {
        let mut sender = sender.lock().await;
        if let Some(open) = sender.as_mut().filter(|open| !open.is_closed()) {
            exchange.set_reached(true);
            match open.try_send_request(request).await {
                Ok(response) => return Ok(response),
                // The service had closed an idle connection. Nothing of this request was sent, so it may be sent again.
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => {
                        *sender = None;
                        return Err(io::Error::other(error.into_error()));
                    }
                },
            }
        }
        exchange.set_reached(false);
        *sender = None;
        let open = sender.insert(self.upstream.connect().await?);
        exchange.set_reached(true);
        open.send_request(request).await.map_err(io::Error::other)
    }
}

/// After an upgrade the two sides talk another protocol; it passes unseen, until one side ends it or both are silent.
async fn tunnel(client: OnUpgrade, service: OnUpgrade, silence: Duration) {
    let (Ok(client), Ok(service)) = (client.await, service.await) else {
        return;
    };
    let (mut from_client, mut to_client) = tokio::io::split(TokioIo::new(client));
    let (mut from_service, mut to_service) = tokio::io::split(TokioIo::new(service));
    let (mut asked, mut answered) = (vec![0; 8192], vec![0; 8192]);
    let (mut client_speaks, mut service_speaks) = (true, true);
    while client_speaks || service_speaks {
        let passed = tokio::select! {
            read = from_client.read(&mut asked), if client_speaks => {
                pass(read, &asked, &mut to_service, &mut client_speaks).await
            }
            read = from_service.read(&mut answered), if service_speaks => {
                pass(read, &answered, &mut to_client, &mut service_speaks).await
            }
            () = tokio::time::sleep(silence) => return,
        };
        if passed.is_err() {
            return;
        }
    }
}

/// Writes what was read, or that there is no more.
async fn pass(
    read: io::Result<usize>,
    bytes: &[u8],
    to: &mut (impl AsyncWrite + Unpin),
    speaks: &mut bool,
) -> io::Result<()> {
    match read? {
        0 => {
            *speaks = false;
            to.shutdown().await
        }
        length => {
            to.write_all(&bytes[..length]).await?;
            to.flush().await
        }
    }
}

/// Removes what concerns one connection and not the message (RFC 9110, 7.6.1).
///
/// `Transfer-Encoding` stays: the body keeps its framing.
fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in ["connection", "keep-alive", "proxy-connection"] {
        headers.remove(name);
    }
}

fn hung_up() -> HungUp {
    io::Error::other("a fault was injected")
}

fn refusal(status: StatusCode, reason: &str) -> Response<Passing> {
    let text = Bytes::from(format!("choros capture: {reason}\n"));
    let body = Full::new(text).map_err(|never| match never {}).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
