//! Requests to the service, and servers for the roles that the tester plays.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use choros_model::stg::{Operation, Role};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming as Body;
use hyper::client::conn::http1::SendRequest;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

use crate::codec::{Incoming, Outgoing, Reply};
use crate::event::Event;
use crate::partner_fault::PartnerFault;
use crate::redirect;
use crate::switchboard::{Switchboard, Vote};
use choros_exec::capture::Upstream;
use choros_exec::capture::coding::{EncodedBody, plain};
use choros_exec::capture::tee::Passing;

/// Limits of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireLimits {
    /// Reads bodies up to this length, in bytes.
    pub body: usize,
    /// How long a connection may take.
    pub connect: Duration,
    /// How long a response may take at all; the driver gives up earlier.
    pub response: Duration,
}

/// The transport of a run: connections that stay open as long as a test continues.
pub struct Wire {
    pub(crate) runtime: Runtime,
    limits: WireLimits,
    roots: Option<PathBuf>,
    sender: Sender<(Instant, Event)>,
    receiver: Receiver<(Instant, Event)>,
    targets: BTreeMap<String, Target>,
    pub(crate) board: Arc<Switchboard>,
    /// The test that runs now, as the switchboard knows it.
    test: u64,
    calls: u64,
    /// What partners do wrong now, and how often they did.
    pub(crate) fault: Option<PartnerFault>,
    pub(crate) injected: Cell<usize>,
    /// Messages that are sent twice.
    pub(crate) copied: Vec<(Operation, Role, Role)>,
}

/// Connections to one address that no one uses now.
#[derive(Clone)]
struct Target {
    upstream: Upstream,
    path: String,
    idle: Arc<Mutex<Idle>>,
}

/// Connections that no one uses now; none is kept once one of them broke when it was used again.
#[derive(Default)]
struct Idle {
    open: Vec<SendRequest<Passing>>,
    is_kept_open_in_vain: bool,
}

/// Whether a service can be at this address at all; the error says why not.
pub fn check_target(url: &str, roots: Option<&Path>) -> Result<(), String> {
    match Upstream::parse(url, roots) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

impl Wire {
    /// A transport without servers; calls of the service come by the switchboard.
    ///
    /// Certificates of services are checked against the system's roots, or against those in the file `roots` alone.
    pub fn new(
        limits: WireLimits,
        roots: Option<PathBuf>,
        board: Arc<Switchboard>,
    ) -> io::Result<Wire> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let (sender, receiver) = channel();
        Ok(Wire {
            runtime,
            limits,
            roots,
            sender,
            receiver,
            targets: BTreeMap::new(),
            board,
            test: 0,
            calls: 0,
            fault: None,
            injected: Cell::new(0),
            copied: Vec::new(),
        })
    }

    /// Serves a role at an address; where it is in the end, if the port was 0.
    pub fn listen(&mut self, role: Role, address: &str) -> io::Result<SocketAddr> {
        let address = choros_exec::address::resolved(address)?;
        let socket = self
            .runtime
            .block_on(TcpListener::bind(address))
            .map_err(|error| {
                io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
            })?;
        let local = socket.local_addr()?;
        let server = Server {
            role,
            limit: self.limits.body,
            patience: self.limits.response,
            board: self.board.clone(),
        };
        self.runtime.spawn(accept(socket, server));
        self.board.serve();
        Ok(local)
    }

    /// Whether someone can call the tester.
    pub(super) fn is_called(&self) -> bool {
        self.board.is_called()
    }

    /// Sends a request, and once it is answered perhaps a copy; its number comes back with what becomes of it.
    pub(super) fn send(&mut self, outgoing: Outgoing, is_copied: bool) -> Result<u64, String> {
        self.calls += 1;
        let call = self.calls;
        let target = self.target(&outgoing.url)?;
        let (limits, sender) = (self.limits, self.sender.clone());
        let mut outgoing = outgoing;
        if let Some(fault) = self.fault {
            if let Some(changed) = fault.request(&outgoing) {
                outgoing = changed;
                self.inject();
            }
            if fault.sends_twice() {
                self.inject();
                let (target, outgoing) = (target.clone(), outgoing.clone());
                // No one waits for what becomes of it.
                self.runtime
                    .spawn(async move { exchange(0, target, outgoing, limits).await });
            }
        }
        if is_copied {
            self.inject();
        }
        self.runtime.spawn(async move {
            let copy = is_copied.then(|| (target.clone(), outgoing.clone()));
            let event = exchange(call, target, outgoing, limits).await;
            // No one listens any more when the run is over.
            let _ = sender.send((Instant::now(), event));
            if let Some((target, outgoing)) = copy {
                exchange(0, target, outgoing, limits).await;
            }
        });
        Ok(call)
    }

    /// The next thing that happens, if it happens in time.
    pub(super) fn next(&self, until: Instant) -> Option<(Instant, Event)> {
        let left = until.saturating_duration_since(Instant::now());
        self.receiver.recv_timeout(left).ok()
    }

    /// A test begins: what came late for others is forgotten, and what may still come on their connections is not
    /// read as an answer to it.
    pub(super) fn begin(&mut self) {
        self.receiver.try_iter().for_each(drop);
        for target in self.targets.values() {
            let mut idle = target.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.open.clear();
        }
        self.test = self.board.join(self.sender.clone());
    }

    /// Answers something that is not a call of the service, so that no one need say whose it is.
    pub(super) fn dismiss(&self, ticket: u64, reply: Reply) {
        self.board.dismiss(ticket, reply);
    }

    /// Says whether a call of the service belongs to this test.
    pub(super) fn vote(&self, ticket: u64, vote: Vote) {
        self.board.vote(ticket, self.test, vote);
    }

    /// The test is over: everything that still waits is answered with an error; what came late, in words.
    pub(super) fn end(&mut self) -> Vec<String> {
        self.board.leave(self.test);
        // A service that does not stop talking is not listened to forever.
        self.receiver
            .try_iter()
            .take(1_000)
            .filter(|(_, event)| !matches!(event, Event::Offered { .. } | Event::Disputed { .. }))
            .map(|(_, event)| event.text())
            .collect()
    }

    fn target(&mut self, url: &str) -> Result<Target, String> {
        // Paths may hold data, so connections belong to what comes before them.
        let authority = url.find("://").map_or(0, |scheme| scheme + 3);
        let end = url[authority..].find(['/', '?']);
        let (origin, path) = url.split_at(end.map_or(url.len(), |end| authority + end));
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        };
        if let Some(known) = self.targets.get(origin) {
            return Ok(Target {
                path,
                ..known.clone()
            });
        }
        let upstream =
            Upstream::parse(origin, self.roots.as_deref()).map_err(|error| error.to_string())?;
        let target = Target {
            upstream,
            path,
            idle: Arc::default(),
        };
        self.targets.insert(origin.to_owned(), target.clone());
        Ok(target)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Tasks that wait for a service are not waited for.
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        if let Ok(runtime) = runtime {
            std::mem::replace(&mut self.runtime, runtime).shutdown_background();
        }
    }
}

/// This many redirects are followed.
const MAX_REDIRECTS: usize = 5;

/// A request and its response; redirects within the service are followed.
async fn exchange(call: u64, mut target: Target, outgoing: Outgoing, limits: WireLimits) -> Event {
    for _ in 0..MAX_REDIRECTS {
        let mut location = None;
        let event = once(call, &target, &outgoing, limits, &mut location).await;
        let next = match (&event, location) {
            (
                Event::Answered {
                    reply: Ok(reply), ..
                },
                Some(location),
            ) => redirect::path(&outgoing, &target.path, reply.status, &location),
            _ => None,
        };
        match next {
            Some(path) => target.path = path,
            None => return event,
        }
    }
    once(call, &target, &outgoing, limits, &mut None).await
}

/// A request and its response; `leads` is where that leads.
async fn once(
    call: u64,
    target: &Target,
    outgoing: &Outgoing,
    limits: WireLimits,
    leads: &mut Option<String>,
) -> Event {
    let body: Passing = Full::new(Bytes::from(outgoing.body.clone()))
        .map_err(|never| match never {})
        .boxed();
    let mut builder = Request::builder()
        .method(outgoing.method.as_str())
        .uri(&target.path)
        .header(header::HOST, target.upstream.authority())
        .header(header::USER_AGENT, "choros-drive");
    for (name, value) in &outgoing.headers {
        builder = builder.header(name, value);
    }
    let request = match builder.body(body) {
        Ok(request) => request,
        Err(error) => {
            let reason = format!("the request cannot be made: {error}");
            return Event::Broken { call, reason };
        }
    };
    let idle = target
        .idle
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .open
        .pop()
        .filter(|open| !open.is_closed());
    let mut request = Some(request);
    let mut response = None;
    let mut connection = None;
    if let Some(mut open) = idle
        && let Some(first) = request.take()
    {
        match tokio::time::timeout(limits.response, open.try_send_request(first)).await {
            Ok(Ok(answer)) => {
                response = Some(Ok(answer));
                connection = Some(open);
            }
            // The service had closed an idle connection: nothing was sent, so it may be sent again.
            Ok(Err(mut error)) => match error.take_message() {
                Some(unsent) => request = Some(unsent),
                // It closed the connection while the request was on its way: perhaps it has not seen it.
                None => {
                    let mut idle = target.idle.lock().unwrap_or_else(PoisonError::into_inner);
                    idle.open.clear();
                    idle.is_kept_open_in_vain = true;
                    let reason = broken(&error.into_error(), &outgoing.url);
                    return Event::Stale { call, reason };
                }
            },
            Err(_) => response = Some(Err("no response in time".to_owned())),
        }
    }
    let response = match (response, request) {
        (Some(response), _) => response,
        (None, request) => {
            let connecting = tokio::time::timeout(limits.connect, target.upstream.connect()).await;
            let mut open = match connecting {
                Ok(Ok(open)) => open,
                Ok(Err(error)) => {
                    let reason = unreachable(&outgoing.url, &error.to_string());
                    return Event::Unreachable { call, reason };
                }
                Err(_) => {
                    let reason = unreachable(&outgoing.url, "no connection in time");
                    return Event::Unreachable { call, reason };
                }
            };
            let Some(request) = request else {
                let reason = "the request was lost".to_owned();
                return Event::Broken { call, reason };
            };
            let sending = tokio::time::timeout(limits.response, open.send_request(request)).await;
            match sending {
                Ok(Ok(answer)) => {
                    connection = Some(open);
                    Ok(answer)
                }
                Ok(Err(error)) => Err(broken(&error, &outgoing.url)),
                Err(_) => Err("no response in time".to_owned()),
            }
        }
    };
    match response {
        Err(reason) => Event::Broken { call, reason },
        Ok(response) => {
            let reading = tokio::time::timeout(limits.response, read(response, limits.body)).await;
            let asked = format!("{} {}", outgoing.method, target.path);
            let reply = match reading {
                Ok(reply) => reply.map(|(reply, location)| {
                    let remark = remark(reply.status, &asked, location.as_deref());
                    *leads = location;
                    Reply { remark, ..reply }
                }),
                Err(_) => Err("the body of the response does not end".to_owned()),
            };
            if let (Some(open), Ok(_)) = (connection, &reply) {
                let mut idle = target.idle.lock().unwrap_or_else(PoisonError::into_inner);
                if !idle.is_kept_open_in_vain {
                    idle.open.push(open);
                }
            }
            Event::Answered { call, reply }
        }
    }
}

/// Why there is no connection, with what might help.
fn unreachable(url: &str, reason: &str) -> String {
    let hint = if !url.starts_with("https:") {
        ""
    } else if reason.contains("certificate") {
        "; certificates that this machine does not know are named with `--ca FILE`"
    } else if reason.contains("corrupt message") {
        "; without TLS its address begins with `http://`"
    } else {
        ""
    };
    format!("{url}: {reason}{hint}")
}

/// Why there is no response: the error, and what caused it.
fn broken(error: &hyper::Error, url: &str) -> String {
    let mut text = error.to_string();
    if let Some(cause) = error.source() {
        text.push_str(&format!(": {cause}"));
    }
    if error.is_parse() && !error.is_parse_too_large() && url.starts_with("http:") {
        format!(
            "the reply is not HTTP ({text}); if the service uses TLS, its address must begin with `https://`"
        )
    } else {
        text
    }
}

/// What a status means to someone who tests.
fn remark(status: u16, asked: &str, location: Option<&str>) -> Option<String> {
    match (status, location) {
        (404 | 405, _) => Some(format!("nothing is at `{asked}`; is that its address?")),
        (300..400, Some(location)) => Some(format!(
            "it leads to {location}, where the test does not go; if the service is there, that is its address"
        )),
        _ => None,
    }
}

/// The response, and where it leads.
async fn read(response: Response<Body>, limit: usize) -> Result<(Reply, Option<String>), String> {
    let status = response.status().as_u16();
    let text = |name| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let content_type = text(header::CONTENT_TYPE);
    let coding = text(header::CONTENT_ENCODING).unwrap_or_default();
    let location = text(header::LOCATION);
    let headers = texts(response.headers());
    let body = whole(response.into_body(), &coding, limit).await?;
    let reply = Reply {
        status,
        content_type,
        body,
        headers,
        remark: None,
    };
    Ok((reply, location))
}

/// A body, unpacked; requests may be packed as responses are (RFC 9110, section 8.4).
async fn whole<B>(body: B, coding: &str, limit: usize) -> Result<Vec<u8>, String>
where
    B: hyper::body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let too_long = || Err(format!("the body is longer than {limit} bytes"));
    let whole = match Limited::new(body, limit).collect().await {
        Ok(whole) => whole.to_bytes(),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => return too_long(),
        Err(error) => return Err(format!("the body broke off: {error}")),
    };
    match plain(coding, &whole, limit) {
        Ok(body) => Ok(body.into_owned()),
        Err(EncodedBody::TooLong) => too_long(),
        Err(EncodedBody::Unreadable(why)) => Err(format!("the body cannot be read: {why}")),
    }
}

#[derive(Clone)]
struct Server {
    role: Role,
    limit: usize,
    patience: Duration,
    board: Arc<Switchboard>,
}

async fn accept(socket: TcpListener, server: Server) {
    loop {
        match socket.accept().await {
            Ok((client, _)) => {
                tokio::spawn(serve(client, server.clone()));
            }
            // Out of file descriptors, or a client that was gone already: others may still come.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn serve(client: TcpStream, server: Server) {
    let _ = client.set_nodelay(true);
    let service = service_fn(move |request| {
        let server = server.clone();
        async move { server.answer(request).await }
    });
    // A client that breaks off is its own affair.
    let _ = Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(client), service)
        .await;
}

impl Server {
    /// The answer; an error ends the connection without one.
    async fn answer(&self, request: Request<Body>) -> io::Result<Response<Full<Bytes>>> {
        let method = request.method().to_string();
        let target = request
            .uri()
            .path_and_query()
            .map_or("/", |target| target.as_str())
            .to_owned();
        let headers = texts(request.headers());
        let coding = request.headers().get(header::CONTENT_ENCODING);
        let coding = coding.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let coding = coding.to_owned();
        // A peer that stops in the middle of a body is not waited for longer than an answer.
        let body = whole(request.into_body(), &coding, self.limit);
        let body = tokio::time::timeout(self.patience, body);
        let stalled = |_| Err("the body broke off: nothing more came".to_owned());
        let incoming = body.await.unwrap_or_else(stalled).map(|body| Incoming {
            role: self.role,
            method,
            target,
            headers,
            body,
        });
        let receiver = self.board.call(incoming);
        match tokio::time::timeout(self.patience, receiver).await {
            // The partner that is played here hangs up.
            Ok(Err(_)) => Err(io::Error::other("no answer is given")),
            Ok(Ok(reply)) => {
                let body = Bytes::from(reply.body);
                let mut response = response(reply.status, reply.content_type, body);
                for (name, value) in &reply.headers {
                    let name = HeaderName::from_bytes(name.as_bytes());
                    if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value)) {
                        response.headers_mut().append(name, value);
                    }
                }
                Ok(response)
            }
            Err(_) => Ok(response(503, None, Bytes::new())),
        }
    }
}

/// The headers that are texts.
fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    headers.iter().filter_map(text).collect()
}

fn response(status: u16, content_type: Option<String>, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(value) = content_type.and_then(|it| HeaderValue::from_str(&it).ok()) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::Full;

    use super::whole;

    #[test]
    fn bodies_of_either_side_are_unpacked() {
        // `{"x":1}`, as gzip has it.
        let packed: &[u8] = &[
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 170, 80, 178, 50, 172, 5, 0, 92, 89, 235, 59,
            7, 0, 0, 0,
        ];
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let read = |coding: &str, limit| {
            let body = Full::new(Bytes::from_static(packed));
            runtime.block_on(whole(body, coding, limit))
        };
        assert_eq!(read("gzip", 100), Ok(b"{\"x\":1}".to_vec()));
        assert_eq!(read("", 100), Ok(packed.to_vec()));
        let too_long = "the body is longer than 5 bytes";
        assert_eq!(read("gzip", 5), Err(too_long.to_owned()));
        let unread = "the body cannot be read: content encoding `br`";
        assert_eq!(read("br", 100), Err(unread.to_owned()));
    }
}
