//! Messages of which two spans of their receiver tell: one fetches them, one below it or beside it processes them.
//!
//! Only one reception is meant, the one that was processed; the other is left out.
//! A span that processes what the span above it has fetched comes from where that one came from.

use std::collections::{HashMap, HashSet};

use choros_bind::Envelope;

use super::span::SpanKind;
use super::traces::{Skeleton, Ties};

/// A span by its trace and its identity.
type Key = (Option<String>, String);

/// Gives spans without a link that of the fetching span above them.
pub(super) fn pass_on(spans: &mut [Skeleton], envelopes: &mut [Option<Envelope>]) {
    let fetches = spans.iter().filter(|it| it.is_fetch);
    let links = fetches.filter_map(|it| {
        let link = (it.link.clone(), it.link_trace.clone());
        Some(((it.trace.clone(), it.id.clone()?), link))
    });
    let links: HashMap<Key, _> = links.collect();
    if links.is_empty() {
        return;
    }
    for (span, envelope) in spans.iter_mut().zip(envelopes) {
        if span.kind != SpanKind::Consumer || span.is_fetch || span.link.is_some() {
            continue;
        }
        let above = span.parent.clone().map(|it| (span.trace.clone(), it));
        let Some((link, trace)) = above.and_then(|it| links.get(&it)) else {
            continue;
        };
        span.link.clone_from(link);
        span.link_trace.clone_from(trace);
        if let Some(envelope) = envelope {
            // Of several messages that were fetched at once, no one says which one it is.
            envelope.id.clone_from(link);
        }
    }
}

/// Fetching spans whose messages other spans of the same service process.
pub(super) fn told_again(ties: &Ties<'_>) -> Vec<usize> {
    let consumers = || {
        let spans = ties.spans.iter().enumerate();
        spans.filter(|(_, it)| it.kind == SpanKind::Consumer)
    };
    if !consumers().any(|(_, it)| it.is_fetch) {
        return Vec::new();
    }
    let mut processed: HashSet<(Option<&str>, usize)> = HashSet::new();
    for (at, span) in consumers().filter(|(_, it)| !it.is_fetch) {
        let above = span.parent.as_deref().and_then(|it| ties.find(at, it));
        let ends = [above, ties.sender(at)].into_iter().flatten();
        processed.extend(ends.map(|it| (span.service.as_deref(), it)));
    }
    let is_again = |(at, span): &(usize, &Skeleton)| {
        let own = span.service.as_deref();
        let ends = [Some(*at), ties.sender(*at)].into_iter().flatten();
        span.is_fetch && ends.into_iter().any(|it| processed.contains(&(own, it)))
    };
    consumers().filter(is_again).map(|(at, _)| at).collect()
}
