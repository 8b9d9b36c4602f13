//! A service by hand: SOAP over HTTP on loopback, and a thread for each instance.
//!
//! An instance is written as straight-line code: it receives, calls its partner `W`, answers.
//! It shares nothing with what reads processes.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What an instance does; `None` where nothing comes any more.
pub(crate) type Behaviour = fn(&mut Instance, bool) -> Option<()>;

/// No one is waited for longer.
const PATIENCE: Duration = Duration::from_secs(30);

struct Call {
    operation: String,
    value: i64,
    answer: Sender<i64>,
}

pub(crate) struct Instance {
    inbox: Receiver<Call>,
    /// What came before it was received.
    early: Vec<Call>,
    /// Requests that wait for their answers.
    open: Vec<(String, Sender<i64>)>,
    worker: String,
    /// How long a unit of time is.
    pub(crate) tick: Duration,
}

impl Instance {
    pub(crate) fn receive(&mut self, operation: &str) -> Option<i64> {
        self.receive_any(&[operation]).map(|(_, value)| value)
    }

    /// The first message of one of these operations.
    pub(crate) fn receive_any(&mut self, operations: &[&str]) -> Option<(String, i64)> {
        loop {
            let is_wanted = |call: &Call| operations.contains(&&*call.operation);
            if let Some(at) = self.early.iter().position(is_wanted) {
                let call = self.early.remove(at);
                self.open.push((call.operation.clone(), call.answer));
                return Some((call.operation, call.value));
            }
            match self.inbox.recv_timeout(PATIENCE) {
                Ok(call) => self.early.push(call),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Answers the first request of this operation that waits.
    pub(crate) fn reply(&mut self, operation: &str, value: i64) {
        let at = self.open.iter().position(|(of, _)| of == operation);
        let (_, answer) = self.open.remove(at.expect("a request"));
        // Whoever asked may be gone.
        let _ = answer.send(value);
    }

    /// Calls an operation of `W` whose message has no parts.
    pub(crate) fn call(&self, operation: &str) {
        post(&self.worker, operation, None);
    }

    pub(crate) fn tell(&self, value: i64) {
        post(&self.worker, "tell", Some(value));
    }

    pub(crate) fn work(&self, value: i64) -> Option<i64> {
        post(&self.worker, "work", Some(value))
    }
}

/// Starts a service; it lives as long as the test. `start` is the operation that creates an instance.
pub(crate) fn serve(
    start: &'static str,
    behaviour: Behaviour,
    is_wrong: bool,
    worker: String,
    tick: Duration,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let latest: Arc<Mutex<Option<Sender<Call>>>> = Arc::default();
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let (latest, worker) = (latest.clone(), worker.clone());
            let deliver = move |call: Call| {
                // What starts the instance may be on another connection, and a moment later.
                if call.operation != start {
                    std::thread::sleep(Duration::from_millis(80));
                }
                let mut latest = latest.lock().expect("no one panics with it");
                if call.operation == start {
                    let (sender, inbox) = channel();
                    let mut instance = Instance {
                        inbox,
                        early: Vec::new(),
                        open: Vec::new(),
                        worker: worker.clone(),
                        tick,
                    };
                    std::thread::spawn(move || behaviour(&mut instance, is_wrong));
                    *latest = Some(sender);
                }
                if let Some(instance) = &*latest {
                    // An instance that has ended takes nothing, and the request is not answered.
                    let _ = instance.send(call);
                }
            };
            std::thread::spawn(move || converse(client, &deliver));
        }
    });
    format!("http://{address}/")
}

fn converse(client: TcpStream, deliver: &dyn Fn(Call)) {
    let _ = client.set_nodelay(true);
    let mut writer = client.try_clone().expect("a second handle");
    let mut reader = BufReader::new(client);
    while let Some((_, body)) = message(&mut reader) {
        let (operation, value) = content(&body);
        let is_answered = matches!(&*operation, "o" | "p");
        let (answer, answered) = channel();
        let call = Call {
            operation: operation.clone(),
            value: value.unwrap_or_default(),
            answer,
        };
        deliver(call);
        let (status, body) = if is_answered {
            let wrapper = format!("{operation}Response");
            match answered.recv_timeout(PATIENCE) {
                Ok(value) => ("200 OK", envelope(&wrapper, Some(value))),
                Err(_) => ("500 No Answer", String::new()),
            }
        } else {
            ("202 Accepted", String::new())
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        if writer.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// The first line and the body of the next request or response.
fn message(reader: &mut impl BufRead) -> Option<(String, String)> {
    let (mut length, mut line) = (0, String::new());
    let mut first = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let header = line.trim_end().to_lowercase();
        if header.is_empty() {
            break;
        }
        if first.is_empty() {
            first.clone_from(&header);
        }
        if let Some(given) = header.strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, String::from_utf8(body).ok()?))
}

/// The operation of an envelope, and the number in it.
fn content(body: &str) -> (String, Option<i64>) {
    let inside = body.split_once("Body>").map_or("", |(_, inside)| inside);
    let name = inside
        .split(['<', ' ', '>', '/'])
        .find(|it| !it.trim().is_empty());
    let name = name.and_then(|it| it.rsplit(':').next());
    let value = inside
        .split_once("<n>")
        .and_then(|(_, rest)| rest.split_once('<'));
    let value = value.and_then(|(value, _)| value.trim().parse().ok());
    (name.unwrap_or_default().to_owned(), value)
}

fn envelope(wrapper: &str, value: Option<i64>) -> String {
    let part = value.map(|it| format!("<n>{it}</n>")).unwrap_or_default();
    format!(
        r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><o:{wrapper} xmlns:o="urn:t">{part}</o:{wrapper}></s:Body></s:Envelope>"#
    )
}

fn post(address: &str, operation: &str, value: Option<i64>) -> Option<i64> {
    let body = envelope(operation, value);
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!(
        "POST /worker HTTP/1.1\r\nHost: {address}\r\nSOAPAction: \"\"\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let (status, answer) = message(&mut BufReader::new(stream))?;
    // A fault ends an instance that does not handle it.
    status.contains(" 200").then(|| content(&answer).1)?
}
