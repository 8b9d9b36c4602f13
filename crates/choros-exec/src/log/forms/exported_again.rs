//! Spans that were exported twice: an exporter sends a batch again when no one confirmed that it had arrived, or a span
//! when it begins and once more when it is over.
//!
//! A span has an identity of its own in its trace, so that several under one identity are one.
//! If one of them says all that the others say, it counts.
//! If they contradict each other, either may be right: the first stands for them, and is in doubt.

use std::collections::HashMap;

use choros_bind::Envelope;

use super::traces::{Skeleton, is_in};

/// Leaves one of spans with the same identity; how many others said nothing else.
pub(super) fn left_out(spans: &mut Vec<Skeleton>, envelopes: &mut Vec<Option<Envelope>>) -> u64 {
    let mut told: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, span) in spans.iter().enumerate() {
        let Some(id) = span.id.as_deref() else {
            continue;
        };
        // Both ends of a call may have one identity, and services may number their spans alike.
        let key = (
            span.trace.as_deref(),
            id,
            span.kind,
            span.service.as_deref(),
        );
        told.entry(key).or_default().push(at);
    }
    let mut is_again = vec![false; spans.len()];
    let mut contradicted = Vec::new();
    let mut repeated = 0;
    for same in told.into_values().filter(|it| it.len() > 1) {
        let is_within = |one: usize, other: usize| {
            spans[one].is_within(&spans[other])
                && match (&envelopes[one], &envelopes[other]) {
                    (Some(own), Some(others)) => says_no_more(own, others, spans[one].is_open()),
                    (own, _) => own.is_none(),
                }
        };
        let is_full = |&it: &usize| same.iter().all(|&one| is_within(one, it));
        let full = same.iter().copied().find(is_full);
        let counts = full.unwrap_or(same[0]);
        same.iter().for_each(|&at| is_again[at] = at != counts);
        match full {
            Some(_) => repeated += same.len() as u64 - 1,
            None => contradicted.push(counts),
        }
    }
    for at in contradicted {
        if let Some(envelope) = &mut envelopes[at] {
            envelope.is_contradicted = true;
        }
    }
    let mut again = is_again.iter();
    spans.retain(|_| again.next() != Some(&true));
    let mut again = is_again.iter();
    envelopes.retain(|_| again.next() != Some(&true));
    repeated
}

/// Whether a span says nothing that another one does not say; what is still open may be called otherwise when it is over.
fn says_no_more(one: &Envelope, other: &Envelope, is_open: bool) -> bool {
    let has = |(path, value): &(String, _)| {
        let mut known = other.attributes.iter();
        known.any(|(known, it)| known == path && it == value)
    };
    let (own, others) = (one.http.as_ref(), other.http.as_ref());
    let request = |it: &choros_bind::HttpExchange| {
        let query = it.query.clone();
        (it.method.clone(), it.path.clone(), query)
    };
    one.attributes.iter().all(has)
        && (is_open || one.names == other.names)
        && is_in(one.from.as_ref(), other.from.as_ref())
        && is_in(one.to.as_ref(), other.to.as_ref())
        && is_in(one.topic.as_ref(), other.topic.as_ref())
        && is_in(own.map(request).as_ref(), others.map(request).as_ref())
        && is_in(
            own.and_then(|it| it.status).as_ref(),
            others.and_then(|it| it.status).as_ref(),
        )
}
