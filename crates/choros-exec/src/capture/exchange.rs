//! A request and its response, told in that order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::{HeaderMap, Method, StatusCode};

use super::tee::Kept;

/// A message that went through.
#[derive(Debug)]
pub(super) struct CapturedMessage<'e> {
    /// Which of the proxied pairs.
    pub(super) route: usize,
    /// The exchange it belongs to, counted over all pairs.
    pub(super) number: u64,
    /// The head of the request.
    pub(super) request: &'e RequestHead,
    /// The head of the response; absent for the request itself.
    pub(super) response: Option<&'e ResponseHead>,
    /// What was kept of its body.
    pub(super) body: &'e Kept,
}

/// Method, target and headers of a request, as the client sent them.
#[derive(Debug)]
pub(super) struct RequestHead {
    pub(super) method: Method,
    pub(super) target: String,
    pub(super) headers: HeaderMap,
}

/// Status and headers of a response.
#[derive(Debug)]
pub(super) struct ResponseHead {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
}

/// Whether an answer refuses its request; who is sent elsewhere was not refused.
pub(super) fn is_fault(status: StatusCode) -> bool {
    status.is_client_error() || status.is_server_error()
}

/// Who is told of messages.
pub(super) type Listener = Arc<dyn Fn(CapturedMessage<'_>) + Send + Sync>;

/// One exchange under way.
///
/// A service may answer before it has read the whole request.
/// The response then waits here until the request is over, so that a log never shows an answer before its question.
pub(super) struct Exchange {
    pub(super) route: usize,
    pub(super) number: u64,
    pub(super) request: RequestHead,
    pub(super) listener: Listener,
    /// Whether the service was reached at all; a request that did not arrive is not reported.
    reached: AtomicBool,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    request_told: bool,
    waiting: Option<(ResponseHead, Kept)>,
}

impl Exchange {
    pub(super) fn new(
        route: usize,
        number: u64,
        request: RequestHead,
        listener: Listener,
    ) -> Arc<Self> {
        Arc::new(Self {
            route,
            number,
            request,
            listener,
            reached: AtomicBool::new(false),
            progress: Mutex::default(),
        })
    }

    /// Whether there is a connection to the service that the request goes over now.
    pub(super) fn set_reached(&self, reached: bool) {
        self.reached.store(reached, Ordering::Release);
    }

    /// The request has passed.
    pub(super) fn request_over(&self, body: &Kept) {
        if !self.reached.load(Ordering::Acquire) {
            return;
        }
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        self.tell(None, body);
        progress.request_told = true;
        if let Some((head, body)) = progress.waiting.take() {
            self.tell(Some(&head), &body);
        }
    }

    /// The response has passed.
    pub(super) fn response_over(&self, head: ResponseHead, body: Kept) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.request_told {
            self.tell(Some(&head), &body)
        } else {
            progress.waiting = Some((head, body))
        }
    }

    fn tell(&self, response: Option<&ResponseHead>, body: &Kept) {
        (self.listener)(CapturedMessage {
            route: self.route,
            number: self.number,
            request: &self.request,
            response,
            body,
        });
    }
}
