//! A pretended service at work: real sockets, and threads that end with it.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use socket2::SockRef;

use super::fields::{element, field, fill};
use super::{Action, Condition, Relation, Rule, Service};

/// How soon a thread notices that it is to end.
const NAP: Duration = Duration::from_millis(20);

/// No request of a test is longer.
const MAX_REQUEST_BYTES: usize = 1 << 24;

/// A service that listens until this is dropped.
pub(crate) struct Running {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

struct Shared {
    service: Service,
    partners: BTreeMap<String, SocketAddr>,
    /// How many requests each rule has had.
    turns: Mutex<Vec<usize>>,
    /// What is wrong with the document, found while it was at work.
    problems: Mutex<Vec<String>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    is_over: AtomicBool,
    /// Grows with every `forget`.
    age: AtomicU64,
}

impl Running {
    /// Starts a service whose partners are at these addresses.
    pub(crate) fn start(
        service: Service,
        partners: BTreeMap<String, SocketAddr>,
    ) -> io::Result<Running> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            turns: Mutex::new(vec![0; service.rules.len()]),
            service,
            partners,
            problems: Mutex::default(),
            threads: Mutex::default(),
            is_over: AtomicBool::new(false),
            age: AtomicU64::new(0),
        });
        let accepting = shared.clone();
        let acceptor = std::thread::spawn(move || {
            for client in listener.incoming() {
                if accepting.is_over() {
                    return;
                }
                if let Ok(client) = client {
                    let shared = accepting.clone();
                    accepting.spawn(move || shared.converse(client));
                }
            }
        });
        Ok(Running {
            address,
            shared,
            acceptor: Some(acceptor),
        })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What turned out to be wrong with its rules.
    pub(crate) fn problems(&self) -> Vec<String> {
        lock(&self.shared.problems).clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Someone must knock, or the acceptor waits forever.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        loop {
            let Some(thread) = lock(&self.shared.threads).pop() else {
                return;
            };
            let _ = thread.join();
        }
    }
}

#[derive(Clone)]
struct Request {
    path: String,
    body: String,
}

/// Whether the connection stays open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Close,
}

impl Shared {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        let thread = std::thread::spawn(work);
        lock(&self.threads).push(thread);
    }

    fn converse(self: Arc<Self>, client: TcpStream) {
        let _ = client.set_nodelay(true);
        let _ = client.set_read_timeout(Some(NAP));
        let _ = client.set_write_timeout(Some(NAP));
        let mut before = Vec::new();
        while let Some(request) = self.request(&client, &mut before) {
            if self.clone().serve(&client, &request) == Then::Close {
                return;
            }
        }
    }

    /// The next request, unless the client goes or the service ends; `before` is what was read too much.
    fn request(&self, client: &TcpStream, before: &mut Vec<u8>) -> Option<Request> {
        let (head, body) = self.message(client, before)?;
        let path = head.lines().next()?.split(' ').nth(1)?.to_owned();
        Some(Request { path, body })
    }

    /// Head and body of a request or a response whose length is said, or that has no body.
    fn message(&self, client: &TcpStream, before: &mut Vec<u8>) -> Option<(String, String)> {
        let end = loop {
            match find(before, b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.more(client, before)?,
            }
        };
        let head = String::from_utf8_lossy(&before[..end]).into_owned();
        let length = head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.trim().parse::<usize>().ok())
            .unwrap_or(0);
        while before.len() < end + length {
            self.more(client, before)?;
        }
        let body = String::from_utf8_lossy(&before[end..end + length]).into_owned();
        before.drain(..end + length);
        Some((head, body))
    }

    fn more(&self, mut client: &TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
        let mut buffer = [0; 4096];
        loop {
            if self.is_over() || bytes.len() > MAX_REQUEST_BYTES {
                return None;
            }
            match client.read(&mut buffer) {
                Ok(0) => return None,
                Ok(count) => {
                    bytes.extend_from_slice(&buffer[..count]);
                    return Some(());
                }
                Err(error) if is_pause(&error) => {}
                Err(_) => return None,
            }
        }
    }

    fn serve(self: Arc<Self>, client: &TcpStream, request: &Request) -> Then {
        let fitting = self.service.rules.iter().position(|it| it.fits(request));
        let Some(number) = fitting else {
            let answer = response(404, Some("text/plain"), "nothing is here\n");
            return self.write(client, answer.as_bytes(), Duration::ZERO);
        };
        let rule = &self.service.rules[number];
        let turn = {
            let mut turns = lock(&self.turns);
            let count = turns[number];
            turns[number] += 1;
            if rule.is_cyclic {
                count % rule.turns.len()
            } else {
                count.min(rule.turns.len() - 1)
            }
        };
        let actions = rule.turns[turn].clone();
        // What comes after the first answer is done while the connection is listened to again.
        let answered = actions
            .iter()
            .position(|action| matches!(action, Action::Answer { .. }))
            .map_or(actions.len(), |position| position + 1);
        let (now, later) = actions.split_at(answered);
        let mut work = Work {
            request: request.clone(),
            answer: String::new(),
            pace: Duration::ZERO,
            age: self.age.load(Ordering::SeqCst),
            is_answered: false,
        };
        let mut then = Then::GoOn;
        for action in now {
            then = self.act(action, client, &mut work);
            if then == Then::Close {
                return then;
            }
        }
        let closes = |it: &Action| matches!(it, Action::Close | Action::Reset | Action::Hang);
        if later
            .iter()
            .any(|it| matches!(it, Action::Raw(_)) || closes(it))
        {
            for action in later {
                then = self.act(action, client, &mut work);
                if then == Then::Close {
                    return then;
                }
            }
        } else if !later.is_empty()
            && let Ok(client) = client.try_clone()
        {
            let (shared, later) = (self.clone(), later.to_vec());
            work.is_answered = true;
            self.spawn(move || {
                for action in &later {
                    if shared.is_forgotten(&work)
                        || shared.act(action, &client, &mut work) == Then::Close
                    {
                        return;
                    }
                }
            });
        }
        then
    }

    fn act(&self, action: &Action, client: &TcpStream, work: &mut Work) -> Then {
        match action {
            Action::Answer {
                status,
                content_type,
                body,
            } => {
                let Some(body) = self.filled(body, work) else {
                    return Then::Close;
                };
                let answer = response(*status, content_type.as_deref(), &body);
                self.write(client, answer.as_bytes(), work.pace)
            }
            Action::Raw(recipe) => self.write(client, &recipe.bake(), work.pace),
            Action::Wait(time) => self.nap(*time, || self.is_forgotten(work)),
            Action::Trickle(pace) => {
                work.pace = *pace;
                Then::GoOn
            }
            Action::Hang => {
                let mut ignored = Vec::new();
                while self.more(client, &mut ignored).is_some() {}
                Then::Close
            }
            Action::Close => {
                let _ = client.shutdown(std::net::Shutdown::Both);
                Then::Close
            }
            Action::Reset => {
                let _ = SockRef::from(client).set_linger(Some(Duration::ZERO));
                Then::Close
            }
            Action::Forget => {
                work.age = self.age.fetch_add(1, Ordering::SeqCst) + 1;
                Then::GoOn
            }
            Action::Call {
                partner,
                path,
                content_type,
                body,
            } => {
                let (Some(body), Some(&address)) =
                    (self.filled(body, work), self.partners.get(partner))
                else {
                    return Then::Close;
                };
                // A partner that is not there any more is the affair of the test that should have played it.
                work.answer = self
                    .call(address, path, content_type, &body)
                    .unwrap_or_default();
                Then::GoOn
            }
        }
    }

    fn filled(&self, template: &str, work: &Work) -> Option<String> {
        let find = |name: &str| match name.strip_prefix("answer.") {
            Some(name) => field(&work.answer, name),
            None => field(&work.request.body, name),
        };
        match fill(template, find) {
            Ok(text) => Some(text),
            // An answer that never came has no fields, and the partner's silence shows by itself.
            Err(_) if work.answer.is_empty() && template.contains("{answer.") => None,
            Err(problem) => {
                let problem = format!("{problem} in {}", work.request.body);
                lock(&self.problems).push(problem);
                None
            }
        }
    }

    /// Whether another request has said `forget` since this one was answered.
    fn is_forgotten(&self, work: &Work) -> bool {
        work.is_answered && self.age.load(Ordering::SeqCst) != work.age
    }

    fn nap(&self, time: Duration, is_forgotten: impl Fn() -> bool) -> Then {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Then::GoOn;
            }
            if self.is_over() || is_forgotten() {
                return Then::Close;
            }
            std::thread::sleep(left.min(NAP));
        }
    }

    fn write(&self, mut client: &TcpStream, bytes: &[u8], pace: Duration) -> Then {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.is_over() {
                return Then::Close;
            }
            let piece = if pace.is_zero() { rest.len() } else { 1 };
            match client.write(&rest[..piece]) {
                Ok(count) => rest = &rest[count..],
                Err(error) if is_pause(&error) => {}
                Err(_) => return Then::Close,
            }
            if self.nap(pace, || false) == Then::Close {
                return Then::Close;
            }
        }
        Then::GoOn
    }

    /// The body of the answer.
    fn call(
        &self,
        address: SocketAddr,
        path: &str,
        content_type: &str,
        body: &str,
    ) -> io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(NAP))?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        let answer = self.message(&stream, &mut Vec::new());
        // A refusal has no fields.
        let answer = answer.filter(|(head, _)| head.starts_with("HTTP/1.1 2"));
        Ok(answer.map_or_else(String::new, |(_, body)| body))
    }
}

/// What a turn knows while it is carried out.
struct Work {
    request: Request,
    /// What the partner said last.
    answer: String,
    pace: Duration,
    age: u64,
    /// Whether all that is left is what comes after the answer.
    is_answered: bool,
}

impl Rule {
    fn fits(&self, request: &Request) -> bool {
        let path = request.path.split('?').next().unwrap_or_default();
        self.path.as_deref().is_none_or(|wanted| wanted == path)
            && self
                .element
                .as_deref()
                .is_none_or(|name| element(&request.body, name).is_some())
            && self
                .condition
                .as_ref()
                .is_none_or(|condition| condition.holds(&request.body))
    }
}

impl Condition {
    fn holds(&self, body: &str) -> bool {
        let Some(found) = field(body, &self.field) else {
            return false;
        };
        let found = found.trim_matches('"');
        let number = |text: &str| text.parse::<i64>().ok();
        match (self.relation, number(found), number(&self.value)) {
            (Relation::Equal, ..) => found == self.value,
            (Relation::Unequal, ..) => found != self.value,
            (Relation::Less, Some(left), Some(right)) => left < right,
            (Relation::Greater, Some(left), Some(right)) => left > right,
            _ => false,
        }
    }
}

fn response(status: u16, content_type: Option<&str>, body: &str) -> String {
    let mut head = format!("HTTP/1.1 {status} Pretended\r\n");
    if let Some(content_type) = content_type {
        head.push_str(&format!("Content-Type: {content_type}\r\n"));
    }
    // These have no body, and say so by their status alone.
    if !(100..200).contains(&status) && status != 204 {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    format!("{head}\r\n{body}")
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|it| it == wanted)
}

fn is_pause(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
