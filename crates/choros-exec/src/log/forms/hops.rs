//! Calls that several spans tell of, because something is between the two services: a sidecar, a library below another.
//!
//! A client span right below a client span, or a server span right below a server span, with the same method and path is
//! the same call told again.
//! Of several at one end the one that the service itself wrote counts, which knows its data: the first of the clients,
//! the last of the servers.
//! Its two ends are tied by the first client.
//! Several client spans right below one are attempts of its call, and so are several server spans that came in by one
//! call: whether it was sent again is for those to say who know the messages.
//! If the spans in between were not exported, a server whose parent is missing is tied to the one client of its trace
//! that made this call and that no server answers; if several did, it has no tie, rather than a wrong one.

use std::collections::{BTreeMap, BTreeSet};

use choros_bind::{Attempt, Envelope};

use super::span::SpanKind;
use super::traces::Ties;

/// What is nested deeper than this is taken as it is.
const DEEPEST: usize = 16;

/// What is known of calls with something in between.
pub(super) struct Hops {
    /// Spans that tell again what another one tells.
    pub(super) repeated: BTreeSet<usize>,
    /// For a span that receives, what ties it and who sent, if its parent does not say it.
    ties: BTreeMap<usize, (Option<String>, Option<String>)>,
    /// For a client, the service that answers it, if its own children do not say it.
    answering: BTreeMap<usize, String>,
    /// Spans that may be attempts of one call.
    pub(super) attempts: BTreeMap<usize, Attempt>,
}

/// Method and path of a request.
type Call<'e> = (&'e str, &'e str);

fn call(envelope: Option<&Envelope>) -> Option<Call<'_>> {
    let http = envelope?.http.as_ref()?;
    Some((http.method.as_deref()?, http.path.as_str()))
}

/// A call by its trace and the span of its client.
fn call_words(trace: Option<&str>, id: Option<&str>) -> String {
    format!("{} {}", trace.unwrap_or_default(), id.unwrap_or_default())
}

impl Hops {
    pub(super) fn new(ties: &Ties<'_>, envelopes: &[Option<Envelope>]) -> Hops {
        let mut hops = Hops {
            repeated: BTreeSet::new(),
            ties: BTreeMap::new(),
            answering: BTreeMap::new(),
            attempts: BTreeMap::new(),
        };
        let calls: Vec<Option<Call<'_>>> = envelopes.iter().map(|it| call(it.as_ref())).collect();
        let is_again = |at: usize, above: usize| {
            let (span, other) = (&ties.spans[at], &ties.spans[above]);
            span.kind == other.kind
                && (span.kind == SpanKind::Client || span.service == other.service)
                && calls[at].is_some()
                && calls[at] == calls[above]
        };
        let above = |at: usize| {
            let parent = ties.spans[at].parent.as_deref()?;
            ties.find(at, parent).filter(|it| is_again(at, *it))
        };
        let mut children: BTreeMap<usize, usize> = BTreeMap::new();
        for at in 0..ties.spans.len() {
            if let Some(above) = above(at) {
                *children.entry(above).or_default() += 1;
            }
        }
        let mut inner = Vec::new();
        for at in 0..ties.spans.len() {
            let Some(above) = above(at) else { continue };
            if ties.spans[at].kind != SpanKind::Client {
                hops.repeated.insert(above);
            } else if children.get(&above) == Some(&1) {
                hops.repeated.insert(at);
            } else {
                inner.push(at);
            }
        }
        let first = |mut at: usize| {
            for _ in 0..DEEPEST {
                let Some(above) = above(at) else { break };
                at = above;
            }
            at
        };
        for at in 0..ties.spans.len() {
            let span = &ties.spans[at];
            if span.kind != SpanKind::Server || span.is_shared || hops.repeated.contains(&at) {
                continue;
            }
            let outermost = first(at);
            let Some(sender) = ties.sender(outermost) else {
                continue;
            };
            let client = first(sender);
            if outermost == at && client == sender {
                continue;
            }
            let (id, service) = (
                ties.spans[client].id.clone(),
                ties.spans[client].service.clone(),
            );
            hops.ties.insert(at, (id, service));
            let answering = span.service.clone().filter(|_| client != sender);
            hops.answering.extend(answering.map(|it| (client, it)));
        }
        for at in inner {
            let client = &ties.spans[first(at)];
            hops.attempts.insert(
                at,
                Attempt {
                    call: call_words(client.trace.as_deref(), client.id.as_deref()),
                    is_inner: true,
                    is_one_request: true,
                },
            );
        }
        hops.tie_orphans(ties, &calls);
        hops.gather_attempts(ties, &calls, first);
        hops
    }

    /// Finds servers whose requests came in by one call.
    fn gather_attempts(
        &mut self,
        ties: &Ties<'_>,
        calls: &[Option<Call<'_>>],
        first: impl Fn(usize) -> usize,
    ) {
        let mut incoming: BTreeMap<String, (bool, Vec<usize>)> = BTreeMap::new();
        for (at, span) in ties.spans.iter().enumerate() {
            if span.kind != SpanKind::Server || self.repeated.contains(&at) {
                continue;
            }
            let outermost = first(at);
            let (id, is_one) = match ties.sender(outermost) {
                Some(sender) => {
                    let client = first(sender);
                    (ties.spans[client].id.as_deref(), calls[client].is_some())
                }
                // Unless the span above is a client's, each request is a call of its own; a missing span may have been one.
                None => {
                    let parent = ties.spans[outermost].parent.as_deref();
                    let parent = parent.filter(|it| !it.is_empty());
                    let is_there = parent.is_some_and(|it| ties.find(outermost, it).is_some());
                    (parent.filter(|_| !is_there), false)
                }
            };
            if id.is_some() {
                let call = call_words(span.trace.as_deref(), id);
                let known = incoming.entry(call).or_insert((is_one, Vec::new()));
                known.1.push(at);
            }
        }
        for (call, (is_one_request, servers)) in incoming {
            for at in servers.iter().copied().filter(|_| servers.len() > 1) {
                let attempt = Attempt {
                    call: call.clone(),
                    is_inner: false,
                    is_one_request,
                };
                self.attempts.insert(at, attempt);
            }
        }
    }

    /// Ties servers whose parents are missing.
    fn tie_orphans(&mut self, ties: &Ties<'_>, calls: &[Option<Call<'_>>]) {
        let mut waiting: BTreeMap<(&str, Call<'_>), Vec<usize>> = BTreeMap::new();
        let mut orphans: BTreeMap<(&str, Call<'_>), Vec<usize>> = BTreeMap::new();
        for (at, span) in ties.spans.iter().enumerate() {
            let (Some(trace), Some(call)) = (span.trace.as_deref(), calls[at]) else {
                continue;
            };
            let is_again = self.repeated.contains(&at) || self.attempts.contains_key(&at);
            if is_again || span.is_shared {
                continue;
            }
            let is_answered = ties.receivers.contains_key(&at) || self.answering.contains_key(&at);
            match span.kind {
                SpanKind::Client if !is_answered => {
                    waiting.entry((trace, call)).or_default().push(at);
                }
                SpanKind::Server => {
                    let parent = span.parent.as_deref().filter(|it| !it.is_empty());
                    if parent.is_some_and(|it| ties.find(at, it).is_none()) {
                        orphans.entry((trace, call)).or_default().push(at);
                    }
                }
                _ => {}
            }
        }
        for (key, servers) in orphans {
            match (waiting.get(&key).map(Vec::as_slice), &servers[..]) {
                (None | Some([]), _) => {}
                (Some(&[client]), &[server]) => {
                    let sender = &ties.spans[client];
                    let tie = (sender.id.clone(), sender.service.clone());
                    self.ties.insert(server, tie);
                    let service = ties.spans[server].service.clone();
                    self.answering.extend(service.map(|it| (client, it)));
                }
                (Some(_), servers) => {
                    let untied = servers.iter().map(|&it| (it, (None, None)));
                    self.ties.extend(untied);
                }
            }
        }
    }

    /// Says what ties a message, and who its ends are.
    pub(super) fn tie(&self, at: usize, envelope: &mut Envelope) {
        if let Some((id, sender)) = self.ties.get(&at) {
            envelope.id.clone_from(id);
            if sender.is_some() {
                envelope.from.clone_from(sender);
            }
        }
        if let Some(service) = self.answering.get(&at) {
            envelope.to = Some(service.clone());
        }
    }
}
