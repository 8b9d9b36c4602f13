//! A body that passes through untouched while a bounded copy is kept.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame, SizeHint};

/// The bodies that flow through the proxy.
pub type Passing = BoxBody<Bytes, BrokenBody>;

/// Why a body has no end.
pub type BrokenBody = Box<dyn std::error::Error + Send + Sync>;

/// What was kept of a body.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    /// The first bytes, at most the limit.
    pub(super) bytes: Vec<u8>,
    /// All bytes that passed.
    pub(super) passed: u64,
    /// Whether the body ended before its end was seen: its sender or its receiver went away.
    pub(super) cut: bool,
}

impl Kept {
    /// Whether `bytes` is not the whole body.
    pub(super) fn is_partial(&self) -> bool {
        self.cut || (self.bytes.len() as u64) < self.passed
    }
}

/// Wraps a body: every frame continues unchanged, and `done` is called exactly once with what was kept, at the end of
/// the body or when it is dropped before.
///
/// With `patience` it breaks when nothing more has come for so long.
pub(super) fn tee<B>(
    body: B,
    limit: usize,
    patience: Option<Duration>,
    done: impl FnOnce(Kept) + Send + Sync + 'static,
) -> Passing
where
    B: Body<Data = Bytes> + Unpin + Send + Sync + 'static,
    B::Error: Into<BrokenBody>,
{
    Tee {
        body,
        limit,
        patience: patience.map(|patience| (patience, Box::pin(tokio::time::sleep(patience)))),
        kept: Kept::default(),
        done: Some(Box::new(done)),
    }
    .boxed()
}

struct Tee<B: Body> {
    body: B,
    limit: usize,
    patience: Option<(Duration, Pin<Box<tokio::time::Sleep>>)>,
    kept: Kept,
    done: Option<Box<dyn FnOnce(Kept) + Send + Sync>>,
}

impl<B: Body> Tee<B> {
    fn finish(&mut self, cut: bool) {
        if let Some(done) = self.done.take() {
            let mut kept = std::mem::take(&mut self.kept);
            kept.cut = cut;
            done(kept);
        }
    }
}

impl<B> Body for Tee<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<BrokenBody>,
{
    type Data = Bytes;
    type Error = BrokenBody;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenBody>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(data) = frame.data_ref() {
                    let room = self.limit.saturating_sub(self.kept.bytes.len());
                    self.kept
                        .bytes
                        .extend_from_slice(&data[..room.min(data.len())]);
                    self.kept.passed += data.len() as u64;
                }
                // hyper does not poll again once it knows the length is reached, so the end is noticed here.
                if self.body.is_end_stream() {
                    self.finish(false);
                }
            }
            Poll::Ready(Some(Err(_))) => self.finish(true),
            Poll::Ready(None) => self.finish(false),
            Poll::Pending => {
                if let Some((patience, sleep)) = &mut self.patience
                    && sleep.as_mut().poll(context).is_ready()
                {
                    let error = format!("nothing more came for {} s", patience.as_secs_f64());
                    self.finish(true);
                    return Poll::Ready(Some(Err(error.into())));
                }
            }
        }
        if polled.is_ready()
            && let Some((patience, sleep)) = &mut self.patience
        {
            sleep
                .as_mut()
                .reset(tokio::time::Instant::now() + *patience);
        }
        polled.map(|frame| frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: Body> Drop for Tee<B> {
    fn drop(&mut self) {
        // A body without bytes is never polled; one that is dropped half-way was cut.
        let cut = !self.body.is_end_stream();
        self.finish(cut);
    }
}
