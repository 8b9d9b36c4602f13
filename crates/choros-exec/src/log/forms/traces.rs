//! All spans of a log together: which service is at the other end, and in which order each service did what it did.
//!
//! A log of spans is in the order in which they were exported, which is the order of their ends at best.
//! In one service, a parent begins before its child, and a span after the one that it is linked to, whatever the clock
//! says; where two times are equal, or one is missing, the nesting decides, too.

use std::collections::{BTreeMap, HashMap};

use choros_bind::{Envelope, RankedEnvelope, Side};

use super::conversations::Conversations;
use super::exported_again;
use super::fetches;
use super::hops::Hops;
use super::order::{Interval, ranks};
use super::span::{Span, SpanKind};

/// Spans as they come in, whose services may become known later.
#[derive(Debug, Default)]
pub(super) struct Traces {
    spans: Vec<Skeleton>,
    envelopes: Vec<Option<Envelope>>,
    /// The service of a resource or of a process.
    services: BTreeMap<(u64, u64, String), String>,
    /// How many spans were exported again, and left out.
    pub(super) repeated: u64,
}

/// What is kept of a span to put it in its place.
#[derive(Debug)]
pub(super) struct Skeleton {
    pub(super) trace: Option<String>,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) link: Option<String>,
    pub(super) link_trace: Option<String>,
    pub(super) kind: SpanKind,
    pub(super) is_shared: bool,
    pub(super) is_fetch: bool,
    pub(super) service: Option<String>,
    owner: (u64, u64, String),
    interval: Interval,
}

impl Skeleton {
    /// Whether another one says all that this one says, and perhaps more.
    pub(super) fn is_within(&self, other: &Skeleton) -> bool {
        let (own, others) = (&self.interval, &other.interval);
        is_in(self.parent.as_ref(), other.parent.as_ref())
            && is_in(self.link.as_ref(), other.link.as_ref())
            && is_in(self.link_trace.as_ref(), other.link_trace.as_ref())
            && self.is_shared == other.is_shared
            && is_in(own.start.as_ref(), others.start.as_ref())
            && is_in(own.end.as_ref(), others.end.as_ref())
    }

    /// Whether it was exported before it was over.
    pub(super) fn is_open(&self) -> bool {
        self.interval.end.is_none()
    }
}

/// Whether what is there is the same.
pub(super) fn is_in<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    one.is_none() || one == other
}

impl Traces {
    /// Says which service a resource of a group, or a process of it, is.
    pub(super) fn name(&mut self, group: (u64, u64), process: &str, service: String) {
        let key = (group.0, group.1, process.to_owned());
        self.services.insert(key, service);
    }

    pub(super) fn add(&mut self, mut span: Span, group: (u64, u64), process: &str) {
        let envelope = span.envelope();
        self.envelopes.push(envelope);
        let side = match span.kind {
            SpanKind::Server | SpanKind::Consumer => Some(Side::Receiver),
            SpanKind::Client | SpanKind::Producer => Some(Side::Sender),
            SpanKind::Internal => None,
        };
        self.spans.push(Skeleton {
            interval: Interval {
                side,
                start: span.start,
                end: span.end,
                ..Interval::default()
            },
            trace: span.trace,
            id: span.id,
            parent: span.parent,
            link: span.link,
            link_trace: span.link_trace,
            kind: span.kind,
            is_shared: span.is_shared,
            is_fetch: span.is_fetch,
            service: span.service,
            owner: (group.0, group.1, process.to_owned()),
        });
    }

    /// The messages of all spans that came in, with their places among those of their services.
    pub(super) fn settle(&mut self) -> Vec<RankedEnvelope> {
        let mut spans = std::mem::take(&mut self.spans);
        let mut envelopes = std::mem::take(&mut self.envelopes);
        for (span, envelope) in spans.iter_mut().zip(&mut envelopes) {
            if span.service.is_none() {
                span.service = self.services.get(&span.owner).cloned();
            }
            if let Some(envelope) = envelope {
                own(envelope, span.service.as_ref());
            }
        }
        self.repeated += exported_again::left_out(&mut spans, &mut envelopes);
        fetches::pass_on(&mut spans, &mut envelopes);
        let ties = Ties::new(&spans);
        for at in fetches::told_again(&ties) {
            envelopes[at] = None;
        }
        let conversations = Conversations::new(ties.spans);
        let mut hops = Hops::new(&ties, &envelopes);
        for (at, envelope) in envelopes.iter_mut().enumerate() {
            if let Some(envelope) = envelope {
                ties.name_peer(at, envelope);
                hops.tie(at, envelope);
                envelope.attempt = hops.attempts.remove(&at);
                conversations.name(envelope);
            }
        }
        for &at in &hops.repeated {
            envelopes[at] = None;
        }
        let intervals = ties.intervals();
        let ranks = ranks(&intervals);
        let found = envelopes.into_iter().zip(ranks);
        let found = found.filter_map(|(envelope, (start, end))| {
            Some(RankedEnvelope {
                envelope: envelope?,
                start,
                end,
            })
        });
        let mut found: Vec<RankedEnvelope> = found.collect();
        found.sort_by_key(|it| it.start);
        found
    }
}

/// A span is written by its service, which is one end of the message.
fn own(envelope: &mut Envelope, service: Option<&String>) {
    let service = service.cloned();
    match envelope.side {
        Some(Side::Sender) => envelope.from.clone_from(&service),
        Some(Side::Receiver) => envelope.to.clone_from(&service),
        None => {}
    }
    envelope.by = service;
}

/// Which span belongs to which.
pub(super) struct Ties<'s> {
    pub(super) spans: &'s [Skeleton],
    /// The span with an identity; where two ends share one, that of the client.
    by_id: HashMap<(&'s str, &'s str), usize>,
    /// The service that answers a client, or receives from a producer; none where several do.
    pub(super) receivers: HashMap<usize, Option<&'s str>>,
}

impl<'s> Ties<'s> {
    fn new(spans: &'s [Skeleton]) -> Ties<'s> {
        let mut ties = Ties {
            spans,
            by_id: HashMap::new(),
            receivers: HashMap::new(),
        };
        for (at, span) in spans.iter().enumerate() {
            if let Some(id) = &span.id {
                let key = (span.trace.as_deref().unwrap_or_default(), id.as_str());
                if span.is_shared {
                    ties.by_id.entry(key).or_insert(at);
                } else {
                    ties.by_id.insert(key, at);
                }
            }
        }
        for (at, span) in spans.iter().enumerate() {
            let (Some(sender), Some(service)) = (ties.sender(at), span.service.as_deref()) else {
                continue;
            };
            let known = ties.receivers.entry(sender).or_insert(Some(service));
            if *known != Some(service) {
                *known = None;
            }
        }
        ties
    }

    /// Another span of the same trace.
    pub(super) fn find(&self, at: usize, id: &str) -> Option<usize> {
        self.find_in(at, self.spans[at].trace.as_deref(), id)
    }

    /// The span that a span is linked to; that may be in another trace.
    fn linked(&self, at: usize) -> Option<usize> {
        let span = &self.spans[at];
        let trace = span.link_trace.as_deref().or(span.trace.as_deref());
        self.find_in(at, trace, span.link.as_deref()?)
    }

    fn find_in(&self, at: usize, trace: Option<&str>, id: &str) -> Option<usize> {
        let trace = trace.unwrap_or_default();
        let found = self.by_id.get(&(trace, id)).copied();
        found.filter(|found| *found != at)
    }

    /// The span at the other end of a span that receives.
    pub(super) fn sender(&self, at: usize) -> Option<usize> {
        let span = &self.spans[at];
        let named = |id: &Option<String>| self.find(at, id.as_deref()?);
        let (found, kind) = match span.kind {
            SpanKind::Server if span.is_shared => (named(&span.id)?, SpanKind::Client),
            SpanKind::Server => (named(&span.parent)?, SpanKind::Client),
            SpanKind::Consumer if span.link.is_some() => (self.linked(at)?, SpanKind::Producer),
            SpanKind::Consumer => (named(&span.parent)?, SpanKind::Producer),
            _ => return None,
        };
        (self.spans[found].kind == kind).then_some(found)
    }

    /// What services call themselves is better than what others call them.
    fn name_peer(&self, at: usize, envelope: &mut Envelope) {
        match envelope.side {
            Some(Side::Receiver) => {
                let sender = self
                    .sender(at)
                    .and_then(|it| self.spans[it].service.clone());
                envelope.from = sender.or(envelope.from.take());
            }
            Some(Side::Sender) => {
                let receiver = self.receivers.get(&at).copied().flatten();
                envelope.to = receiver.map(str::to_owned).or(envelope.to.take());
            }
            None => {}
        }
    }

    /// The spans as intervals, each below the nearest one of its own service.
    fn intervals(&self) -> Vec<Interval> {
        /// A span that is nested deeper than this through other services is placed by time.
        const FARTHEST: usize = 64;
        let mut services: HashMap<&str, usize> = HashMap::new();
        let mut sessions: HashMap<&str, usize> = HashMap::new();
        let mut found = Vec::with_capacity(self.spans.len());
        for (at, span) in self.spans.iter().enumerate() {
            let mut above = at;
            let mut parent = None;
            for _ in 0..FARTHEST {
                let skeleton = &self.spans[above];
                let id = if skeleton.is_shared {
                    &skeleton.id
                } else {
                    &skeleton.parent
                };
                let Some(next) = id.as_deref().and_then(|id| self.find(above, id)) else {
                    break;
                };
                above = next;
                if self.spans[above].service == span.service {
                    parent = Some(above);
                    break;
                }
            }
            let is_own = |it: &usize| self.spans[*it].service == span.service;
            let (service, session) = (services.len(), sessions.len());
            let name = span.service.as_deref().unwrap_or_default();
            let trace = span.trace.as_deref().unwrap_or_default();
            found.push(Interval {
                by: *services.entry(name).or_insert(service),
                session: *sessions.entry(trace).or_insert(session),
                parent: parent.filter(|parent| *parent != at),
                after: self.linked(at).filter(is_own),
                ..span.interval.clone()
            });
        }
        found
    }
}
